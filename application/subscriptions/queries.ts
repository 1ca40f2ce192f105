import type { Subscription } from './contract.js';

export abstract class SubscriptionQueries {
  /** What a listener has now; `status: 'none'` before the first plan. */
  abstract current(userId: string): Promise<Subscription>;
}
