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

/** Records a change before we ask the provider, so that only one change is open. */
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
      // The current month is unpaid. The provider would refuse a second invoice.
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

export function closeChange(
  { userId, changeId, providerStatus, failure, now }: Extract<SubscriptionCommand, { type: 'CloseChange' }>,
  subscription: Subscription,
): Answer {
  const open = isRunning(subscription) ? subscription.openChange : null;
  // Does nothing for a closed change, because the request, its repetition and the sweep may all report the outcome.
  if (!isRunning(subscription) || open?.changeId !== changeId) return accept();
  const data = { userId, subscriptionId: subscription.subscriptionId, at: now, changeId };
  if (providerStatus && isAwaited(open, providerStatus)) return accept();
  return failure === null || (providerStatus && isDone(open, providerStatus))
    ? accept({ type: 'PlanChangeCompleted', data })
    : accept({ type: 'PlanChangeFailed', data: { ...data, reason: failure } });
}

/** Returns whether the provider keeps a change until its payer pays. */
const isAwaited = ({ kind, plan }: OpenChange, { awaits }: ProviderStatus): boolean =>
  kind === 'upgrade' && awaits?.plan === plan;

/** Records once that a change waits for its payer, and again if the payer needs to do something else. */
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

/** Tolerance between the provider's clock and ours. */
const CLOCKS_DIFFER_MS = 60_000;

/** Returns why a change ended without payment: the payer let it expire, or it was withdrawn. */
export const whyUnpaid = ({ expiresAt }: AwaitedPayment, now: Date): ChangeFailure =>
  now.getTime() >= Date.parse(expiresAt) - CLOCKS_DIFFER_MS ? 'PayerDidNotConfirm' : 'ChangeWithdrawn';

/** Returns whether the provider's status is the state that a change asked for. */
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
