import { Command } from '@nestjs/cqrs';
import type { PlanId } from '../../domain/subscriptions/plans.js';
import type {
  ChangeFailure,
  SubscriptionRejection,
  ChangeRequest,
} from '../../domain/subscriptions/subscription.js';
import type { PaidInvoice } from '../payments/payment-gateway.js';
import type { EventMetadata } from '../shared/event-store.js';

/** Opens the page for paying for a first plan. */
export class StartCheckout extends Command<
  { accepted: true; url: string } | { accepted: false; rejection: SubscriptionRejection }
> {
  constructor(readonly listener: { userId: string; email: string; plan: PlanId }) {
    super();
  }
}

/** Brings a listener's stream in step with what the payment provider says now, and with an invoice that was paid. */
export class FollowSubscription extends Command<void> {
  constructor(
    readonly userId: string,
    readonly subscriptionId: string,
    readonly metadata: EventMetadata,
    readonly invoice?: PaidInvoice,
  ) {
    super();
  }
}

/** The provider's refusals of a change. */
type AskedInVain = Extract<ChangeFailure, 'PaymentDeclined' | 'ChangeRefused'>;

/** What a listener may request of a running subscription. */
export type { ChangeRequest } from '../../domain/subscriptions/subscription.js';

export type SubscriptionOutcome =
  /** `underWay`: reserved, and the provider has not reported an outcome yet. */
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

/**
 * Takes back a change that awaits its payer; does nothing where none does. Answers whether a change is under way still.
 */
export class WithdrawPendingChange extends Command<{ underWay: boolean }> {
  constructor(readonly userId: string) {
    super();
  }
}

/**
 * Finishes a change that its request left open. Answers whether there was one; fails while the outcome is unknown.
 */
export class FinishPlanChange extends Command<boolean> {
  constructor(readonly userId: string) {
    super();
  }
}
