/** Raw SQL: an account is a row of sums over the journal. */
import type { CreatorAccount, CreatorAccounts } from '../../application/payouts/contract.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { CREATOR_SUMS } from '../platform/database/shares.js';

/** A withdrawal reduces the creator's balance when it is requested. The table `payout` records whether it was paid. */
const ACCOUNTS = `
  select b."creatorId", b."balanceMicroUsd", b."earnedMicroUsd", b."takenBackMicroUsd", b."writtenOffMicroUsd", coalesce(u.display_name, 'Former member') as "displayName", p.handle,
         coalesce(t.cents, 0)::bigint * 10000 as "inTransitMicroUsd",
         b."withdrawnMicroUsd" - coalesce(t.cents, 0)::bigint * 10000 as "paidMicroUsd"
    from (select substr(account, 9) as "creatorId", -sum(delta)::bigint as "balanceMicroUsd", ${CREATOR_SUMS}
            from journal_line
           -- ';' follows ':' in byte order.
           where account >= 'creator:' and account < 'creator;' and ($1::text is null or account = 'creator:' || $1)
           group by account) as b
    left join user_account u on u.user_id = b."creatorId"
    left join creator_profile p on p.user_id = b."creatorId"
    left join (select creator_id, sum(amount_usd_cents) as cents from payout
                where status in ('requested', 'unknown') group by creator_id) as t on t.creator_id = b."creatorId"`;

type Sums = CreatorAccounts['totals'] & { total: number };
const NO_SUMS: Sums = {
  total: 0,
  earnedMicroUsd: 0,
  takenBackMicroUsd: 0,
  inTransitMicroUsd: 0,
  paidMicroUsd: 0,
  writtenOffMicroUsd: 0,
  balanceMicroUsd: 0,
};
const SUMS = Object.keys(NO_SUMS)
  .filter((name) => name !== 'total')
  .map((name) => `sum("${name}")::bigint as "${name}"`)
  .join(', ');

type Row = CreatorAccount & { sums?: Sums };
const withoutSum = ({ sums: _, ...account }: Row): CreatorAccount => account;

export class CreatorAccountQueries extends DatabaseAdapter {
  async list(query: { search: string; limit: number; cursor?: string }): Promise<CreatorAccounts> {
    const [balance, id] = decodeCursor(query.cursor, ['integer', 'text']) ?? [null, null];
    const { rows } = await this.database.pool.query({
      name: 'creator-accounts',
      text: `with account as (
               select * from (${ACCOUNTS}) as a
                where $2 = '' or strpos(lower("displayName"), lower($2)) > 0 or strpos(lower(coalesce(handle, '')), lower($2)) > 0
                      or "creatorId" = $2)
             select account.*, (select to_json(sums) from (select count(*) as total, ${SUMS} from account) as sums) as sums
               from account
              where ($3::bigint is null or ("balanceMicroUsd", "creatorId") < ($3, $4::text))
              order by "balanceMicroUsd" desc, "creatorId" desc limit $5`,
      values: [null, query.search, balance, id, query.limit + 1],
    });
    const { total, ...totals } = (rows as Row[])[0]?.sums ?? NO_SUMS;
    const { shown, nextCursor } = pageOf((rows as Row[]).map(withoutSum), query.limit, (last) => [
      last.balanceMicroUsd,
      last.creatorId,
    ]);
    return { items: shown, nextCursor, total, totals };
  }

  /** Returns undefined for a creator who never earned anything. */
  async find(creatorId: string): Promise<CreatorAccount | undefined> {
    const { rows } = await this.database.pool.query({
      name: 'creator-account',
      text: ACCOUNTS,
      values: [creatorId],
    });
    const row = rows[0] as Row | undefined;
    return row && withoutSum(row);
  }
}
