import type { ConnectedAccount } from '../../application/payments/payout-gateway.js';
import type { PayoutClaims, ScheduleChoice } from '../../application/payouts/contract.js';
import { ConnectedAccounts } from '../../application/payouts/payout-accounts.js';
import { PayoutScheduleStore } from '../../application/payouts/payout-schedules.js';
import { PayoutClaimQueries } from '../../application/payouts/queries.js';
import { DatabaseAdapter } from '../platform/database/database.js';

export class PostgresConnectedAccounts extends DatabaseAdapter implements ConnectedAccounts {
  find(creatorId: string): Promise<ConnectedAccount | undefined> {
    return this.ofCreator(creatorId).executeTakeFirst();
  }

  private ofCreator(creatorId: string) {
    return this.database.db
      .selectFrom('connect_account')
      .select(['account_id as accountId', 'charges_enabled as chargesEnabled'])
      .select(['payouts_enabled as payoutsEnabled', 'requirements'])
      .where('creator_id', '=', creatorId);
  }

  needingDetails(): Promise<{ creatorId: string; requirements: string[] }[]> {
    return this.database.db
      .selectFrom('connect_account')
      .select(['creator_id as creatorId', 'requirements'])
      .where('payouts_enabled', '=', false)
      .where(({ eb, fn }) => eb(fn<number>('cardinality', ['requirements']), '>', 0))
      .execute();
  }

  async creatorOf(accountId: string): Promise<string | undefined> {
    const found = await this.database.db
      .selectFrom('connect_account')
      .select('creator_id')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return found?.creator_id;
  }

  async connect(creatorId: string, account: ConnectedAccount, now: Date, replaces?: string) {
    const row = { account_id: account.accountId, ...stateOf(account, now), created_at: now };
    await this.database.db
      .insertInto('connect_account')
      .values({ creator_id: creatorId, ...row })
      .onConflict((conflict) => {
        const taken = conflict.column('creator_id');
        if (replaces === undefined) return taken.doNothing();
        return taken.doUpdateSet(row).where('connect_account.account_id', '=', replaces);
      })
      .execute();
    return this.ofCreator(creatorId).executeTakeFirstOrThrow();
  }

  async refresh(account: ConnectedAccount, now: Date): Promise<void> {
    await this.database.db
      .updateTable('connect_account')
      .set(stateOf(account, now))
      .where('account_id', '=', account.accountId)
      .execute();
  }
}

const stateOf = ({ chargesEnabled, payoutsEnabled, requirements }: ConnectedAccount, now: Date) => ({
  charges_enabled: chargesEnabled,
  payouts_enabled: payoutsEnabled,
  requirements,
  checked_at: now,
});

/**
 * Raw SQL: it reads the JSON of the log. The queries are slow but rare, because accounts with a balance are seldom
 * deleted.
 */
export class PostgresPayoutClaims extends DatabaseAdapter implements PayoutClaimQueries {
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

export class PostgresPayoutSchedules extends DatabaseAdapter implements PayoutScheduleStore {
  async find(creatorId: string): Promise<ScheduleChoice> {
    const found = await this.database.db
      .selectFrom('payout_schedule')
      .select('schedule')
      .where('creator_id', '=', creatorId)
      .executeTakeFirst();
    return found?.schedule ?? 'on_demand';
  }

  async choose(creatorId: string, schedule: ScheduleChoice, month: string): Promise<void> {
    await this.database.db
      .insertInto('payout_schedule')
      .values({ creator_id: creatorId, schedule, done_month: month })
      .onConflict((conflict) =>
        conflict.column('creator_id').doUpdateSet(({ fn }) => ({
          schedule,
          done_month: fn<string>('greatest', ['payout_schedule.done_month', 'excluded.done_month']),
        })),
      )
      .execute();
  }

  async due(month: string, limit: number): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('payout_schedule as s')
      .innerJoin('creator_standing as c', 'c.user_id', 's.creator_id')
      .select('s.creator_id')
      .where('c.status', '=', 'approved')
      .where('s.schedule', '=', 'monthly')
      .where('s.done_month', '<', month)
      .orderBy('s.creator_id')
      .limit(limit)
      .execute();
    return rows.map((row) => row.creator_id);
  }

  async markDone(creatorId: string, month: string): Promise<void> {
    await this.database.db
      .updateTable('payout_schedule')
      .set({ done_month: month })
      .where('creator_id', '=', creatorId)
      .where('done_month', '<', month)
      .execute();
  }
}
