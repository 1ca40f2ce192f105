import { accept, reject, unreachable } from '../shared/decision.js';
import { planDistance, type PlanId } from './plans.js';
import {
  isRunning,
  type Answer,
  type OpenChange,
  type RunningSubscription,
  type ProviderStatus,
  type Subscription,
  type SubscriptionCommand,
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
  return failure === null || (providerStatus && isDone(open, providerStatus))
    ? accept({ type: 'PlanChangeCompleted', data })
    : accept({ type: 'PlanChangeFailed', data: { ...data, reason: failure } });
}

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
