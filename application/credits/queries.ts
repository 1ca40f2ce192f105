import type { CreditBalance, CreditLinePage } from './contract.js';

/** One user's credits as they stand and as they moved. */
export abstract class CreditStatementQueries {
  abstract balance(userId: string): Promise<CreditBalance>;
  /** Newest first. */
  abstract lines(userId: string, page: { limit: number; cursor?: string }): Promise<CreditLinePage>;
}

/** What the rules of adjustments have to know. */
export abstract class AdjustmentQueries {
  abstract boughtFrom(asked: { buyerId: string; creatorId: string; since: Date }): Promise<boolean>;
  /**
   * What may still be made good of this user's lot or purchase, in micro-dollars: no more than it was worth, and for
   * all of them together no more than what the user paid and did not get back. Undefined: they have no such one.
   */
  abstract leftToMakeGood(userId: string, lotOrPurchaseId: string): Promise<number | undefined>;
  /** Of these adjustments, those that were declined or failed. */
  abstract undone(adjustmentIds: readonly string[]): Promise<ReadonlySet<string>>;
}
