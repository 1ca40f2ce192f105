import { Injectable } from '@nestjs/common';
import type { PayoutClaims } from '../../application/payouts/contract.js';
import { PayoutClaimQueries } from '../../application/payouts/queries.js';
import { Database } from '../platform/database/database.js';

/** Raw SQL: it reads the JSON of the log directly. Accounts with a balance are seldom deleted. */
@Injectable()
export class PostgresPayoutClaims implements PayoutClaimQueries {
  constructor(private readonly database: Database) {}

  async find(codeHash: string): Promise<{ creatorId: string; payableUntil: string } | undefined> {
    const { rows } = await this.database.pool.query(
      `select data->>'creatorId' as "creatorId", data->>'payableUntil' as "payableUntil" from event e
        where type = 'PayoutClaimMade' and data->>'codeHash' = $1
          and not exists (select 1 from event later where later.stream = e.stream and later.version > e.version
                                                      and later.type = 'PayoutClaimMade')`,
      [codeHash],
    );
    return rows[0] as { creatorId: string; payableUntil: string } | undefined;
  }

  async list(): Promise<PayoutClaims['items']> {
    const { rows } = await this.database.pool.query(
      `with claim as (
         select data->>'creatorId' as "creatorId", max(data->>'at') filter (where type = 'PayoutClaimMade') as "madeAt",
                max(data->>'payableUntil') as "payableUntil",
                count(*) filter (where type = 'PayoutClaimRedeemed')::int as payouts
           from event where type in ('PayoutClaimMade', 'PayoutClaimRedeemed') group by 1 order by 2 desc limit 1000)
       select claim.*, greatest(0, (select -coalesce(sum(delta), 0) from journal_line
                                     where account = 'creator:' || "creatorId"))::bigint as "owedMicroUsd"
         from claim order by "madeAt" desc`,
    );
    return rows as PayoutClaims['items'];
  }
}
