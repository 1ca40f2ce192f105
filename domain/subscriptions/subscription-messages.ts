import type { Decision } from '../shared/decision.js';
import type { PlanId } from './plans.js';

/** The change at the end of the paid period. */
export type ScheduledChange =
  | { kind: 'cancel'; effectiveAt: string }
  | { kind: 'downgrade'; plan: PlanId; effectiveAt: string };

export type ChangeRequest =
  | { type: 'ChangePlan'; plan: PlanId }
  | { type: 'ScheduleCancellation' }
  | { type: 'WithdrawScheduledChange' };

/** An invoice that could not be collected, and the number of attempts. */
export interface OverdueInvoice {
  invoiceId: string;
  attempt: number;
}

/** The open invoice of an upgrade, which only the payer can pay. */
export interface AwaitedPayment {
  invoiceId: string;
  /** The bank wants a confirmation, or the card was refused. */
  needs: 'confirmation' | 'another card';
  /** At this time the provider drops the change and its invoice. */
  expiresAt: string;
}

/** A change is recorded before we ask the provider, so that only one change is open. The outcome closes the change. */
export interface OpenChange {
  changeId: string;
  kind: 'upgrade' | 'downgrade' | 'cancel' | 'resume';
  /** The new plan. Null for kinds of changes without one. */
  plan: PlanId | null;
  requestedAt: string;
  /** Identifies the request, so that a repeated request finds its change. */
  requestKey: string;
  /** Null until the provider reports that the payer must act. */
  awaits: AwaitedPayment | null;
}

export type ChangeFailure =
  | 'PaymentDeclined'
  | 'ChangeRefused'
  | 'ChangeAbandoned'
  | 'SubscriptionEnded'
  /** The payer did not pay in time. */
  | 'PayerDidNotConfirm'
  /** The change was withdrawn before the payer confirmed. */
  | 'ChangeWithdrawn';

interface Running {
  subscriptionId: string;
  plan: PlanId;
  /** The newest paid period; times are ISO 8601 UTC. */
  periodStart: string;
  periodEnd: string;
  scheduled: ScheduledChange | null;
  openChange: OpenChange | null;
  /** The newest failed attempt. Null if all is paid, and in older events without attempts. */
  overdue: OverdueInvoice | null;
}

/** A listener's subscriptions in sequence: the stream `subscription-{userId}`. */
export type Subscription =
  | { status: 'None' }
  | ({ status: 'Active' } & Running)
  | ({ status: 'PastDue' } & Running)
  | { status: 'Ended'; subscriptionId: string; plan: PlanId; periodStart: string };

/** The provider's current report about a subscription. */
export interface ProviderStatus {
  status: 'active' | 'past due' | 'ended' | 'incomplete';
  plan: PlanId;
  periodStart: string;
  periodEnd: string;
  cancelAtPeriodEnd: boolean;
  scheduledPlan: PlanId | null;
  /** A more expensive plan that starts once its payer has paid. */
  awaits: (AwaitedPayment & { plan: PlanId }) | null;
  overdue: OverdueInvoice | null;
  /** The subscription ended because an invoice was not paid. */
  unpaid: boolean;
}

export interface Period {
  plan: PlanId;
  periodStart: string;
  periodEnd: string;
}

export type SubscriptionCommand =
  /** A listener chooses a first plan. Records nothing: the paid invoice starts the subscription. */
  | { type: 'Subscribe'; userId: string; plan: PlanId; now: string }
  /** Opens a change. Upgrades apply at once for the full price, downgrades and cancellations when the period ends. */
  | {
      type: 'RequestChange';
      userId: string;
      request: ChangeRequest;
      changeId: string;
      requestKey: string;
      now: string;
    }
  /** Closes a change whose request ended. If the provider's status shows the change as done, a failure is ignored. */
  | {
      type: 'CloseChange';
      userId: string;
      changeId: string;
      providerStatus: ProviderStatus | null;
      failure: ChangeFailure | null;
      now: string;
    }
  /** The first paid invoice starts the subscription. A later one renews it, or upgrades it if the plan is higher. */
  | ({
      type: 'RecordPaidInvoice';
      userId: string;
      subscriptionId: string;
      invoiceId: string;
      now: string;
    } & Period)
  /** Webhooks may come late, twice and out of order, so we read the subscription from the provider each time. */
  | {
      type: 'RecordProviderStatus';
      userId: string;
      subscriptionId: string;
      providerStatus: ProviderStatus;
      now: string;
    };

export interface Subject {
  userId: string;
  subscriptionId: string;
  at: string;
}

export type SubscriptionEvent =
  | { type: 'SubscriptionStarted'; data: Subject & Period & { invoiceId: string } }
  | { type: 'SubscriptionRenewed'; data: Subject & Period & { invoiceId: string } }
  | { type: 'SubscriptionUpgraded'; data: Subject & Period & { fromPlan: PlanId } }
  /** One event per attempt. Older logs have one event per invoice, without the attempt. */
  | { type: 'PaymentFailed'; data: Subject & Partial<OverdueInvoice> }
  | { type: 'CancellationScheduled'; data: Subject & { effectiveAt: string } }
  | { type: 'CancellationWithdrawn'; data: Subject }
  | { type: 'DowngradeScheduled'; data: Subject & { plan: PlanId; effectiveAt: string } }
  | { type: 'DowngradeWithdrawn'; data: Subject }
  | { type: 'SubscriptionEnded'; data: Subject & { plan: PlanId; periodStart: string; unpaid?: true } }
  | { type: 'PlanChangeRequested'; data: Subject & Omit<OpenChange, 'requestedAt' | 'awaits'> }
  /** Recorded again if the payer needs to do something else. */
  | { type: 'PlanChangeAwaitsPayer'; data: Subject & { changeId: string } & AwaitedPayment }
  | { type: 'PlanChangeCompleted'; data: Subject & { changeId: string } }
  | { type: 'PlanChangeFailed'; data: Subject & { changeId: string; reason: ChangeFailure } };

export type SubscriptionRejection =
  | { code: 'SubscriptionExists'; plan: PlanId }
  | { code: 'NoSubscription' }
  | { code: 'PlanUnchanged'; plan: PlanId }
  | { code: 'PaymentOverdue'; plan: PlanId }
  | { code: 'ChangePending'; kind: OpenChange['kind']; plan: PlanId | null; requestedAt: string }
  | { code: 'NothingScheduled' };

export type Answer = Decision<SubscriptionEvent, SubscriptionRejection>;

export type RunningSubscription = Extract<Subscription, { status: 'Active' | 'PastDue' }>;

export const isRunning = (subscription: Subscription): subscription is RunningSubscription =>
  subscription.status === 'Active' || subscription.status === 'PastDue';
