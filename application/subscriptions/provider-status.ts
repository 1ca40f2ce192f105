import { isPlan } from '../../domain/subscriptions/products.js';
import type {
  ProviderStatus,
  SubscriptionCommand,
} from '../../domain/subscriptions/subscription-messages.js';
import type { PaidInvoice, StripeSubscription } from '../payments/payment-gateway.js';

export function providerCommands(about: {
  userId: string;
  subscriptionId: string;
  now: string;
  known: StripeSubscription | undefined;
  invoice?: PaidInvoice | undefined;
}): SubscriptionCommand[] {
  const { userId, subscriptionId, now, known, invoice } = about;
  const commands: SubscriptionCommand[] = [];
  if (invoice)
    for (const { product: plan, periodStart, periodEnd } of invoice.lines) {
      if (!isPlan(plan)) continue;
      commands.push({
        type: 'RecordPaidInvoice',
        userId,
        subscriptionId,
        invoiceId: invoice.invoiceId,
        plan,
        periodStart: periodStart.toISOString(),
        periodEnd: periodEnd.toISOString(),
        now,
      });
    }
  if (known) {
    const providerStatus = providerStatusOf(known);
    commands.push({ type: 'RecordProviderStatus', userId, subscriptionId, providerStatus, now });
  }
  return commands;
}

const STATUS: Record<string, ProviderStatus['status']> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past due',
  unpaid: 'past due',
  paused: 'past due',
  canceled: 'ended',
  incomplete_expired: 'ended',
};

export const providerStatusOf = (known: StripeSubscription): ProviderStatus => ({
  status: STATUS[known.status] ?? 'incomplete',
  plan: known.plan,
  periodStart: known.currentPeriodStart.toISOString(),
  periodEnd: known.currentPeriodEnd.toISOString(),
  cancelAtPeriodEnd: known.cancelAtPeriodEnd,
  scheduledPlan: known.scheduledPlan,
  awaits: known.awaits && { ...known.awaits, expiresAt: known.awaits.expiresAt.toISOString() },
  overdue: known.overdue,
  unpaid: known.unpaid,
});
