import type Stripe from 'stripe';
import type { LineTax } from '../../../application/payments/payment-gateway.js';
import { ask } from './stripe-errors.js';

type Tax = Stripe.InvoiceLineItem.Tax;

/** Caches Stripe's tax rates, which never change. */
export class StripeTaxRates {
  private readonly known = new Map<string, Stripe.TaxRate>();

  constructor(private readonly stripe: Stripe) {}

  async of(lines: readonly Stripe.InvoiceLineItem[]): Promise<ReadonlyMap<string, Stripe.TaxRate>> {
    const ids = lines.flatMap((line) => (line.taxes ?? []).map(rateIdOf));
    for (const id of new Set(ids))
      if (id !== undefined && !this.known.has(id))
        this.known.set(id, await ask(() => this.stripe.taxRates.retrieve(id)));
    return this.known;
  }
}

const rateIdOf = ({ tax_rate_details: details }: Tax): string | undefined => details?.tax_rate;

/** Uses the jurisdiction of the tax rate, or the payer's address if there is no rate. */
export function taxFrom(
  tax: Tax,
  rates: ReadonlyMap<string, Stripe.TaxRate>,
  { customer_address: address }: Stripe.Invoice,
): LineTax {
  const rate = rates.get(rateIdOf(tax) ?? '');
  const country = rate?.country ?? address?.country ?? null;
  return {
    country,
    state: country === 'US' ? (rate?.state ?? address?.state ?? null) : null,
    name: rate?.display_name ?? 'Tax',
    percentage: rate?.percentage ?? 0,
    taxableUsdCents: tax.taxable_amount ?? 0,
    taxUsdCents: tax.amount,
    reason: tax.taxability_reason,
  };
}
