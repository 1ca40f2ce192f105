import { accept, reject, unreachable, type Decision } from '../shared/decision.js';
import { planDistance, type PlanId } from './plans.js';

/** What was decided to happen when the paid period ends. */
export type ScheduledChange =
  { kind: 'cancel'; effectiveAt: string } | { kind: 'downgrade'; plan: PlanId; effectiveAt: string };

interface Running {
  subscriptionId: string;
  plan: PlanId;
  /** The newest period that was paid for; times are ISO 8601 UTC. */
  periodStart: string;
  periodEnd: string;
  scheduled: ScheduledChange | null;
}

/** One listener's subscriptions, one after the other: the stream `subscription-{userId}`. */
export type Subscription =
  | { status: 'None' }
  | ({ status: 'Active' } & Running)
  | ({ status: 'PastDue' } & Running)
  | { status: 'Ended'; subscriptionId: string; plan: PlanId; periodStart: string };

/** What the payment provider says of a subscription at this moment. */
export interface Standing {
  status: 'active' | 'past due' | 'ended' | 'incomplete';
  plan: PlanId;
  periodStart: string;
  periodEnd: string;
  cancelAtPeriodEnd: boolean;
  scheduledPlan: PlanId | null;
}

interface Period {
  plan: PlanId;
  periodStart: string;
  periodEnd: string;
}

export type SubscriptionCommand =
  /** A listener picks a first plan; the paid invoice will be the fact. */
  | { type: 'Subscribe'; userId: string; plan: PlanId; now: string }
  /** At once, for the full price; the paid invoice will be the fact. */
  | { type: 'UpgradePlan'; userId: string; plan: PlanId; now: string }
  | { type: 'ScheduleDowngrade'; userId: string; plan: PlanId; now: string }
  | { type: 'ScheduleCancellation'; userId: string; now: string }
  | { type: 'WithdrawScheduledChange'; userId: string; now: string }
  /** An invoice was paid: the first starts, a later one renews, one on a higher plan upgrades. */
  | ({
      type: 'RecordPaidInvoice';
      userId: string;
      subscriptionId: string;
      invoiceId: string;
      now: string;
    } & Period)
  /** May come late, twice and out of order; it is read afresh each time, so the newest word counts. */
  | { type: 'RecordStanding'; userId: string; subscriptionId: string; standing: Standing; now: string };

interface Subject {
  userId: string;
  subscriptionId: string;
  at: string;
}

export type SubscriptionEvent =
  | { type: 'SubscriptionStarted'; data: Subject & Period & { invoiceId: string } }
  | { type: 'SubscriptionRenewed'; data: Subject & Period & { invoiceId: string } }
  | { type: 'SubscriptionUpgraded'; data: Subject & Period & { fromPlan: PlanId } }
  | { type: 'PaymentFailed'; data: Subject }
  | { type: 'CancellationScheduled'; data: Subject & { effectiveAt: string } }
  | { type: 'CancellationWithdrawn'; data: Subject }
  | { type: 'DowngradeScheduled'; data: Subject & { plan: PlanId; effectiveAt: string } }
  | { type: 'DowngradeWithdrawn'; data: Subject }
  | { type: 'SubscriptionEnded'; data: Subject & { plan: PlanId; periodStart: string } };

export type SubscriptionRejection =
  | { code: 'SubscriptionExists'; plan: PlanId }
  | { code: 'NoSubscription' }
  | { code: 'PlanUnchanged'; plan: PlanId }
  | { code: 'PaymentOverdue'; plan: PlanId }
  | { code: 'NothingScheduled' };

type Answer = Decision<SubscriptionEvent, SubscriptionRejection>;

/** Which command a wish for another plan is: up at once, down at period end. */
export function planChange(
  subscription: Subscription,
  wish: { userId: string; plan: PlanId; now: string },
): Extract<SubscriptionCommand, { type: 'UpgradePlan' | 'ScheduleDowngrade' }> {
  const running = isRunning(subscription);
  const down = running && planDistance(subscription.plan, wish.plan) < 0;
  return { type: down ? 'ScheduleDowngrade' : 'UpgradePlan', ...wish };
}

const isRunning = (
  subscription: Subscription,
): subscription is Extract<Subscription, { status: 'Active' | 'PastDue' }> =>
  subscription.status === 'Active' || subscription.status === 'PastDue';

export function decideSubscription(command: SubscriptionCommand, subscription: Subscription): Answer {
  switch (command.type) {
    case 'Subscribe':
      return isRunning(subscription)
        ? reject({ code: 'SubscriptionExists', plan: subscription.plan })
        : accept();
    case 'RecordPaidInvoice':
      return recordPaidInvoice(command, subscription);
    case 'RecordStanding':
      return recordStanding(command, subscription);
    case 'UpgradePlan':
    case 'ScheduleDowngrade':
    case 'ScheduleCancellation':
    case 'WithdrawScheduledChange':
      return isRunning(subscription)
        ? changeRunning(command, subscription)
        : reject({ code: 'NoSubscription' });
    default:
      return unreachable(command);
  }
}

function changeRunning(
  command: Extract<
    SubscriptionCommand,
    { type: 'UpgradePlan' | 'ScheduleDowngrade' | 'ScheduleCancellation' | 'WithdrawScheduledChange' }
  >,
  subscription: Extract<Subscription, { status: 'Active' | 'PastDue' }>,
): Answer {
  const subject = { userId: command.userId, subscriptionId: subscription.subscriptionId, at: command.now };
  const { plan, periodEnd, scheduled } = subscription;
  switch (command.type) {
    case 'UpgradePlan':
    case 'ScheduleDowngrade':
      if (command.plan === plan) return reject({ code: 'PlanUnchanged', plan });
      // The month already begun is not paid; another one on top would only be refused too.
      if (subscription.status === 'PastDue') return reject({ code: 'PaymentOverdue', plan });
      return command.type === 'UpgradePlan'
        ? accept()
        : accept(
            ...reschedule(subject, scheduled, {
              kind: 'downgrade',
              plan: command.plan,
              effectiveAt: periodEnd,
            }),
          );
    case 'ScheduleCancellation':
      return accept(...reschedule(subject, scheduled, { kind: 'cancel', effectiveAt: periodEnd }));
    case 'WithdrawScheduledChange':
      return scheduled
        ? accept(...reschedule(subject, scheduled, null))
        : reject({ code: 'NothingScheduled' });
    default:
      return unreachable(command);
  }
}

/** From one scheduled change to another: at most one is in force. */
function reschedule(
  subject: Subject,
  from: ScheduledChange | null,
  to: ScheduledChange | null,
): SubscriptionEvent[] {
  const planOf = (change: ScheduledChange | null) => (change?.kind === 'downgrade' ? change.plan : undefined);
  if (from?.kind === to?.kind && planOf(from) === planOf(to)) return [];
  const events: SubscriptionEvent[] = [];
  if (from)
    events.push({
      type: from.kind === 'cancel' ? 'CancellationWithdrawn' : 'DowngradeWithdrawn',
      data: subject,
    });
  if (to?.kind === 'cancel')
    events.push({ type: 'CancellationScheduled', data: { ...subject, effectiveAt: to.effectiveAt } });
  if (to?.kind === 'downgrade')
    events.push({
      type: 'DowngradeScheduled',
      data: { ...subject, plan: to.plan, effectiveAt: to.effectiveAt },
    });
  return events;
}

function recordPaidInvoice(
  command: Extract<SubscriptionCommand, { type: 'RecordPaidInvoice' }>,
  subscription: Subscription,
): Answer {
  const { userId, subscriptionId, invoiceId, plan, periodStart, periodEnd, now } = command;
  const period = { userId, subscriptionId, plan, periodStart, periodEnd, at: now };
  const started: SubscriptionEvent = { type: 'SubscriptionStarted', data: { ...period, invoiceId } };
  if (subscription.status === 'None') return accept(started);
  const known = subscription.subscriptionId === subscriptionId;
  if (subscription.status === 'Ended')
    // A late word about what is over changes nothing; a subscription begun since does.
    return !known && periodStart > subscription.periodStart ? accept(started) : accept();
  if (!known) return reject({ code: 'SubscriptionExists', plan: subscription.plan });
  const up = planDistance(subscription.plan, plan) > 0;
  // An upgrade may follow within the same second, which is as fine as the provider's clock is.
  if (up ? periodStart < subscription.periodStart : periodStart <= subscription.periodStart) return accept();
  return up
    ? accept({ type: 'SubscriptionUpgraded', data: { ...period, fromPlan: subscription.plan } })
    : accept({ type: 'SubscriptionRenewed', data: { ...period, invoiceId } });
}

function recordStanding(
  { userId, subscriptionId, standing, now }: Extract<SubscriptionCommand, { type: 'RecordStanding' }>,
  subscription: Subscription,
): Answer {
  if (!isRunning(subscription) || subscription.subscriptionId !== subscriptionId) return accept();
  const subject = { userId, subscriptionId, at: now };
  const { plan, periodStart, periodEnd } = standing;
  if (standing.status === 'ended')
    return accept({ type: 'SubscriptionEnded', data: { ...subject, plan, periodStart } });
  const events: SubscriptionEvent[] = [];
  const upgraded =
    standing.status === 'active' &&
    periodStart >= subscription.periodStart &&
    planDistance(subscription.plan, plan) > 0;
  if (upgraded)
    events.push({
      type: 'SubscriptionUpgraded',
      data: { ...subject, plan, periodStart, periodEnd, fromPlan: subscription.plan },
    });
  if (standing.status === 'past due' && subscription.status === 'Active')
    events.push({ type: 'PaymentFailed', data: subject });
  const scheduled = upgraded ? null : subscription.scheduled;
  events.push(...reschedule(subject, scheduled, scheduledBy(standing, scheduled)));
  return accept(...events);
}

function scheduledBy(standing: Standing, known: ScheduledChange | null): ScheduledChange | null {
  const effectiveAt = standing.periodEnd;
  if (standing.cancelAtPeriodEnd) return { kind: 'cancel', effectiveAt };
  if (standing.scheduledPlan) return { kind: 'downgrade', plan: standing.scheduledPlan, effectiveAt };
  // No longer scheduled because it has come to pass: its paid invoice will say so.
  if (known?.kind === 'downgrade' && known.plan === standing.plan) return known;
  return null;
}

export const initialSubscription: Subscription = { status: 'None' };

export function evolveSubscription(subscription: Subscription, event: SubscriptionEvent): Subscription {
  switch (event.type) {
    case 'SubscriptionStarted':
      return { status: 'Active', ...runningFrom(event.data), scheduled: null };
    case 'SubscriptionRenewed':
      return {
        status: 'Active',
        ...runningFrom(event.data),
        scheduled: stillAhead(subscription, event.data),
      };
    case 'SubscriptionUpgraded':
      return { status: 'Active', ...runningFrom(event.data), scheduled: null };
    case 'SubscriptionEnded': {
      const { subscriptionId, plan, periodStart } = event.data;
      return { status: 'Ended', subscriptionId, plan, periodStart };
    }
    case 'PaymentFailed':
      return isRunning(subscription) ? { ...subscription, status: 'PastDue' } : subscription;
    case 'CancellationScheduled':
      return schedule(subscription, { kind: 'cancel', effectiveAt: event.data.effectiveAt });
    case 'DowngradeScheduled': {
      const { plan, effectiveAt } = event.data;
      return schedule(subscription, { kind: 'downgrade', plan, effectiveAt });
    }
    case 'CancellationWithdrawn':
    case 'DowngradeWithdrawn':
      return schedule(subscription, null);
    default:
      return unreachable(event);
  }
}

const runningFrom = ({ subscriptionId, plan, periodStart, periodEnd }: Subject & Period) => ({
  subscriptionId,
  plan,
  periodStart,
  periodEnd,
});

const schedule = (subscription: Subscription, scheduled: ScheduledChange | null): Subscription =>
  isRunning(subscription) ? { ...subscription, scheduled } : subscription;

/** A renewal fulfils what was scheduled for its beginning; what lies further ahead stays. */
function stillAhead(subscription: Subscription, { periodStart }: Period): ScheduledChange | null {
  const scheduled = isRunning(subscription) ? subscription.scheduled : null;
  return scheduled && scheduled.effectiveAt > periodStart ? scheduled : null;
}
