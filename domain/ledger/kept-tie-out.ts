import type { Decider } from '../shared/decider.js';
import { accept, type Decision } from '../shared/decision.js';

/** Stream `tie-out-{sha256}`: what comparing a report of the provider's balance with the books came to. */
const streamOf = (sha256: string): string => `tie-out-${sha256}`;

/** The comparison of the books with one report. */
export interface TieOutFindings {
  /** Of the report's text, hex. */
  sha256: string;
  /** What the report covers: from inclusive, to exclusive. */
  from: string;
  to: string;
  /** Whether that time was over. */
  isOver: boolean;
  matched: number;
  stripeMicroUsd: number;
  booksMicroUsd: number;
  onlyAtStripe: number;
  onlyInBooks: number;
  /** What only one side has, without signs; 0 where each has what the other has. */
  unexplainedMicroUsd: number;
  /** The first of what only one side has. */
  open: { side: 'stripe' | 'books'; id: string; what: string; at: string; amountMicroUsd: number }[];
}

export interface SignedTieOut extends TieOutFindings {
  by: string;
  at: string;
  /** The key that signed it; absent: the first one. */
  keyId?: string;
  /** Ed25519, base64url. */
  signature: string;
}

export type TieOutCommand = { type: 'KeepTieOut'; tieOut: SignedTieOut };
export type TieOutEvent = { type: 'TieOutDone'; data: SignedTieOut };
export type TieOutState = TieOutFindings | undefined;

/** The same report with the same findings is kept once. */
function decide({ tieOut }: TieOutCommand, known: TieOutState): Decision<TieOutEvent, never> {
  return known && findingsOf(known) === findingsOf(tieOut)
    ? accept()
    : accept<TieOutEvent>({ type: 'TieOutDone', data: tieOut });
}

/** As text, in a fixed order: this is compared and signed. */
export const findingsOf = (tieOut: TieOutFindings): string =>
  JSON.stringify([
    tieOut.sha256,
    tieOut.from,
    tieOut.to,
    tieOut.isOver,
    tieOut.matched,
    tieOut.stripeMicroUsd,
    tieOut.booksMicroUsd,
    tieOut.onlyAtStripe,
    tieOut.onlyInBooks,
    tieOut.unexplainedMicroUsd,
    tieOut.open.map(({ side, id, what, at, amountMicroUsd }) => [side, id, what, at, amountMicroUsd]),
  ]);

export const tieOutDecider: Decider<TieOutCommand, TieOutState, TieOutEvent, never> = {
  streamOf,
  initialState: undefined,
  decide,
  evolve: (_, { data }) => data,
};
