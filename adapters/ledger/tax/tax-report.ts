/** Raw SQL: sums by month and place. */
import { Injectable } from '@nestjs/common';
import type { Span } from '../../../application/ledger/contract.js';
import type { TaxReport } from '../../../application/ledger/tax/tax-contract.js';
import { Database } from '../../platform/database/database.js';

@Injectable()
export class TaxQueries {
  constructor(private readonly database: Database) {}

  async report({ from, to }: Span): Promise<TaxReport> {
    const { rows } = await this.database.long.query({
      name: 'tax-by-month-and-place',
      text: `select to_char(at at time zone 'UTC', 'YYYY-MM') as month,
                    split_part(place, '-', 1) as country,
                    nullif(split_part(place, '-', 2), '') as state,
                    sum(sales)::int as sales,
                    coalesce(sum(net_micro_usd) filter (where sales = 1), 0)::bigint as "soldMicroUsd",
                    coalesce(-sum(net_micro_usd) filter (where sales = 0), 0)::bigint as "returnedMicroUsd",
                    sum(taxable_micro_usd)::bigint as "taxableMicroUsd",
                    coalesce(sum(net_micro_usd) filter (where reason = 'reverse_charge'), 0)::bigint as "reverseChargeMicroUsd",
                    coalesce(sum(tax_micro_usd) filter (where sales = 1), 0)::bigint as "collectedMicroUsd",
                    coalesce(-sum(tax_micro_usd) filter (where sales = 0), 0)::bigint as "givenBackMicroUsd",
                    sum(tax_micro_usd)::bigint as "dueMicroUsd"
               from tax_line
              where ($1::timestamptz is null or at >= $1) and ($2::timestamptz is null or at < $2)
              group by 1, place order by 1, place nulls last`,
      values: [from ?? null, to ?? null],
    });
    return { items: rows };
  }
}
