import type { Subscription } from './contract.js';

export abstract class SubscriptionQueries {
  abstract current(userId: string): Promise<Subscription>;
}
