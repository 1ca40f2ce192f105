import type { Decider } from '../shared/decider.js';
import { accept } from '../shared/decision.js';
import type { Reason } from '../shared/remark.js';

export interface ExcusedHeads {
  approvalId: string;
  /** The last event that the backup had. */
  position: number;
  /** The hours of the signed heads after it that contradict the restored log. */
  heads: readonly string[];
  by: string;
  approvedBy: string;
}

/** The excuse, signed with the key of the heads: an owner of the database who rewrites the log cannot write one. */
export interface LogRestore extends ExcusedHeads, Reason {
  signedAt: string;
  /** Absent: the key in the database. */
  keyId?: string;
  /** Ed25519, base64url. */
  signature: string;
}

export type RecordRestore = { type: 'RecordRestore'; restore: LogRestore; now: string };
export type LogRestored = { type: 'LogRestored'; data: LogRestore & { at: string } };

type Restores = readonly LogRestored['data'][];

/** Stream `log-restores`: the backups that replaced the log, and the signed heads that each of them excuses. */
export const logRestoreDecider: Decider<RecordRestore, Restores, LogRestored, never, void> = {
  streamOf: () => 'log-restores',
  initialState: [],
  decide: ({ restore, now: at }, restores) => {
    if (restores.some(({ approvalId }) => approvalId === restore.approvalId)) return accept();
    return accept<LogRestored>({ type: 'LogRestored', data: { ...restore, at } });
  },
  evolve: (restores, { data }) => [...restores, data],
};
