import { Command } from '@nestjs/cqrs';
import type { PlanId } from '../../domain/subscriptions/plans.js';
import type {
  ChangeFailure,
  SubscriptionRejection,
  ChangeRequest,
} from '../../domain/subscriptions/subscription.js';
import type { PaidInvoice } from '../payments/payment-gateway.js';
import type { EventMetadata } from '../shared/event-store.js';

export class StartCheckout extends Command<
  { accepted: true; url: string } | { accepted: false; rejection: SubscriptionRejection }
> {
  constructor(readonly listener: { userId: string; email: string; plan: PlanId }) {
    super();
  }
}

/** Records the provider's present state of a subscription, and a paid invoice, in the listener's stream. */
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

type RefusedChange = Extract<ChangeFailure, 'PaymentDeclined' | 'ChangeRefused'>;

export type { ChangeRequest } from '../../domain/subscriptions/subscription.js';

export type SubscriptionOutcome =
  /** `underWay`: reserved, but the provider has not reported an outcome yet. */
  | { accepted: true; underWay: boolean }
  | { accepted: false; rejection: SubscriptionRejection | { code: RefusedChange } };

export class ChangeSubscription extends Command<SubscriptionOutcome> {
  constructor(
    readonly userId: string,
    readonly request: ChangeRequest,
    /** Identifies the request. A repeated request resumes the change that it reserved. */
    readonly requestKey: string,
  ) {
    super();
  }
}

/** Withdraws a change that awaits its payer, if there is one. Answers whether a change is still under way. */
export class WithdrawPendingChange extends Command<{ underWay: boolean }> {
  constructor(readonly userId: string) {
    super();
  }
}

/** Finishes a change that its request left open. Answers whether it was closed. Fails while the outcome is unknown. */
export class FinishPlanChange extends Command<boolean> {
  constructor(readonly userId: string) {
    super();
  }
}
