import type { Decider } from '../shared/decider.js';
import { accept, type Decision } from '../shared/decision.js';
import type { Because } from './sample-status.js';

/** Stream `strikes-{userId}`: what was taken down of a creator because it was another's. */
const streamOf = (userId: string): string => `strikes-${userId}`;

/** An older strike counts no more. */
const STRIKE_MS = 365 * 86_400_000;
/** With so many, administrators are asked whether to suspend the creator. */
export const STRIKES_TO_SUSPENSION = 3;

export interface RecordStrike {
  type: 'RecordStrike';
  userId: string;
  because: Because;
  by: string;
  now: string;
}

export interface StrikeRecorded {
  type: 'StrikeRecorded';
  data: { userId: string; because: Because; by: string; at: string };
}

export interface Strikes {
  of: readonly { because: Because; at: string }[];
}

/** Strikes at or before this moment count no more. */
export const expiredBefore = (now: Date): Date => new Date(now.getTime() - STRIKE_MS);

export const openStrikes = ({ of }: Strikes, now: Date): number =>
  of.filter(({ at }) => new Date(at) > expiredBefore(now)).length;

/** Once for each reason. */
function decide(
  { userId, because, by, now: at }: RecordStrike,
  { of }: Strikes,
): Decision<StrikeRecorded, never> {
  const known = of.some((strike) => strike.because.kind === because.kind && strike.because.id === because.id);
  return known ? accept() : accept({ type: 'StrikeRecorded', data: { userId, because, by, at } });
}

export const strikeDecider: Decider<RecordStrike, Strikes, StrikeRecorded, never> = {
  streamOf,
  initialState: { of: [] },
  decide,
  evolve: ({ of }, { data: { because, at } }) => ({ of: [...of, { because, at }] }),
};
