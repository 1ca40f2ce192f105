import type { Taxed } from '../../domain/credits/credit-account.js';
import { microUsdFromCents } from '../../domain/shared/micro-usd.js';
import { DecideAlert } from '../alerts/decide-alert.js';
import type { LineTax, PaidInvoice } from '../payments/payment-gateway.js';

/** Whether tax comes on top of what plans cost, and who says on receipts that they sell. */
export class TaxTerms {
  constructor(
    readonly on: boolean,
    readonly seller: string,
  ) {}
}

const isCode = (text: string | null): text is string => text !== null && /^[A-Z]{2}$/.test(text);

/** The payer's country; undefined where the provider names none. */
export const countryOf = ({ country }: PaidInvoice): string | undefined =>
  isCode(country) ? country : undefined;

/** A country and, of the United States, the state; undefined where that is no place that the books could name. */
const placeOf = ({ country, state }: LineTax): string | undefined => {
  if (!isCode(country)) return undefined;
  return isCode(state) ? `${country}-${state}` : country;
};

/** Where a line was taxed: that of its largest tax. What a place takes in parts, as state and city do, is added up. */
export function taxedOf(taxes: readonly LineTax[]): Taxed | undefined {
  const [largest] = taxes.toSorted((one, other) => other.taxUsdCents - one.taxUsdCents);
  const place = largest && placeOf(largest);
  if (!largest || place === undefined) return undefined;
  const parts = taxes.filter((tax) => placeOf(tax) === place && tax.taxUsdCents > 0);
  const percentage = parts.reduce((sum, part) => sum + part.percentage, 0);
  return {
    place,
    taxableMicroUsd: microUsdFromCents(Math.max(...taxes.map(({ taxableUsdCents }) => taxableUsdCents))),
    // Floating point would say 8.875000000000002 of four parts.
    percentage: Number(percentage.toFixed(4)),
    reason: largest.reason,
  };
}

/** For a sale whose tax nobody found out. The credits are granted all the same. */
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
        text: `An invoice was paid without tax, because Stripe did not find it out: ${why}. The sale may owe tax that was not collected. \`offcut stripe tax-plans\` lists the plans without tax and taxes those that can be (docs/stripe.md, Tax).`,
        item: invoiceId,
        amountMicroUsd: microUsd,
      },
    },
    actor,
  );
