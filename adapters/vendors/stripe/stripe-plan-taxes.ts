import type Stripe from 'stripe';
import { ChangeRefused } from '../../../application/payments/payment-gateway.js';
import type { MissingForTax, PlanTaxGateway, UntaxedPlan } from '../../../application/subscriptions/tax.js';
import { StripeCaller } from './stripe-client.js';
import { ask, isStripeError, refusalIn } from './stripe-errors.js';
import { addTax, isPlaceUnknown, retrieve } from './stripe-plan-changes.js';
import { planOfProduct } from './stripe-shapes.js';

/** Subscriptions in these statuses were never paid, so they have no next invoice. */
const NOT_BEGUN = new Set<Stripe.Subscription.Status>(['incomplete', 'incomplete_expired']);

export class StripePlanTaxes extends StripeCaller implements PlanTaxGateway {
  listUntaxed(): Promise<UntaxedPlan[]> {
    return ask(async () => {
      const all: UntaxedPlan[] = [];
      const subscriptions = this.stripe.subscriptions.list({
        automatic_tax: { enabled: false },
        expand: ['data.customer.tax'],
        limit: 100,
      });
      for await (const { id, status, customer, items, metadata } of subscriptions) {
        const plan = planOfProduct(items.data[0]?.price.product as string | undefined);
        if (!plan || NOT_BEGUN.has(status) || typeof customer === 'string' || customer.deleted) continue;
        all.push({
          subscriptionId: id,
          customerId: customer.id,
          userId: metadata['userId'],
          plan,
          missing: missingFor(customer),
        });
      }
      return all;
    });
  }

  async addTax(subscriptionId: string): Promise<'taxed' | 'place unknown' | 'ended'> {
    try {
      return await ask(async () => {
        const subscription = await retrieve(this.stripe, subscriptionId);
        if (subscription.status === 'canceled') return 'ended';
        await addTax(this.stripe, subscription);
        return 'taxed';
      });
    } catch (error) {
      if (isPlaceUnknown(error)) return 'place unknown';
      if (isStripeError(error, 'resource_missing')) return 'ended';
      const refusal = refusalIn(error);
      if (refusal) throw new ChangeRefused(refusal.message, { cause: refusal });
      throw error;
    }
  }
}

/** Returns what Stripe lacks to calculate tax. Derived from the address, because Stripe gives no reason. */
function missingFor({ address, tax }: Stripe.Customer): MissingForTax | undefined {
  if (tax?.automatic_tax === 'supported' || tax?.automatic_tax === 'not_collecting') return undefined;
  if (tax?.automatic_tax === 'failed') return 'answer';
  if (!address?.country) return 'address';
  if (address.country === 'US' && !address.postal_code) return 'postal code';
  if (address.country === 'CA' && !address.postal_code && !address.state) return 'province';
  return 'known address';
}
