import type { CreditEvent } from '../../../domain/credits/credit-account.js';
import type { AddedRows, AsyncProjection } from '../../platform/projections/projection.js';
import { addingBooked, type Booked } from '../booked-rows.js';

type Taxing = Extract<
  CreditEvent,
  { type: 'CreditsGranted' | 'InvoiceRefunded' | 'RefundUndone' | 'DisputeLost' }
>;

interface TaxLine {
  place: string | undefined;
  netMicroUsd: number;
  taxableMicroUsd: number;
  taxMicroUsd: number;
  reason?: string;
}

/** What an event sold where, or gave back there; undefined where nobody took or found out tax. */
function taxLineOf({ type, data }: Taxing): TaxLine | undefined {
  if (type === 'CreditsGranted') {
    const { invoice, valueMicroUsd: netMicroUsd } = data;
    if (!invoice || (!invoice.taxed && invoice.taxMicroUsd === 0)) return undefined;
    const { taxed, taxMicroUsd } = invoice;
    return {
      place: taxed?.place,
      netMicroUsd,
      taxableMicroUsd: taxed?.taxableMicroUsd ?? netMicroUsd,
      taxMicroUsd,
      ...(taxed && { reason: taxed.reason }),
    };
  }
  const { taxPlace: place, taxMicroUsd } = data;
  if (place === undefined && taxMicroUsd === 0) return undefined;
  const net =
    type === 'DisputeLost'
      ? data.amountMicroUsd - (data.unexplained?.amountMicroUsd ?? 0) - taxMicroUsd
      : data.netMicroUsd;
  const sign = type === 'RefundUndone' ? 1 : -1;
  // As much of it was taxed as its tax says: of nothing, nothing.
  const taxable = taxMicroUsd === 0 ? 0 : net;
  return { place, netMicroUsd: sign * net, taxableMicroUsd: sign * taxable, taxMicroUsd: sign * taxMicroUsd };
}

const LINES: AddedRows<Booked<Taxing>> = {
  table: 'tax_line',
  columns: [
    ['position', 'bigint'],
    ['at', 'timestamptz'],
    ['place', 'text'],
    ['net_micro_usd', 'bigint'],
    ['taxable_micro_usd', 'bigint'],
    ['tax_micro_usd', 'bigint'],
    ['reason', 'text'],
    ['sales', 'smallint'],
  ],
  rowsOf(event) {
    const line = taxLineOf(event);
    if (!line) return [];
    const { place = null, netMicroUsd, taxableMicroUsd, taxMicroUsd, reason = null } = line;
    const sales = event.type === 'CreditsGranted' ? 1 : 0;
    return [
      [event.position, event.bookedAt, place, netMicroUsd, taxableMicroUsd, taxMicroUsd, reason, sales],
    ];
  },
};

/** What the report of tax sums up. */
export const taxLines: AsyncProjection<Taxing> = {
  name: 'tax-lines',
  version: 2, // 2: by the date of the sale
  lifecycle: 'async', // Nobody waits for it while buying.
  types: ['CreditsGranted', 'InvoiceRefunded', 'RefundUndone', 'DisputeLost'],
  ...addingBooked(LINES),
};
