import type { ProviderBalances, TieOut } from '../../../application/ledger/tie-outs/tie-out-contract.js';
import { TieOuts, type KeptTieOut } from '../../../application/ledger/tie-outs/tie-outs.js';
import type { TieOutEvent } from '../../../domain/ledger/kept-tie-out.js';
import { boundsOf } from '../../../domain/ledger/period.js';
import { type Dated, withIsoTimes } from '../../../application/shared/iso-times.js';
import { DatabaseAdapter } from '../../platform/database/database.js';
import { oneByOne } from '../../platform/projections/one-by-one.js';
import type { InlineProjection } from '../../platform/projections/projection.js';

export const tieOuts: InlineProjection<TieOutEvent> = {
  name: 'tie-outs',
  version: 1,
  lifecycle: 'inline', // The person who uploads a report closes the month next.
  types: ['TieOutDone'],
  tables: ['tie_out'],
  ...oneByOne<TieOutEvent>(({ data, position }, db) => {
    const row = {
      covers_from: data.from,
      covers_to: data.to,
      matched: data.matched,
      stripe_micro_usd: data.stripeMicroUsd,
      books_micro_usd: data.booksMicroUsd,
      only_at_stripe: data.onlyAtStripe,
      only_in_books: data.onlyInBooks,
      unexplained_micro_usd: data.unexplainedMicroUsd,
      done_by: data.by,
      done_at: data.at,
      position,
    };
    return db
      .insertInto('tie_out')
      .values({ sha256: data.sha256, ...row })
      .onConflict((conflict) => conflict.column('sha256').doUpdateSet(row))
      .execute();
  }),
};

export class PostgresTieOuts extends DatabaseAdapter implements TieOuts {
  async covering(month: string): Promise<KeptTieOut | undefined> {
    const { from, to } = boundsOf(month);
    const row = await this.database.db
      .selectFrom('tie_out as t')
      .select(['sha256', 'done_at', 'unexplained_micro_usd', 'only_at_stripe', 'only_in_books'])
      .where('covers_to', '>=', to)
      // A report from before the end of the month lacks the last days of the month.
      .where('done_at', '>=', to)
      // The report may begin after the month began, if no cash moved in between.
      .where(({ or, eb, not, exists, selectFrom }) =>
        or([
          eb('covers_from', '<=', from),
          not(
            exists(
              selectFrom('cash_fact as f')
                .select('f.position')
                .where('f.at', '>=', from)
                .whereRef('f.at', '<', 't.covers_from'),
            ),
          ),
        ]),
      )
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst();
    return (
      row && {
        id: row.sha256,
        doneAt: row.done_at,
        open: row.only_at_stripe + row.only_in_books,
        unexplainedMicroUsd: row.unexplained_micro_usd,
      }
    );
  }

  async list(limit: number): Promise<TieOut[]> {
    const rows = await this.database.db
      .selectFrom('tie_out')
      .select(['sha256 as id', 'covers_from as from', 'covers_to as to', 'matched', 'position'])
      .select(['stripe_micro_usd as stripeMicroUsd', 'books_micro_usd as booksMicroUsd'])
      .select(['only_at_stripe as onlyAtStripe', 'only_in_books as onlyInBooks', 'done_by as doneBy'])
      .select(['unexplained_micro_usd as unexplainedMicroUsd', 'done_at as doneAt'])
      .orderBy('position', 'desc')
      .limit(limit)
      .execute();
    return rows.map(withIsoTimes);
  }

  async balances(): Promise<ProviderBalances['items']> {
    // Raw SQL: the provider's balances from two tables, each with the journal's balance at the same position.
    const { rows } = await this.database.pool.query({
      name: 'provider-balances',
      text: `select s.currency, s.provider as "providerMicro", s.at,
                    (select coalesce(sum(delta), 0)::bigint from journal_line
                      where account = s.account and position <= s.position) as "booksMicro"
               from (select 'usd' as currency, 'stripe:balance' as account, provider_micro_usd as provider,
                            compared_position as position, compared_at as at
                       from balance_sweep where provider_micro_usd is not null and compared_at is not null
                     union all
                     select currency, 'stripe:balance:' || currency, provider_micro, compared_position, compared_at
                       from foreign_balance) as s
              order by s.currency <> 'usd', s.currency`,
    });
    return (rows as Dated<ProviderBalances['items'][number]>[]).map(withIsoTimes);
  }
}
