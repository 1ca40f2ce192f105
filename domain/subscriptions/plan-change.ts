import { accept, reject, unreachable } from '../shared/decision.js';
import { planDistance, type PlanId } from './plans.js';
import {
  isRunning,
  type Answer,
  type OpenChange,
  type RunningSubscription,
  type Standing,
  type Subscription,
  type SubscriptionCommand,
} from './subscription-messages.js';

/** Reserves a change before the provider is asked: one at a time. */
export function requestChange(
  { userId, wish, changeId, requestKey, now }: Extract<SubscriptionCommand, { type: 'RequestChange' }>,
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
  switch (wish.type) {
    case 'ChangePlan':
      if (wish.plan === plan) return reject({ code: 'PlanUnchanged', plan });
      // The month already begun is not paid; another one on top would only be refused too.
      if (subscription.status === 'PastDue') return reject({ code: 'PaymentOverdue', plan });
      if (planDistance(plan, wish.plan) > 0) return reserve('upgrade', wish.plan);
      return scheduled?.kind === 'downgrade' && scheduled.plan === wish.plan
        ? accept()
        : reserve('downgrade', wish.plan);
    case 'ScheduleCancellation':
      return scheduled?.kind === 'cancel' ? accept() : reserve('cancel', null);
    case 'WithdrawScheduledChange':
      return scheduled ? reserve('resume', null) : reject({ code: 'NothingScheduled' });
    default:
      return unreachable(wish);
  }
}

/** Records what became of a change. */
export function closeChange(
  { userId, changeId, standing, failure, now }: Extract<SubscriptionCommand, { type: 'CloseChange' }>,
  subscription: Subscription,
): Answer {
  const open = isRunning(subscription) ? subscription.openChange : null;
  // Somebody else closed it: the request, its repetition and the sweep may all have heard.
  if (!isRunning(subscription) || open?.changeId !== changeId) return accept();
  const data = { userId, subscriptionId: subscription.subscriptionId, at: now, changeId };
  return failure === null || (standing && isDone(open, standing))
    ? accept({ type: 'PlanChangeCompleted', data })
    : accept({ type: 'PlanChangeFailed', data: { ...data, reason: failure } });
}

/** Whether the provider's standing is what a change wanted. */
function isDone({ kind, plan }: OpenChange, standing: Standing): boolean {
  switch (kind) {
    case 'upgrade':
      return standing.status === 'active' && standing.plan === plan;
    case 'downgrade':
      return standing.scheduledPlan === plan;
    case 'cancel':
      return standing.cancelAtPeriodEnd;
    case 'resume':
      return !standing.cancelAtPeriodEnd && standing.scheduledPlan === null;
    default:
      return unreachable(kind);
  }
}
