import type { Span } from '../../../application/ledger/contract.js';
import type { TaxReport } from '../../../application/ledger/tax/tax-contract.js';
import type { ReverseCharged, TaxReports } from '../../../application/ledger/tax/vat-return.js';
import type { CreditEvent } from '../../../domain/credits/credit-account.js';
import { byType } from '../../../domain/shared/by-type.js';
import { DatabaseAdapter } from '../../platform/database/database.js';
import type { AddedRows, AsyncProjection } from '../../platform/projections/projection.js';
import { addingBooked, type Booked } from '../booked-rows.js';

type Taxing = Extract<
  CreditEvent,
  { type: 'CreditsGranted' | 'InvoiceRefunded' | 'RefundUndone' | 'DisputeLost' | 'LostDisputeWon' }
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
  // A refund that included tax was taxable as a whole. A refund without tax was not taxable.
  const taxable = taxMicroUsd === 0 ? 0 : net;
  return { place, netMicroUsd: sign * net, taxableMicroUsd: sign * taxable, taxMicroUsd: sign * taxMicroUsd };
};

const disputed = (
  { taxMicroUsd = 0, ...data }: Partial<Extract<Taxing, { type: 'DisputeLost' }>['data']>,
  sign: 1 | -1,
) => {
  const { taxPlace, amountMicroUsd = 0, unexplained } = data;
  const net = amountMicroUsd - (unexplained?.amountMicroUsd ?? 0) - taxMicroUsd;
  return returned({ taxPlace, taxMicroUsd }, net, sign);
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
  DisputeLost: ({ data }) => disputed(data, -1),
  LostDisputeWon: ({ data }) => disputed(data, 1),
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
  version: 3, // 3: with won appeals
  lifecycle: 'async', // A purchase does not wait for the tax report.
  types: lines.types,
  ...addingBooked(LINES),
};

/**
 * Raw SQL: sums by month and place. Lines of refunds and disputes have no tax reason, so the query uses the reason
 * of the sale that granted the lot.
 */
export class PostgresTaxReports extends DatabaseAdapter implements TaxReports {
  async report({ from, to }: Span): Promise<TaxReport> {
    const { rows } = await this.database.long.query({
      name: 'tax-by-month-and-place',
      text: `with line as (
               select l.*, coalesce(l.reason, sold.reason) as taxed_as
                 from tax_line l
                 left join readable_event back on back.position = l.position and l.sales = 0
                 left join credit_grant g on g.lot_id = back.data->>'lotId'
                 left join tax_line sold on sold.position = g.position
             )
             select to_char(at at time zone 'UTC', 'YYYY-MM') as month,
                    split_part(place, '-', 1) as country,
                    nullif(split_part(place, '-', 2), '') as state,
                    sum(sales)::int as sales,
                    coalesce(sum(net_micro_usd) filter (where sales = 1), 0)::bigint as "soldMicroUsd",
                    coalesce(-sum(net_micro_usd) filter (where sales = 0), 0)::bigint as "returnedMicroUsd",
                    sum(taxable_micro_usd)::bigint as "taxableMicroUsd",
                    coalesce(sum(net_micro_usd) filter (where taxed_as = 'reverse_charge'), 0)::bigint as "reverseChargeMicroUsd",
                    coalesce(sum(tax_micro_usd) filter (where sales = 1), 0)::bigint as "collectedMicroUsd",
                    coalesce(-sum(tax_micro_usd) filter (where sales = 0), 0)::bigint as "givenBackMicroUsd",
                    sum(tax_micro_usd)::bigint as "dueMicroUsd"
               from line
              where ($1::timestamptz is null or at >= $1) and ($2::timestamptz is null or at < $2)
              group by 1, place order by 1, place nulls last`,
      values: [from ?? null, to ?? null],
    });
    return { items: rows };
  }

  async firms({ from, to }: Span): Promise<ReverseCharged[]> {
    const { rows } = await this.database.long.query({
      name: 'reverse-charge-by-firm',
      text: `with line as (
               select l.net_micro_usd as net, split_part(l.place, '-', 1) as country, coalesce(l.reason, sold.reason) as taxed_as,
                      coalesce(g.position, l.position) as sold_at
                 from tax_line l
                 left join readable_event back on back.position = l.position and l.sales = 0
                 left join credit_grant g on g.lot_id = back.data->>'lotId'
                 left join tax_line sold on sold.position = g.position
                where l.at >= $1 and l.at < $2
             )
             select country, i.vat_ids as "vatIds", sum(net)::bigint as "netMicroUsd"
               from line
               join readable_event e on e.position = sold_at
               left join stripe_invoice i on i.invoice_id = e.data->'invoice'->>'invoiceId'
              where taxed_as = 'reverse_charge'
              group by 1, 2 order by 1, 2 nulls last`,
      values: [from, to],
    });
    return rows as ReverseCharged[];
  }
}
