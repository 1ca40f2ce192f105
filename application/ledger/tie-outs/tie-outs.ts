import type { ProviderBalances, TieOut } from './tie-out-contract.js';

export interface KeptTieOut {
  id: string;
  doneAt: Date;
  /** The number of items that only the report or only the books have, in all currencies. */
  open: number;
  unexplainedMicroUsd: number;
}

export abstract class TieOuts {
  /** Returns the newest comparison whose report covers a month (UTC, such as `2026-10`) to its end. */
  abstract covering(month: string): Promise<KeptTieOut | undefined>;
  /** Lists comparisons, newest first. */
  abstract list(limit: number): Promise<TieOut[]>;
  /** Returns the last known balances at the provider, each with the balance of the books at the same time. */
  abstract balances(): Promise<ProviderBalances['items']>;
}
