import type Stripe from 'stripe';

/** Cards, invoices, address and tax number. Our own screens change plans, because they state the price. */
export const PORTAL_FEATURES = {
  customer_update: { enabled: true, allowed_updates: ['address', 'tax_id'] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: false },
  subscription_update: { enabled: false },
} satisfies Stripe.BillingPortal.ConfigurationCreateParams.Features;

/** Returns the mark of this Offcut's objects, because several Offcuts may share an account. */
export const markOf = (url: string): string => new URL(url).host;

export async function findPortal(
  stripe: Stripe,
  publicUrl: string,
): Promise<Stripe.BillingPortal.Configuration | undefined> {
  const configurations = stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  for await (const each of configurations) if (each.metadata?.['offcut'] === markOf(publicUrl)) return each;
  return undefined;
}

export const portalFits = ({ features }: Stripe.BillingPortal.Configuration): boolean =>
  Object.entries(PORTAL_FEATURES).every(
    ([name, { enabled }]) => features[name as keyof typeof PORTAL_FEATURES].enabled === enabled,
  ) &&
  features.customer_update.allowed_updates.toSorted().join() ===
    PORTAL_FEATURES.customer_update.allowed_updates.toSorted().join();
