import type { ChainVerdict } from '../operations/verify-chain.js';
import type { Breach } from './queries.js';

export interface ProofFault extends Breach {
  position?: number;
}

// Parts of the books that are checked completely once a week.
export const LOG_CHAIN = 'log';
export const EVENT_RULES = 'rules';
export const FILES = 'files';
/**
 * The proof of new events: a nightly check of a large log continues at the last signed head that the last check
 * without faults covered.
 */
export const CONTINUED_PROOF = 'new events';

export const readModelPart = (name: string): string => `read model ${name}`;

export const faultsOfChain = (chain: ChainVerdict): (Breach & { position: number })[] => {
  if (chain.verified) return [];
  const { position, reason, detail } = chain;
  return [{ invariant: reason === 'gap' ? 16 : 17, detail: `position ${position}: ${detail}`, position }];
};

export const faultsOfDrift = (readModel: string, rows: number): Breach[] =>
  rows === 0 ? [] : [{ invariant: 18, detail: `${rows} rows of ${readModel} differ from the log` }];

/** Returns a proof at position 0: the next check of the part does not continue where this one ended. */
export const completeProof = (
  part: string,
  beganAt: Date,
  finishedAt: Date | null,
  faults: readonly ProofFault[],
): BookProof => ({ part, position: 0, hash: '', beganAt, finishedAt, faults });

export interface BookProof {
  part: string;
  /** The event at which the current round of checks continues, and its hash. 0 and empty at the start of the log. */
  position: number;
  hash: string;
  beganAt: Date;
  /** When the last complete round ended. */
  finishedAt: Date | null;
  /** Known faults. Each stays until a later check of the same place finds it fixed. */
  faults: readonly ProofFault[];
}

export const isUnderWay = ({ beganAt, finishedAt }: BookProof): boolean =>
  finishedAt === null || finishedAt < beganAt;

export abstract class BookProofs {
  abstract list(): Promise<Map<string, BookProof>>;
  abstract keep(proof: BookProof): Promise<void>;
}

export class ProofLimits {
  /** Each check reads the log completely while the log has at most this many events. */
  readonly smallLog: number = 100_000;
  /** The number of events in a slice of the weekly proof. */
  readonly slice: number = 1_000_000;
}
