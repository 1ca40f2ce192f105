import type { ProviderBalances, TieOut } from './tie-out-contract.js';

/** A comparison of the books with a report of the payment provider's balance that was kept. */
export interface KeptTieOut {
  id: string;
  doneAt: Date;
  /** What neither side explains; 0 where all of the report is in the books and the reverse. */
  unexplainedMicroUsd: number;
}

/** The comparisons that were kept. */
export abstract class TieOuts {
  /** The newest whose report covers a month (UTC, such as `2026-10`) to its end; undefined: there is none. */
  abstract covering(month: string): Promise<KeptTieOut | undefined>;
  /** Newest first. */
  abstract list(limit: number): Promise<TieOut[]>;
  /** The provider's own balance as it was asked for last, beside that of the books then. */
  abstract balances(): Promise<ProviderBalances['items']>;
}
