import { accept, reject, unreachable } from '../shared/decision.js';
import { planDistance, type PlanId } from './plans.js';
import {
  isRunning,
  type Answer,
  type AwaitedPayment,
  type ChangeFailure,
  type OpenChange,
  type RunningSubscription,
  type ProviderStatus,
  type Subject,
  type Subscription,
  type SubscriptionCommand,
  type SubscriptionEvent,
} from './subscription-messages.js';

/** Reserves a change before we ask the provider: one change at a time. */
export function requestChange(
  { userId, request, changeId, requestKey, now }: Extract<SubscriptionCommand, { type: 'RequestChange' }>,
  subscription: RunningSubscription,
): Answer {
  const { subscriptionId, plan, scheduled, openChange } = subscription;
  if (openChange) {
    const { kind, plan: towards, requestedAt } = openChange;
    return reject({ code: 'ChangePending', kind, plan: towards, requestedAt });
  }
  const reserve = (kind: OpenChange['kind'], towards: PlanId | null): Answer =>
    accept({
      type: 'PlanChangeRequested',
      data: { userId, subscriptionId, at: now, changeId, kind, plan: towards, requestKey },
    });
  switch (request.type) {
    case 'ChangePlan':
      if (request.plan === plan) return reject({ code: 'PlanUnchanged', plan });
      // The current month is not paid yet; the provider would refuse another one on top.
      if (subscription.status === 'PastDue') return reject({ code: 'PaymentOverdue', plan });
      if (planDistance(plan, request.plan) > 0) return reserve('upgrade', request.plan);
      return scheduled?.kind === 'downgrade' && scheduled.plan === request.plan
        ? accept()
        : reserve('downgrade', request.plan);
    case 'ScheduleCancellation':
      return scheduled?.kind === 'cancel' ? accept() : reserve('cancel', null);
    case 'WithdrawScheduledChange':
      return scheduled ? reserve('resume', null) : reject({ code: 'NothingScheduled' });
    default:
      return unreachable(request);
  }
}

/** Records how a change ended. */
export function closeChange(
  { userId, changeId, providerStatus, failure, now }: Extract<SubscriptionCommand, { type: 'CloseChange' }>,
  subscription: Subscription,
): Answer {
  const open = isRunning(subscription) ? subscription.openChange : null;
  // The change is closed already: the request, its repetition and the sweep may all report it.
  if (!isRunning(subscription) || open?.changeId !== changeId) return accept();
  const data = { userId, subscriptionId: subscription.subscriptionId, at: now, changeId };
  if (providerStatus && isAwaited(open, providerStatus)) return accept();
  return failure === null || (providerStatus && isDone(open, providerStatus))
    ? accept({ type: 'PlanChangeCompleted', data })
    : accept({ type: 'PlanChangeFailed', data: { ...data, reason: failure } });
}

/** Whether the provider keeps a change until its payer has paid for it. */
const isAwaited = ({ kind, plan }: OpenChange, { awaits }: ProviderStatus): boolean =>
  kind === 'upgrade' && awaits?.plan === plan;

/** Records that a change needs its payer, once, and again when something else is needed. */
export function awaitPayer(
  subject: Subject,
  open: OpenChange | null,
  providerStatus: ProviderStatus,
): SubscriptionEvent[] {
  const { awaits } = providerStatus;
  if (!open || !awaits || !isAwaited(open, providerStatus)) return [];
  const { invoiceId, needs, expiresAt } = awaits;
  if (open.awaits?.invoiceId === invoiceId && open.awaits.needs === needs) return [];
  const { changeId } = open;
  return [{ type: 'PlanChangeAwaitsPayer', data: { ...subject, changeId, invoiceId, needs, expiresAt } }];
}

/** The provider's clock and ours may differ by so much. */
const CLOCKS_DIFFER_MS = 60_000;

/** Why a change is no longer kept whose payer has not paid. */
export const whyUnpaid = ({ expiresAt }: AwaitedPayment, now: Date): ChangeFailure =>
  now.getTime() >= Date.parse(expiresAt) - CLOCKS_DIFFER_MS ? 'PayerDidNotConfirm' : 'ChangeWithdrawn';

/** Whether the provider's status is what a change wanted. */
function isDone({ kind, plan }: OpenChange, providerStatus: ProviderStatus): boolean {
  switch (kind) {
    case 'upgrade':
      return providerStatus.status === 'active' && providerStatus.plan === plan;
    case 'downgrade':
      return providerStatus.scheduledPlan === plan;
    case 'cancel':
      return providerStatus.cancelAtPeriodEnd;
    case 'resume':
      return !providerStatus.cancelAtPeriodEnd && providerStatus.scheduledPlan === null;
    default:
      return unreachable(kind);
  }
}
