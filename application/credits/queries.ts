import type { CreditBalance, CreditLinePage } from './contract.js';

/** The balance and movements of one user's credits. */
export abstract class CreditStatementQueries {
  abstract balance(userId: string): Promise<CreditBalance>;
  /** Newest first. */
  abstract lines(userId: string, page: { limit: number; cursor?: string }): Promise<CreditLinePage>;
}

/** Facts for the rules of adjustments. */
export abstract class AdjustmentQueries {
  abstract boughtFrom(asked: { buyerId: string; creatorId: string; since: Date }): Promise<boolean>;
  /** @returns those of these adjustments that were declined or failed */
  abstract undone(adjustmentIds: readonly string[]): Promise<ReadonlySet<string>>;
}
