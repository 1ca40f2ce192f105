import { evolveBy } from '../shared/by-type.js';
import { accept, reject, unreachable, type Decider } from '../shared/decision.js';
import { awaitPayer, closeChange, requestChange } from './plan-change.js';
import { planDistance } from './plans.js';
import {
  isRunning,
  type Answer,
  type OpenChange,
  type OverdueInvoice,
  type Period,
  type ScheduledChange,
  type ProviderStatus,
  type RunningSubscription,
  type Subject,
  type Subscription,
  type SubscriptionCommand,
  type SubscriptionEvent,
  type SubscriptionRejection,
} from './subscription-messages.js';

export type * from './subscription-messages.js';
export { isRunning } from './subscription-messages.js';
export { whyUnpaid } from './plan-change.js';

function decide(command: SubscriptionCommand, subscription: Subscription): Answer {
  switch (command.type) {
    case 'Subscribe':
      return isRunning(subscription)
        ? reject({ code: 'SubscriptionExists', plan: subscription.plan })
        : accept();
    case 'RecordPaidInvoice':
      return recordPaidInvoice(command, subscription);
    case 'RecordProviderStatus':
      return recordProviderStatus(command, subscription);
    case 'RequestChange':
      return isRunning(subscription)
        ? requestChange(command, subscription)
        : reject({ code: 'NoSubscription' });
    case 'CloseChange':
      return closeChange(command, subscription);
    default:
      return unreachable(command);
  }
}

/** Replaces one scheduled change by another, because only one change can be scheduled. */
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
  if (to?.kind === 'downgrade') {
    const { plan, effectiveAt } = to;
    events.push({ type: 'DowngradeScheduled', data: { ...subject, plan, effectiveAt } });
  }
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
    // Ignores late reports about the ended subscription and about older subscriptions.
    return !known && periodStart > subscription.periodStart ? accept(started) : accept();
  if (!known) return reject({ code: 'SubscriptionExists', plan: subscription.plan });
  const up = planDistance(subscription.plan, plan) > 0;
  // An upgrade may follow within the same second, because the provider's clock counts whole seconds.
  if (up ? periodStart < subscription.periodStart : periodStart <= subscription.periodStart) return accept();
  return up
    ? accept({ type: 'SubscriptionUpgraded', data: { ...period, fromPlan: subscription.plan } })
    : accept({ type: 'SubscriptionRenewed', data: { ...period, invoiceId } });
}

function recordProviderStatus(
  command: Extract<SubscriptionCommand, { type: 'RecordProviderStatus' }>,
  subscription: Subscription,
): Answer {
  const { userId, subscriptionId, providerStatus, now } = command;
  if (!isRunning(subscription) || subscription.subscriptionId !== subscriptionId) return accept();
  const subject = { userId, subscriptionId, at: now };
  const { plan, periodStart, periodEnd } = providerStatus;
  if (providerStatus.status === 'ended') {
    const ending = { ...subject, plan, periodStart, ...(providerStatus.unpaid && { unpaid: true as const }) };
    const end: SubscriptionEvent = { type: 'SubscriptionEnded', data: ending };
    const { openChange } = subscription;
    if (!openChange) return accept(end);
    const failed: SubscriptionEvent = {
      type: 'PlanChangeFailed',
      data: { ...subject, changeId: openChange.changeId, reason: 'SubscriptionEnded' },
    };
    return accept<SubscriptionEvent>(failed, end);
  }
  const events: SubscriptionEvent[] = [];
  const upgraded =
    providerStatus.status === 'active' &&
    periodStart >= subscription.periodStart &&
    planDistance(subscription.plan, plan) > 0;
  if (upgraded)
    events.push({
      type: 'SubscriptionUpgraded',
      data: { ...subject, plan, periodStart, periodEnd, fromPlan: subscription.plan },
    });
  if (providerStatus.status === 'past due' && isUnheard(subscription, providerStatus.overdue))
    events.push({ type: 'PaymentFailed', data: { ...subject, ...providerStatus.overdue } });
  const scheduled = upgraded ? null : subscription.scheduled;
  events.push(...reschedule(subject, scheduled, scheduledBy(providerStatus, scheduled)));
  events.push(...awaitPayer(subject, subscription.openChange, providerStatus));
  return accept(...events);
}

/** Returns whether this failure to collect an invoice is new: the first one, or another attempt. */
const isUnheard = (
  { status, overdue: known }: RunningSubscription,
  overdue: OverdueInvoice | null,
): boolean =>
  status === 'Active' ||
  (overdue !== null && (known?.invoiceId !== overdue.invoiceId || known.attempt < overdue.attempt));

function scheduledBy(providerStatus: ProviderStatus, known: ScheduledChange | null): ScheduledChange | null {
  const effectiveAt = providerStatus.periodEnd;
  if (providerStatus.cancelAtPeriodEnd) return { kind: 'cancel', effectiveAt };
  if (providerStatus.scheduledPlan)
    return { kind: 'downgrade', plan: providerStatus.scheduledPlan, effectiveAt };
  // The provider no longer lists the downgrade, because it took effect. We keep it as scheduled until the paid
  // invoice records it.
  if (known?.kind === 'downgrade' && known.plan === providerStatus.plan) return known;
  return null;
}

const running = (
  { subscriptionId, plan, periodStart, periodEnd }: Subject & Period,
  scheduled: ScheduledChange | null,
  openChange: OpenChange | null,
): Subscription => ({
  status: 'Active',
  subscriptionId,
  plan,
  periodStart,
  periodEnd,
  scheduled,
  openChange,
  overdue: null,
});

const pastDue = (
  subscription: RunningSubscription,
  { invoiceId, attempt }: Partial<OverdueInvoice>,
): Subscription => ({
  ...subscription,
  status: 'PastDue',
  overdue: invoiceId && attempt ? { invoiceId, attempt } : null,
});

const schedule = (subscription: Subscription, scheduled: ScheduledChange | null): Subscription =>
  isRunning(subscription) ? { ...subscription, scheduled } : subscription;

const withChange = (subscription: Subscription, openChange: OpenChange | null): Subscription =>
  isRunning(subscription) ? { ...subscription, openChange } : subscription;

const openIn = (subscription: Subscription): OpenChange | null =>
  isRunning(subscription) ? subscription.openChange : null;

/** A renewal carries out the change that was scheduled for its start. Later changes stay scheduled. */
function stillAhead(subscription: Subscription, { periodStart }: Period): ScheduledChange | null {
  const scheduled = isRunning(subscription) ? subscription.scheduled : null;
  return scheduled && scheduled.effectiveAt > periodStart ? scheduled : null;
}

const evolve = evolveBy<Subscription, SubscriptionEvent>({
  SubscriptionStarted: (_, paid) => running(paid, null, null),
  SubscriptionRenewed: (known, paid) => running(paid, stillAhead(known, paid), openIn(known)),
  SubscriptionUpgraded: (known, paid) => running(paid, null, openIn(known)),
  SubscriptionEnded: (_, { subscriptionId, plan, periodStart }) => ({
    status: 'Ended',
    subscriptionId,
    plan,
    periodStart,
  }),
  PaymentFailed: (known, overdue) => (isRunning(known) ? pastDue(known, overdue) : known),
  CancellationScheduled: (known, { effectiveAt }) => schedule(known, { kind: 'cancel', effectiveAt }),
  DowngradeScheduled: (known, { plan, effectiveAt }) =>
    schedule(known, { kind: 'downgrade', plan, effectiveAt }),
  CancellationWithdrawn: (known) => schedule(known, null),
  DowngradeWithdrawn: (known) => schedule(known, null),
  PlanChangeRequested: (known, { changeId, kind, plan, requestKey, at: requestedAt }) =>
    withChange(known, { changeId, kind, plan, requestKey, requestedAt, awaits: null }),
  PlanChangeAwaitsPayer: (known, { invoiceId, needs, expiresAt }) => {
    const open = openIn(known);
    return withChange(known, open && { ...open, awaits: { invoiceId, needs, expiresAt } });
  },
  PlanChangeCompleted: (known) => withChange(known, null),
  PlanChangeFailed: (known) => withChange(known, null),
});

/** Stream `subscription-{userId}`: the plan that a listener pays for. */
export const subscriptionDecider: Decider<
  SubscriptionCommand,
  Subscription,
  SubscriptionEvent,
  SubscriptionRejection
> = { streamOf: (userId) => `subscription-${userId}`, initialState: { status: 'None' }, decide, evolve };
