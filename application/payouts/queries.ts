import type {
  Payout,
  PayoutClaims,
  SalesUnderReview,
  SaleUnderReview,
  Statement,
  Statements,
  Split,
} from './contract.js';

export interface EarningsSums {
  /** Shares of sales past their hold. */
  releasedMicroUsd: number;
  /** Shares of sales in their hold, less those taken back. */
  heldMicroUsd: number;
  /** The part of `releasedMicroUsd` whose sales are under review, less shares taken back. */
  inDoubtMicroUsd: number;
  /** Released shares that were taken back, as a positive amount. */
  reversedMicroUsd: number;
  /** The time of the newest sale whose share is on hold. */
  lastHeldAt: Date | null;
}

export abstract class EarningsQueries {
  /** @param releasedBefore sales up to this time are past their hold */
  abstract sums(creatorId: string, releasedBefore: Date): Promise<EarningsSums>;
  /** Lists creators whose account in the books has been negative since before a time. */
  abstract owingSince(before: Date): Promise<string[]>;
  /** Lists creators whose account in the books moved between two times. Omits erased users. */
  abstract movedBetween(from: Date, to: Date): Promise<string[]>;
  /** Returns the sales that were the first sale of their creator. */
  abstract firstOf<Sale extends { creatorId: string; position: number }>(
    sales: readonly Sale[],
  ): Promise<Sale[]>;
}

export abstract class SplitQueries {
  /** Lists the splits that a creator proposed or was offered, newest first. */
  abstract list(
    userId: string,
    query: { limit: number; cursor?: string; packId?: string },
  ): Promise<{ items: Split[]; nextCursor: string | null }>;
  abstract find(splitId: string): Promise<Split | undefined>;
  /** Returns the id of the approved creator with a handle or a confirmed e-mail address. */
  abstract creatorNamed(handleOrEmail: string): Promise<string | undefined>;
}

export abstract class PayoutQueries {
  abstract find(creatorId: string, withdrawalId: string): Promise<Payout | undefined>;
  abstract inFlight(creatorId: string): Promise<Payout | undefined>;
  /** Lists a creator's payouts, newest first. */
  abstract list(creatorId: string, query: { limit: number; cursor?: string }): Promise<Statements>;
  /** Returns undefined for another creator's payout, and for a failed payout. */
  abstract statement(creatorId: string, withdrawalId: string): Promise<Statement | undefined>;
  abstract creatorOf(withdrawalId: string): Promise<string | undefined>;
  /** Lists withdrawals without an outcome, oldest first. */
  abstract unsettled(limit: number): Promise<{ creatorId: string; withdrawalId: string }[]>;
}

export abstract class PayoutClaimQueries {
  /** Finds a claim by the hash of its code. Undefined if the code is unknown or was replaced by a newer code. */
  abstract find(codeHash: string): Promise<{ creatorId: string; payableUntil: string } | undefined>;
  /** Lists claims, newest first. */
  abstract list(): Promise<PayoutClaims['items']>;
}

/**
 * Reads sales that brought more per credit than the highest price of a credit in any
 * product. Skips returned sales.
 */
export abstract class SalesUnderReviewQueries {
  /** Lists the sales, newest first. */
  abstract list(query: { limit: number; cursor?: string }): Promise<SalesUnderReview>;
  abstract find(purchaseId: string): Promise<SaleUnderReview | undefined>;
}
