import type { Decision } from '../shared/decision.js';
import type { PlanId } from './plans.js';

/** What will happen at the end of the paid period. */
export type ScheduledChange =
  | { kind: 'cancel'; effectiveAt: string }
  | { kind: 'downgrade'; plan: PlanId; effectiveAt: string };

/** What a listener may request of a running subscription. */
export type ChangeRequest =
  | { type: 'ChangePlan'; plan: PlanId }
  | { type: 'ScheduleCancellation' }
  | { type: 'WithdrawScheduledChange' };

/** A bill that could not be collected, and how often that was tried. */
export interface OverdueInvoice {
  invoiceId: string;
  attempt: number;
}

/** What a dearer plan waits for: its invoice is open, and only the payer can pay it. */
export interface AwaitedPayment {
  invoiceId: string;
  /** The bank wants them to confirm, or the card was refused. */
  needs: 'confirmation' | 'another card';
  /** Then the provider forgets the change, and the invoice with it. */
  expiresAt: string;
}

/**
 * A change under way. It is recorded before we ask the provider, so that there is one at a time, and closed with
 * its outcome.
 */
export interface OpenChange {
  changeId: string;
  kind: 'upgrade' | 'downgrade' | 'cancel' | 'resume';
  /** The new plan; null for the kinds without one. */
  plan: PlanId | null;
  requestedAt: string;
  /** Identifies the request: a repetition finds its change. */
  requestKey: string;
  /** Null while the provider has not said that it needs the payer. */
  awaits: AwaitedPayment | null;
}

/** Why a change failed. */
export type ChangeFailure =
  | 'PaymentDeclined'
  | 'ChangeRefused'
  | 'ChangeAbandoned'
  | 'SubscriptionEnded'
  /** The payer let the time pass. */
  | 'PayerDidNotConfirm'
  /** It was taken back before its payer confirmed. */
  | 'ChangeWithdrawn';

interface Running {
  subscriptionId: string;
  plan: PlanId;
  /** The newest paid period; times are ISO 8601 UTC. */
  periodStart: string;
  periodEnd: string;
  scheduled: ScheduledChange | null;
  openChange: OpenChange | null;
  /** The newest attempt that failed; null when all is paid, and where that was not recorded yet. */
  overdue: OverdueInvoice | null;
}

/** One listener's subscriptions, one after the other: the stream `subscription-{userId}`. */
export type Subscription =
  | { status: 'None' }
  | ({ status: 'Active' } & Running)
  | ({ status: 'PastDue' } & Running)
  | { status: 'Ended'; subscriptionId: string; plan: PlanId; periodStart: string };

/** What the payment provider reports about a subscription now. */
export interface ProviderStatus {
  status: 'active' | 'past due' | 'ended' | 'incomplete';
  plan: PlanId;
  periodStart: string;
  periodEnd: string;
  cancelAtPeriodEnd: boolean;
  scheduledPlan: PlanId | null;
  /** A dearer plan that takes over once its payer has paid for it. */
  awaits: (AwaitedPayment & { plan: PlanId }) | null;
  overdue: OverdueInvoice | null;
  /** It ended because nobody paid. */
  unpaid: boolean;
}

export interface Period {
  plan: PlanId;
  periodStart: string;
  periodEnd: string;
}

export type SubscriptionCommand =
  /** A listener chooses a first plan; the paid invoice will be the fact. */
  | { type: 'Subscribe'; userId: string; plan: PlanId; now: string }
  /** Reserves a change. An upgrade acts at once for the full price, the others at the end of the period. */
  | {
      type: 'RequestChange';
      userId: string;
      request: ChangeRequest;
      changeId: string;
      requestKey: string;
      now: string;
    }
  /** The request to the provider ended. If the provider carried it out, only its answer failed. */
  | {
      type: 'CloseChange';
      userId: string;
      changeId: string;
      providerStatus: ProviderStatus | null;
      failure: ChangeFailure | null;
      now: string;
    }
  /** An invoice was paid: the first starts, a later one renews, one on a higher plan upgrades. */
  | ({
      type: 'RecordPaidInvoice';
      userId: string;
      subscriptionId: string;
      invoiceId: string;
      now: string;
    } & Period)
  /**
   * May come late, twice and out of order; we read the subscription afresh each time, so the newest report counts.
   */
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
  /** Once an attempt; before attempts were recorded, once a bill and without them. */
  | { type: 'PaymentFailed'; data: Subject & Partial<OverdueInvoice> }
  | { type: 'CancellationScheduled'; data: Subject & { effectiveAt: string } }
  | { type: 'CancellationWithdrawn'; data: Subject }
  | { type: 'DowngradeScheduled'; data: Subject & { plan: PlanId; effectiveAt: string } }
  | { type: 'DowngradeWithdrawn'; data: Subject }
  | { type: 'SubscriptionEnded'; data: Subject & { plan: PlanId; periodStart: string; unpaid?: true } }
  | { type: 'PlanChangeRequested'; data: Subject & Omit<OpenChange, 'requestedAt' | 'awaits'> }
  /** Again when the payer needs something else than before. */
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
