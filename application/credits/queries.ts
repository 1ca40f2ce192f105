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
  /** Of these adjustments, those that were declined or failed. */
  abstract undone(adjustmentIds: readonly string[]): Promise<ReadonlySet<string>>;
}
