import type { Payout, Statement, Statements } from './contract.js';

/** A creator's shares, in micro-dollars. */
export interface EarningsSums {
  /** Of sales past their hold. */
  releasedMicroUsd: number;
  /** Of sales in their hold, less those taken back. */
  heldMicroUsd: number;
  /** Of sales past their hold and taken back since, above zero. */
  reversedMicroUsd: number;
}

export abstract class EarningsReader {
  /** @param releasedBefore shares of sales up to here are past their hold */
  abstract sums(creatorId: string, releasedBefore: Date): Promise<EarningsSums>;
}

export abstract class PayoutReader {
  abstract find(creatorId: string, withdrawalId: string): Promise<Payout | undefined>;
  abstract inFlight(creatorId: string): Promise<Payout | undefined>;
  /** Newest first. */
  abstract list(creatorId: string, query: { limit: number; cursor?: string }): Promise<Statements>;
  /** Undefined for somebody else's, and for one that failed: nothing was paid. */
  abstract statement(creatorId: string, withdrawalId: string): Promise<Statement | undefined>;
  abstract creatorOf(withdrawalId: string): Promise<string | undefined>;
  /** Withdrawals without an outcome, oldest first. */
  abstract unsettled(limit: number): Promise<{ creatorId: string; withdrawalId: string }[]>;
}
