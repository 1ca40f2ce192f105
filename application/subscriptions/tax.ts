import type { Taxed } from '../../domain/credits/credit-account.js';
import { microUsdFromCents, sumOf } from '../../domain/shared/micro-usd.js';
import type { PlanId } from '../../domain/subscriptions/plans.js';
import { DecideAlert } from '../alerts/decide-alert.js';
import { ChangeRefused, type LineTax, type PaidInvoice } from '../payments/payment-gateway.js';

/** Whether tax is added to the prices of plans, and the seller named on receipts. */
export class TaxTerms {
  constructor(
    readonly on: boolean,
    readonly seller: string,
  ) {}
}

const isCode = (text: string | null): text is string => text !== null && /^[A-Z]{2}$/.test(text);

/** Returns the payer's country. Undefined for an unknown country and for anything but a code of two letters. */
export const countryOf = ({ country }: PaidInvoice): string | undefined =>
  isCode(country) ? country : undefined;

/** Returns the country, with the state in the United States. Undefined if the country is no two-letter code. */
const placeOf = ({ country, state }: LineTax): string | undefined => {
  if (!isCode(country)) return undefined;
  return isCode(state) ? `${country}-${state}` : country;
};

/** Returns the place of the largest tax, with the sum of the taxes there, such as those of state and city. */
export function taxedOf(taxes: readonly LineTax[]): Taxed | undefined {
  const [largest] = taxes.toSorted((one, other) => other.taxUsdCents - one.taxUsdCents);
  const place = largest && placeOf(largest);
  if (!largest || place === undefined) return undefined;
  const parts = taxes.filter((tax) => placeOf(tax) === place && tax.taxUsdCents > 0);
  const percentage = sumOf(parts.map((part) => part.percentage));
  return {
    place,
    taxableMicroUsd: microUsdFromCents(Math.max(...taxes.map(({ taxableUsdCents }) => taxableUsdCents))),
    // Rounds away the floating-point error of a sum, such as 8.875000000000002.
    percentage: Number(percentage.toFixed(4)),
    reason: largest.reason,
  };
}

/** Raises an alert for a sale whose tax is unknown. The credits are granted anyway. */
export const untaxedSale = (
  invoiceId: string,
  why: string,
  { microUsd, actor }: { microUsd: number; actor: string },
): DecideAlert =>
  new DecideAlert(
    {
      type: 'RaiseAlert',
      alert: {
        key: `untaxed-sale-${invoiceId}`,
        kind: 'untaxed-sale',
        text: `An invoice was paid without tax, because Stripe could not determine it: ${why}. The sale may owe tax that was not collected. \`offcut stripe tax-plans\` lists the plans without tax and taxes those that can be (docs/stripe.md, Tax).`,
        item: invoiceId,
        amountMicroUsd: microUsd,
      },
    },
    actor,
  );

/** What the provider lacks to compute a payer's tax. `answer`: the lookup of the address failed and can be retried. */
export type MissingForTax = 'address' | 'postal code' | 'province' | 'known address' | 'answer';

/** A running plan whose invoices have no tax. */
export interface UntaxedPlan {
  subscriptionId: string;
  customerId: string;
  userId: string | undefined;
  plan: PlanId;
  /** Undefined if the provider recognises the payer's address. */
  missing: MissingForTax | undefined;
}

/** Adds tax to plans that were bought before tax was enabled. */
export interface PlanTaxGateway {
  listUntaxed(): Promise<UntaxedPlan[]>;
  /** Taxes the plan from its next invoice on. Idempotent. @throws ChangeRefused @throws PaymentGatewayUnavailable */
  addTax(subscriptionId: string): Promise<'taxed' | 'place unknown' | 'ended'>;
}

export type PlanTaxed =
  | { outcome: 'to be taxed' | 'taxed' | 'ended' }
  | { outcome: 'missing'; missing: MissingForTax }
  | { outcome: 'refused'; why: string };

/**
 * Reports each plan for which the provider computes no tax, and turns the tax on if `apply` is set. Safe to repeat.
 * @throws PaymentGatewayUnavailable
 */
export async function taxPlans(
  gateway: PlanTaxGateway,
  apply: boolean,
  report: (plan: UntaxedPlan, result: PlanTaxed) => void,
): Promise<void> {
  for (const plan of await gateway.listUntaxed()) {
    if (plan.missing) report(plan, { outcome: 'missing', missing: plan.missing });
    else report(plan, apply ? await addTax(gateway, plan) : { outcome: 'to be taxed' });
  }
}

async function addTax(gateway: PlanTaxGateway, { subscriptionId }: UntaxedPlan): Promise<PlanTaxed> {
  try {
    const outcome = await gateway.addTax(subscriptionId);
    // The address was removed after the list was read.
    if (outcome === 'place unknown') return { outcome: 'missing', missing: 'known address' };
    return { outcome };
  } catch (error) {
    if (error instanceof ChangeRefused) return { outcome: 'refused', why: error.message };
    throw error;
  }
}
