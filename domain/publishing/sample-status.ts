import { accept, reject, unreachable, type Decision } from '../shared/decision.js';
import type { Remark } from '../shared/remark.js';

/**
 * The status of a sample beside that of its pack. `free`: on sale whenever the pack is. `held`: not on sale until somebody has
 * decided. `refused`: not on sale. `taken_down`: nobody gets its file any more.
 */
export const SAMPLE_STATUSES = ['free', 'held', 'refused', 'taken_down'] as const;
export type SampleStatus = (typeof SAMPLE_STATUSES)[number];
type Withheld = Exclude<SampleStatus, 'free'>;

/** What a sample is withheld for: a suspected copy, a complaint, or an administrator's own decision. */
export interface Because {
  kind: 'copy' | 'complaint' | 'decision';
  id: string;
}

/**
 * What was decided about one recording, or waits to be. `released`: nothing is left of it. `allowed`: the recording may be
 * sold, though another creator published the same.
 */
type Claim = Withheld | 'released' | 'allowed';

/**
 * By sample, then by `claimKey`: the same sample with other audio is free, and with the former audio it is not. Samples
 * that left the pack are here, too: their buyers have the file.
 */
export type Claims = Readonly<Record<string, Readonly<Record<string, Claim>>>>;

/** A decision about one sample by staff or by a check, never by the pack's owner. */
export type SampleStatusCommand = { packId: string; sampleId: string; because: Because; now: string } & (
  | {
      type: 'HoldSample' | 'RefuseSample' | 'TakeDownSample';
      /** The hash of the original that is meant; absent: the present one. */
      sha256?: string;
      remark?: Remark;
    }
  /** Allowed: the recording may be sold, though another creator published the same. */
  | { type: 'ReleaseSample'; allowed?: boolean }
);

type Fact<Type extends string, Data> = {
  type: Type;
  data: { packId: string; at: string; sampleId: string; sha256: string; because: Because } & Data;
};

export type SampleStatusEvent =
  | Fact<'SampleHeld', Partial<Remark>>
  | Fact<'SampleRefused', Partial<Remark>>
  | Fact<'SampleTakenDown', Partial<Remark>>
  | Fact<'SampleReleased', { allowed?: true }>;

export const SAMPLE_STATUS_EVENT_TYPES = [
  'SampleHeld',
  'SampleRefused',
  'SampleTakenDown',
  'SampleReleased',
] as const satisfies readonly SampleStatusEvent['type'][];

const WITHHOLDING = {
  HoldSample: { type: 'SampleHeld', status: 'held' },
  RefuseSample: { type: 'SampleRefused', status: 'refused' },
  TakeDownSample: { type: 'SampleTakenDown', status: 'taken_down' },
} as const;

/** Of what it is about, and the hash of the original. */
export const claimKey = ({ kind, id }: Because, sha256: string): string => `${kind}:${id} ${sha256}`;

const severity = (claim: Claim | undefined): number =>
  Math.max(0, SAMPLE_STATUSES.indexOf(claim as SampleStatus));

const about = (claims: Claims, sampleId: string, sha256: string): Claim[] =>
  Object.entries(claims[sampleId] ?? {}).flatMap(([key, claim]) => (key.endsWith(sha256) ? claim : []));

/** The strictest of what stands against this recording. */
export const statusOf = (claims: Claims, sampleId: string, sha256: string): SampleStatus =>
  SAMPLE_STATUSES[Math.max(0, ...about(claims, sampleId, sha256).map(severity))] ?? 'free';

/** Whether it was decided that this recording may be sold. */
export const isAllowed = (claims: Claims, sampleId: string, sha256: string): boolean =>
  about(claims, sampleId, sha256).includes('allowed');

/**
 * A decision is not made milder by one that comes late or again: only a release does that, and after a release only a
 * decision withholds the recording for the same reason again.
 * @param recordings the hash of every sample that is or was in the pack
 */
export function decideOnClaim(
  command: SampleStatusCommand,
  { claims, recordings }: { claims: Claims; recordings: Readonly<Record<string, string>> },
): Decision<SampleStatusEvent, { code: 'NotFound' }> {
  const { packId, sampleId, because, now: at } = command;
  const present = recordings[sampleId];
  if (present === undefined) return reject({ code: 'NotFound' });
  const data = { packId, at, sampleId, because };
  if (command.type === 'ReleaseSample') {
    const allowed = command.allowed ? ({ allowed: true } as const) : {};
    const of = Object.entries(claims[sampleId] ?? {});
    const withheld = of.filter(
      ([key, claim]) => key.startsWith(claimKey(because, '')) && severity(claim) > 0,
    );
    return accept(
      ...withheld.map(([key]): SampleStatusEvent => ({
        type: 'SampleReleased',
        data: { ...data, sha256: key.slice(claimKey(because, '').length), ...allowed },
      })),
    );
  }
  const { type, status } = WITHHOLDING[command.type];
  const { sha256 = present } = command;
  const before = claims[sampleId]?.[claimKey(because, sha256)];
  const isLate = before !== undefined && (status === 'held' || severity(before) >= severity(status));
  return isLate ? accept() : accept({ type, data: { ...data, sha256, ...command.remark } });
}

export function evolveClaims(claims: Claims, event: SampleStatusEvent): Claims {
  const { sampleId, sha256, because } = event.data;
  const about = { ...claims[sampleId], [claimKey(because, sha256)]: claimAfter(event) };
  return { ...claims, [sampleId]: about };
}

export function claimAfter(event: SampleStatusEvent): Claim {
  switch (event.type) {
    case 'SampleHeld':
      return 'held';
    case 'SampleRefused':
      return 'refused';
    case 'SampleTakenDown':
      return 'taken_down';
    case 'SampleReleased':
      return event.data.allowed ? 'allowed' : 'released';
    default:
      return unreachable(event);
  }
}
