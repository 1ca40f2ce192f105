import { accept, type Decider } from '../shared/decision.js';
import type { Reason } from '../shared/remark.js';

export interface IgnoredHeads {
  approvalId: string;
  /** The position of the last event in the backup. */
  position: number;
  /** Hours, such as `2026-11-20T14`, whose signed head contradicts the restored log. Checks ignore these heads. */
  heads: readonly string[];
  by: string;
  approvedBy: string;
}

/** A restore, signed with the key that signs the log, so that an owner of the database cannot forge it. */
export interface LogRestore extends IgnoredHeads, Reason {
  signedAt: string;
  /** The id of the signing key. Absent for the key that is stored in the database. */
  keyId?: string;
  /** The Ed25519 signature in base64url. */
  signature: string;
}

export type RecordRestore = { type: 'RecordRestore'; restore: LogRestore; now: string };
export type LogRestored = { type: 'LogRestored'; data: LogRestore & { at: string } };

type Restores = readonly LogRestored['data'][];

/** Stream `log-restores`: the backups that replaced the log. Checks ignore the signed heads of the hours `heads`. */
export const logRestoreDecider: Decider<RecordRestore, Restores, LogRestored, never, void> = {
  streamOf: () => 'log-restores',
  initialState: [],
  decide: ({ restore, now: at }, restores) => {
    if (restores.some(({ approvalId }) => approvalId === restore.approvalId)) return accept();
    return accept<LogRestored>({ type: 'LogRestored', data: { ...restore, at } });
  },
  evolve: (restores, { data }) => [...restores, data],
};

interface SkippedEvent {
  subscription: string;
  position: number;
  reason: string;
  /** The user id of an administrator. */
  by: string;
}

type SkippedEventCommand = { type: 'SkipParkedEvent'; now: string } & SkippedEvent;
type SkippedEventEvent = { type: 'ParkedEventSkipped'; data: SkippedEvent & { at: string } };

/**
 * Stream `log-subscription-{name}`: the events that the log subscription failed to process and set aside, and that
 * an administrator then skipped.
 */
export const skippedEventDecider: Decider<
  SkippedEventCommand,
  ReadonlySet<number>,
  SkippedEventEvent,
  never
> = {
  streamOf: (subscription) => `log-subscription-${subscription}`,
  initialState: new Set(),
  /** Skipping an event again has no effect: the first reason stays. */
  decide: ({ type: _, now: at, ...skip }, skipped) =>
    skipped.has(skip.position) ? accept() : accept({ type: 'ParkedEventSkipped', data: { ...skip, at } }),
  evolve: (skipped, { data }) => new Set([...skipped, data.position]),
};
