import type { CreditBalance, CreditLinePage } from './contract.js';

/** The balance and movements of one user's credits. */
export abstract class CreditStatementQueries {
  abstract balance(userId: string): Promise<CreditBalance>;
  /** Newest first. */
  abstract lines(userId: string, page: { limit: number; cursor?: string }): Promise<CreditLinePage>;
}
