import { accept, type Decider } from '../shared/decision.js';

export interface TieOutFindings {
  /** The SHA-256 of the report's text in hex. */
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
  /**
   * The sum of the absolute amounts in dollars of items that only the report or only the books have. Items in other
   * currencies count 0.
   */
  unexplainedMicroUsd: number;
  open: {
    side: 'stripe' | 'books';
    id: string;
    what: string;
    at: string;
    amountMicroUsd: number;
    /** Present if the item is in another currency. The amount above is then 0. */
    foreign?: { currency: string; amountMicro: number };
  }[];
}

export interface KeptTieOut extends TieOutFindings {
  by: string;
  at: string;
  /** Only in events of earlier versions, which signed each result. */
  keyId?: string;
  signature?: string;
}

export type TieOutEvent = { type: 'TieOutDone'; data: KeptTieOut };

/** Returns the findings as text in a fixed order, for comparison. */
const findingsOf = (tieOut: TieOutFindings): string =>
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
    tieOut.open.map(({ side, id, what, at, amountMicroUsd, foreign }) => [
      side,
      id,
      what,
      at,
      amountMicroUsd,
      ...(foreign ? [foreign.currency, foreign.amountMicro] : []),
    ]),
  ]);

/** Stream `tie-out-{sha256}`: the results of comparing one report of the provider's balance with the books. */
export const tieOutDecider: Decider<
  { type: 'KeepTieOut'; tieOut: KeptTieOut },
  TieOutFindings | undefined,
  TieOutEvent,
  never
> = {
  streamOf: (sha256) => `tie-out-${sha256}`,
  initialState: undefined,
  decide: ({ tieOut }, known) =>
    known && findingsOf(known) === findingsOf(tieOut)
      ? accept()
      : accept({ type: 'TieOutDone', data: tieOut }),
  evolve: (_, { data }) => data,
};
