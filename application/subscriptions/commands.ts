import { Command } from '@nestjs/cqrs';
import type { PlanId } from '../../domain/subscriptions/plans.js';
import type {
  ChangeFailure,
  SubscriptionRejection,
  ChangeRequest,
} from '../../domain/subscriptions/subscription.js';

/** Opens the page where a first plan is paid for. */
export class StartCheckout extends Command<
  { accepted: true; url: string } | { accepted: false; rejection: SubscriptionRejection }
> {
  constructor(readonly listener: { userId: string; email: string; plan: PlanId }) {
    super();
  }
}

/** What the provider may answer to a change. */
export type AskedInVain = Extract<ChangeFailure, 'PaymentDeclined' | 'ChangeRefused'>;

/** What a listener may ask of a running subscription. */
export type { ChangeRequest } from '../../domain/subscriptions/subscription.js';

export type SubscriptionOutcome =
  /** `underWay`: reserved, and the provider has not said yet what became of it. */
  | { accepted: true; underWay: boolean }
  | { accepted: false; rejection: SubscriptionRejection | { code: AskedInVain } };

export class ChangeSubscription extends Command<SubscriptionOutcome> {
  constructor(
    readonly userId: string,
    readonly request: ChangeRequest,
    /** Names the request: sent again, it goes on with the change it reserved. */
    readonly requestKey: string,
  ) {
    super();
  }
}
