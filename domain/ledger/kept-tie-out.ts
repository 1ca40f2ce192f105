import { accept, type Decision, type Decider } from '../shared/decision.js';

/** Stream `tie-out-{sha256}`: the results of comparing one report of the provider's balance with the books. */
const streamOf = (sha256: string): string => `tie-out-${sha256}`;

export interface TieOutFindings {
  /** Hash of the report's text, hex. */
  sha256: string;
  /** The period of the report: from inclusive, to exclusive. */
  from: string;
  to: string;
  isOver: boolean;
  matched: number;
  stripeMicroUsd: number;
  booksMicroUsd: number;
  onlyAtStripe: number;
  onlyInBooks: number;
  /** The sum of absolute amounts that only one side has. */
  unexplainedMicroUsd: number;
  open: { side: 'stripe' | 'books'; id: string; what: string; at: string; amountMicroUsd: number }[];
}

export interface SignedTieOut extends TieOutFindings {
  by: string;
  at: string;
  /** The key of the signature. If absent, the first key. */
  keyId?: string;
  /** Ed25519, base64url. */
  signature: string;
}

export type TieOutCommand = { type: 'KeepTieOut'; tieOut: SignedTieOut };
export type TieOutEvent = { type: 'TieOutDone'; data: SignedTieOut };
export type TieOutState = TieOutFindings | undefined;

function decide({ tieOut }: TieOutCommand, known: TieOutState): Decision<TieOutEvent, never> {
  return known && findingsOf(known) === findingsOf(tieOut)
    ? accept()
    : accept<TieOutEvent>({ type: 'TieOutDone', data: tieOut });
}

/** Returns the findings as text in a fixed order, for comparison and signature. */
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
