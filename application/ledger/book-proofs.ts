import type { Breach } from './audit-log.js';

/** What was found wrong. `position`: of the event, where there is one. */
export interface ProofFault extends Breach {
  position?: number;
}

// The parts of the books that are gone through whole once a week.
/** The hashes of all events. */
export const LOG_CHAIN = 'log';
/** The rules that judge each event. */
export const EVENT_RULES = 'rules';
export const FILES = 'files';
/** Followed by its name. */
const READ_MODEL = 'read model ';
/** What each check proves behind the last one, up to the position from which the next goes on. */
export const CONTINUED_PROOF = 'new events';

export const readModelPart = (name: string): string => READ_MODEL + name;

/** How far a part is proven. */
export interface BookProof {
  part: string;
  /** Where the round under way goes on, and the hash of the event there (empty before the first). */
  position: number;
  hash: string;
  /** Of the round under way; if none is, of the last one. */
  beganAt: Date;
  /** When a round was finished last. */
  finishedAt: Date | null;
  /** What was found wrong, and was not found right since. */
  faults: readonly ProofFault[];
}

export const isUnderWay = ({ beganAt, finishedAt }: BookProof): boolean =>
  finishedAt === null || finishedAt < beganAt;

/** How far the books are proven, a row for each part. */
export abstract class BookProofs {
  abstract list(): Promise<Map<string, BookProof>>;
  abstract keep(proof: BookProof): Promise<void>;
}

/** How much of the log is looked at, in events. */
export class ProofLimits {
  /** A log of so many is proven whole in each check. */
  readonly smallLog: number = 100_000;
  /** A slice of the weekly proof reads so many. */
  readonly slice: number = 1_000_000;
}
