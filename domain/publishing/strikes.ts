import { accept, type Decision, type Decider } from '../shared/decision.js';
import type { StatusCause } from './sample-status.js';

/** Strikes older than this do not count. */
const STRIKE_MS = 365 * 86_400_000;
/** At this number of strikes, administrators are asked whether to suspend the creator. */
export const STRIKES_TO_SUSPENSION = 3;

export interface DecideOnStrike {
  type: 'RecordStrike' | 'LiftStrike';
  userId: string;
  because: StatusCause;
  by: string;
  now: string;
}

type Fact<Type extends string> = {
  type: Type;
  data: { userId: string; because: StatusCause; by: string; at: string };
};
export type StrikeRecorded = Fact<'StrikeRecorded'>;
export type StrikeEvent = StrikeRecorded | Fact<'StrikeLifted'>;

export interface Strikes {
  of: readonly { because: StatusCause; at: string }[];
  /** Lifted strikes, kept so that a reactor that runs twice does not record them again. */
  lifted: readonly StatusCause[];
}

/** Strikes at or before the returned time no longer count. */
export const expiredBefore = (now: Date): Date => new Date(now.getTime() - STRIKE_MS);

export const openStrikes = ({ of }: Pick<Strikes, 'of'>, now: Date): number =>
  of.filter(({ at }) => new Date(at) > expiredBefore(now)).length;

const isSame = (one: StatusCause, other: StatusCause): boolean =>
  one.kind === other.kind && one.id === other.id;

function decide(
  { type, userId, because, by, now: at }: DecideOnStrike,
  { of, lifted }: Strikes,
): Decision<StrikeEvent, never> {
  const isOpen = of.some((strike) => isSame(strike.because, because));
  const data = { userId, because, by, at };
  if (type === 'LiftStrike') return isOpen ? accept({ type: 'StrikeLifted', data }) : accept();
  const known = isOpen || lifted.some((each) => isSame(each, because));
  return known ? accept() : accept({ type: 'StrikeRecorded', data });
}

function evolve({ of, lifted }: Strikes, { type, data: { because, at } }: StrikeEvent): Strikes {
  return type === 'StrikeRecorded'
    ? { of: [...of, { because, at }], lifted }
    : { of: of.filter((strike) => !isSame(strike.because, because)), lifted: [...lifted, because] };
}

/** Stream `strikes-{userId}`: a creator's recordings that were taken down because they belonged to another creator. */
export const strikeDecider: Decider<DecideOnStrike, Strikes, StrikeEvent, never> = {
  streamOf: (userId) => `strikes-${userId}`,
  initialState: { of: [], lifted: [] },
  decide,
  evolve,
};
