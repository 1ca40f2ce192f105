import type { Subscription } from './contract.js';

export abstract class SubscriptionQueries {
  /** Returns a listener's present subscription; `status: 'none'` before the first plan. */
  abstract current(userId: string): Promise<Subscription>;
}
