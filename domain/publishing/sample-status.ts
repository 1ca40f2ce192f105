import { accept, reject, type Decision } from '../shared/decision.js';
import type { Remark } from '../shared/remark.js';

/**
 * The status of a sample, separate from its pack's:
 * - `free`: on sale whenever the pack is
 * - `held`: off sale until a decision
 * - `refused`: off sale
 * - `taken_down`: the file is closed to everyone
 */
export const SAMPLE_STATUSES = ['free', 'held', 'refused', 'taken_down'] as const;
export type SampleStatus = (typeof SAMPLE_STATUSES)[number];
type Withheld = Exclude<SampleStatus, 'free'>;

/** Why a sample is withheld: a suspected copy, a complaint, or an administrator's decision. */
export interface StatusCause {
  kind: 'copy' | 'complaint' | 'decision';
  id: string;
}

/** `released`: no longer withheld. `allowed`: may be sold although another creator published the recording first. */
type Claim = Withheld | 'released' | 'allowed';

/** Claims by sample and `claimKey`, each about one recording. Includes removed samples, which buyers may own. */
export type Claims = Readonly<Record<string, Readonly<Record<string, Claim>>>>;

/** A decision about one sample by staff or an automatic check, never by the pack's creator. */
export type SampleStatusCommand = { packId: string; sampleId: string; because: StatusCause; now: string } & (
  | {
      type: 'HoldSample' | 'RefuseSample' | 'TakeDownSample';
      /** The hash of the original that the decision is about. Default: the current original. */
      sha256?: string;
      remark?: Remark;
    }
  /** `allowed`: the recording may be sold although another creator published it, too. */
  | { type: 'ReleaseSample'; allowed?: boolean }
);

type Fact<Type extends string, Data> = {
  type: Type;
  data: { packId: string; at: string; sampleId: string; sha256: string; because: StatusCause } & Data;
};

export type SampleStatusEvent =
  | Fact<'SampleHeld', Partial<Remark>>
  | Fact<'SampleRefused', Partial<Remark>>
  | Fact<'SampleTakenDown', Partial<Remark>>
  | Fact<'SampleReleased', { allowed?: true }>;

const WITHHOLDING = {
  HoldSample: 'SampleHeld',
  RefuseSample: 'SampleRefused',
  TakeDownSample: 'SampleTakenDown',
} as const;
const CLAIMS = { SampleHeld: 'held', SampleRefused: 'refused', SampleTakenDown: 'taken_down' } as const;

export const claimKey = ({ kind, id }: StatusCause, sha256: string): string => `${kind}:${id} ${sha256}`;

const severity = (claim: Claim | undefined): number =>
  Math.max(0, SAMPLE_STATUSES.indexOf(claim as SampleStatus));

const about = (claims: Claims, sampleId: string, sha256: string): Claim[] =>
  Object.entries(claims[sampleId] ?? {}).flatMap(([key, claim]) => (key.endsWith(sha256) ? claim : []));

/** Returns the status of the strictest claim against this recording. */
export const statusOf = (claims: Claims, sampleId: string, sha256: string): SampleStatus =>
  SAMPLE_STATUSES[Math.max(0, ...about(claims, sampleId, sha256).map(severity))] ?? 'free';

export const isAllowed = (claims: Claims, sampleId: string, sha256: string): boolean =>
  about(claims, sampleId, sha256).includes('allowed');

/** Claims only become stricter, except by a release. After a release, a hold for the same cause has no effect. */
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
  const type = WITHHOLDING[command.type];
  const status = CLAIMS[type];
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

export const claimAfter = (event: SampleStatusEvent): Claim =>
  event.type === 'SampleReleased' ? (event.data.allowed ? 'allowed' : 'released') : CLAIMS[event.type];
