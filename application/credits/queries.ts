import type { CreditBalance, CreditLinePage } from './contract.js';

export abstract class CreditStatementQueries {
  abstract balance(userId: string): Promise<CreditBalance>;
  /** Returns whether a payment since a time lacks the consent that ends the right of withdrawal for spent credits. */
  abstract isConsentDue(userId: string, since: Date): Promise<boolean>;
  /** Lists the movements of a user's credits, newest first. */
  abstract lines(userId: string, page: { limit: number; cursor?: string }): Promise<CreditLinePage>;
}
