import type { ChainVerdict } from '../operations/verify-chain.js';
import type { Breach } from './queries.js';

export interface ProofFault extends Breach {
  position?: number;
}

// Parts of the books that are checked completely once a week.
export const LOG_CHAIN = 'log';
export const EVENT_RULES = 'rules';
export const FILES = 'files';
/** The part of the log that nightly checks have proven. The next check continues at its position. */
export const CONTINUED_PROOF = 'new events';

export const readModelPart = (name: string): string => `read model ${name}`;

export const faultsOfChain = (chain: ChainVerdict): (Breach & { position: number })[] => {
  if (chain.verified) return [];
  const { position, reason, detail } = chain;
  return [{ invariant: reason === 'gap' ? 16 : 17, detail: `position ${position}: ${detail}`, position }];
};

/** @param rows the number of rows that differ from the log */
export const faultsOfDrift = (readModel: string, rows: number): Breach[] =>
  rows === 0 ? [] : [{ invariant: 18, detail: `${rows} rows of ${readModel} differ from the log` }];

/** Returns the proof of a part that one check read completely. */
export const completeProof = (
  part: string,
  beganAt: Date,
  finishedAt: Date | null,
  faults: readonly ProofFault[],
): BookProof => ({ part, position: 0, hash: '', beganAt, finishedAt, faults });

export interface BookProof {
  part: string;
  /** The position where the current round continues, and the hash of that event. Empty before the first event. */
  position: number;
  hash: string;
  beganAt: Date;
  /** When the last complete round ended. */
  finishedAt: Date | null;
  /** Faults that still existed when their place was last checked. */
  faults: readonly ProofFault[];
}

export const isUnderWay = ({ beganAt, finishedAt }: BookProof): boolean =>
  finishedAt === null || finishedAt < beganAt;

export abstract class BookProofs {
  abstract list(): Promise<Map<string, BookProof>>;
  abstract keep(proof: BookProof): Promise<void>;
}

export class ProofLimits {
  /** Each check reads the whole log if the log has at most this many events. */
  readonly smallLog: number = 100_000;
  /** The number of events in a slice of the weekly proof. */
  readonly slice: number = 1_000_000;
}
