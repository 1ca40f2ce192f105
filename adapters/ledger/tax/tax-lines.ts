import type { CreditEvent } from '../../../domain/credits/credit-account.js';
import { byType } from '../../../domain/shared/by-type.js';
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

const returned = (
  { taxPlace: place, taxMicroUsd }: { taxPlace?: string | undefined; taxMicroUsd: number },
  net: number,
  sign: 1 | -1 = -1,
): TaxLine | undefined => {
  if (place === undefined && taxMicroUsd === 0) return undefined;
  // If tax went back, the whole amount was taxable. Otherwise nothing was.
  const taxable = taxMicroUsd === 0 ? 0 : net;
  return { place, netMicroUsd: sign * net, taxableMicroUsd: sign * taxable, taxMicroUsd: sign * taxMicroUsd };
};

const lines = byType<Taxing, [], TaxLine | undefined>({
  CreditsGranted({ data: { invoice, valueMicroUsd: netMicroUsd } }) {
    if (!invoice || (!invoice.taxed && invoice.taxMicroUsd === 0)) return undefined;
    const { taxed, taxMicroUsd } = invoice;
    return {
      place: taxed?.place,
      netMicroUsd,
      taxableMicroUsd: taxed?.taxableMicroUsd ?? netMicroUsd,
      taxMicroUsd,
      ...(taxed && { reason: taxed.reason }),
    };
  },
  InvoiceRefunded: ({ data }) => returned(data, data.netMicroUsd),
  RefundUndone: ({ data }) => returned(data, data.netMicroUsd, 1),
  DisputeLost: ({ data }) =>
    returned(data, data.amountMicroUsd - (data.unexplained?.amountMicroUsd ?? 0) - data.taxMicroUsd),
});

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
    const line = lines.of(event);
    if (!line) return [];
    const { place = null, netMicroUsd, taxableMicroUsd, taxMicroUsd, reason = null } = line;
    const sales = event.type === 'CreditsGranted' ? 1 : 0;
    return [
      [event.position, event.bookedAt, place, netMicroUsd, taxableMicroUsd, taxMicroUsd, reason, sales],
    ];
  },
};

export const taxLines: AsyncProjection<Taxing> = {
  name: 'tax-lines',
  version: 2, // 2: by the date of the sale
  lifecycle: 'async', // A purchase does not wait for it.
  types: lines.types,
  ...addingBooked(LINES),
};
