import { businessNow } from '../clock.js';
import type { Plan, Subscription } from '../../../application/subscriptions/contract.js';
import { planChanged } from '../api/changes.js';
import { api, apiOnce, query } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import { askConfirm } from '../ui/overlays/alerts.js';
import { ApiProblem } from '../api/transport/http.js';
import { openOutside } from './checkout.js';
import { formatDay, formatUsdCents } from '../ui/format.js';
import { notifyError, toast } from '../ui/overlays/toast.js';

/** Shows the outcome of a change of the plan. Resolves null if the plan has not changed. */
async function settled(change: Promise<Subscription>): Promise<Subscription | null> {
  try {
    const answer = await change;
    queryClient.setQueryData(query('GET /api/subscription').queryKey, answer);
    planChanged();
    if (!answer.pendingChange) return answer;
    // The payer has to act first, and the settings show how.
    if (answer.pendingChange.needs) return null;
    toast({
      title: 'The change is under way',
      description: 'The payment service has not confirmed it yet. You do not have to do anything.',
      tone: 'info',
    });
    return null;
  } catch (error) {
    // If another tab changed the plan, or the server did not answer, the screen may be out of date.
    planChanged();
    notifyError(error);
    return null;
  }
}

const change = ({ id: plan }: Plan) => settled(apiOnce('POST /api/subscription/change', { body: { plan } }));

const dayOf = (subscription: Subscription) =>
  formatDay(
    subscription.scheduledChange?.effectiveAt ??
      subscription.currentPeriodEnd ??
      new Date(businessNow()).toISOString(),
  );

/** Upgrades at once, after the visitor confirms the charge. Resolves true if the plan changed. */
export async function upgradeTo(plan: Plan): Promise<boolean> {
  const sure = await askConfirm({
    title: `Upgrade to ${plan.name}?`,
    message: `${formatUsdCents(plan.priceUsdCents)} is charged today, ${plan.credits} credits are added and a new month starts. You keep every credit you have.`,
    confirmLabel: 'Upgrade',
  });
  if (!sure) return false;
  const changed = await change(plan);
  if (changed)
    toast({ title: `You are on ${plan.name}`, description: 'You get its credits when the invoice is paid.' });
  return changed !== null;
}

export async function downgradeTo(plan: Plan): Promise<void> {
  const changed = await change(plan);
  if (changed) {
    toast({
      title: `${plan.name} from ${dayOf(changed)}`,
      description: 'Until then nothing changes.',
      action: { label: 'Undo', onPress: () => void resumePlan() },
    });
  }
}

export async function cancelPlan(current: Subscription): Promise<void> {
  const sure = await askConfirm({
    title: 'Cancel plan?',
    message: `It runs until ${dayOf({ ...current, scheduledChange: null })}. You keep every credit you have; they never expire.`,
    confirmLabel: 'Cancel plan',
    cancelLabel: 'Keep plan',
    destructive: true,
  });
  if (!sure) return;
  const changed = await settled(apiOnce('POST /api/subscription/cancel', {}));
  if (changed)
    toast({ title: 'Plan cancelled', description: `It runs until ${dayOf(changed)}.`, tone: 'info' });
}

export async function resumePlan(): Promise<void> {
  const changed = await settled(apiOnce('POST /api/subscription/resume', {}));
  if (!changed) return;
  const plan = queryClient
    .getQueryData(query('GET /api/plans').queryKey)
    ?.items.find(({ id }) => id === changed.plan);
  toast({ title: `You stay on ${plan?.name ?? 'your plan'}` });
}

/** Opens the page on which the visitor pays for a pending upgrade, or pays a failed bill. */
export async function payPendingChange(): Promise<void> {
  try {
    await openOutside(() => api('POST /api/subscription/pending/pay'));
  } catch (error) {
    // The bill was paid or cancelled meanwhile, so the screen shows an old state.
    if (error instanceof ApiProblem && error.code === 'NothingToPay') planChanged();
    else notifyError(error);
  }
}

/** Replaces `upgradeTo` while a bill is unpaid: explains that the bill comes first, and opens its payment page. */
export async function payBeforeUpgrade({ name }: Plan): Promise<void> {
  const sure = await askConfirm({
    title: 'Pay the open bill first',
    message: `The last payment failed, and you cannot upgrade until it is paid. Nothing is charged for ${name} now; once the bill is paid, you can upgrade here.`,
    confirmLabel: 'Pay now',
  });
  if (sure) await payPendingChange();
}

/** Withdraws an upgrade that is not paid yet. If the payment arrives first, the upgrade is completed instead. */
export async function withdrawPendingChange({ id, name }: Plan): Promise<void> {
  const changed = await settled(apiOnce('POST /api/subscription/pending/withdraw', {}));
  if (changed?.plan === id) toast({ title: `You stay on ${name}`, description: 'Nothing was charged.' });
}
