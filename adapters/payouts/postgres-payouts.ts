import { Injectable } from '@nestjs/common';
import type { ExpressionBuilder, UpdateObject } from 'kysely';
import type { Payout, Statement, StatementLine, Statements } from '../../application/payouts/contract.js';
import { PayoutQueries } from '../../application/payouts/queries.js';
import { Streams } from '../../application/shared/streams.js';
import {
  payoutDecider,
  statementOf,
  type PayoutEvent,
  type SettlementEvent,
} from '../../domain/payouts/payouts.js';
import { byType } from '../../domain/shared/by-type.js';
import { MICRO_USD_PER_CENT, microUsdFromCents } from '../../domain/shared/micro-usd.js';
import { type Dated, withIsoTimes } from '../../application/shared/iso-times.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { Database, prepared, type Queries } from '../platform/database/database.js';
import type { DB } from '../platform/database/schema.js';
import { oneByOne } from '../platform/projections/one-by-one.js';
import type { InlineProjection, Projected } from '../platform/projections/projection.js';
import { COUNTRY } from './postgres-earnings.js';

type AboutWithdrawal = Exclude<PayoutEvent, { type: 'CreatorDebtWrittenOff' }>;

const changes = byType<
  SettlementEvent,
  [columns: ExpressionBuilder<DB, 'payout'>],
  UpdateObject<DB, 'payout'>
>({
  TransferAnswerLost: () => ({ status: 'unknown' }),
  TransferCreated: ({ data }) => ({ status: 'paid', transfer_id: data.transferId, settled_at: data.at }),
  WithdrawalFailed: ({ data }) => ({ status: 'failed', failure: data.reason, settled_at: data.at }),
  TransferReversed: ({ data }, { eb }) => ({
    reversed_usd_cents: eb('reversed_usd_cents', '+', data.amountMicroUsd / MICRO_USD_PER_CENT),
  }),
});

export const payouts: InlineProjection<AboutWithdrawal> = {
  name: 'payouts',
  version: 1,
  lifecycle: 'inline', // A creator who just clicked Withdraw must see the withdrawal in progress.
  types: ['WithdrawalRequested', ...changes.types],
  tables: ['payout'],
  ...oneByOne(applyOne),
};

async function applyOne(fact: Projected<AboutWithdrawal>, db: Queries): Promise<void> {
  const { version } = fact;
  if (fact.type === 'WithdrawalRequested') {
    const { withdrawalId, creatorId, accountId, amountUsdCents, spans, deductedMicroUsd, at } = fact.data;
    await db
      .insertInto('payout')
      .values({
        withdrawal_id: withdrawalId,
        creator_id: creatorId,
        version,
        account_id: accountId,
        amount_usd_cents: amountUsdCents,
        spans: JSON.stringify(spans),
        deducted_micro_usd: deductedMicroUsd,
        status: 'requested',
        requested_at: at,
      })
      .onConflict((conflict) => conflict.column('withdrawal_id').doNothing())
      .execute();
    return;
  }
  // Compares versions, so that an old event changes nothing.
  await db
    .updateTable('payout')
    .set((columns) => ({ ...changes.of(fact, columns), version }))
    .where('withdrawal_id', '=', fact.data.withdrawalId)
    .where('version', '<', version)
    .execute();
}

const IN_FLIGHT = ['requested', 'unknown'] as const;

@Injectable()
export class PostgresPayoutQueries implements PayoutQueries {
  constructor(
    private readonly database: Database,
    private readonly streams: Streams,
  ) {}

  find(creatorId: string, withdrawalId: string): Promise<Payout | undefined> {
    return one(this.ofCreator(creatorId).where('withdrawal_id', '=', withdrawalId));
  }

  inFlight(creatorId: string): Promise<Payout | undefined> {
    return one(this.ofCreator(creatorId).where('status', 'in', IN_FLIGHT));
  }

  async list(creatorId: string, page: { limit: number; cursor?: string }): Promise<Statements> {
    const seen = decodeCursor(page.cursor, ['time', 'text']);
    const rows = await this.ofCreator(creatorId)
      .where(({ eb, lit, refTuple, tuple }) =>
        seen
          ? eb(refTuple('requested_at', 'withdrawal_id'), '<', tuple(new Date(seen[0]), seen[1]))
          : lit(true),
      )
      .orderBy('requested_at', 'desc')
      .orderBy('withdrawal_id', 'desc')
      .limit(page.limit + 1)
      .execute();
    const payouts = rows.map(payoutFrom);
    const { shown, nextCursor } = pageOf(payouts, page.limit, (last) => [last.requestedAt, last.id]);
    return { items: shown, nextCursor };
  }

  private ofCreator(creatorId: string) {
    return this.database.db
      .selectFrom('payout')
      .select(['withdrawal_id as id', 'amount_usd_cents as amountUsdCents', 'status'])
      .select(['requested_at as requestedAt', 'settled_at as settledAt', 'transfer_id as transferId'])
      .select(['reversed_usd_cents as reversedUsdCents', 'failure'])
      .where('creator_id', '=', creatorId);
  }

  async statement(creatorId: string, withdrawalId: string): Promise<Statement | undefined> {
    const payout = await this.find(creatorId, withdrawalId);
    if (!payout || payout.status === 'failed') return undefined;
    const { spans } = await this.payout(withdrawalId).select('spans').executeTakeFirstOrThrow();
    // The order of a creator's withdrawals comes from the log, because the clocks of nodes differ.
    const { withdrawals } = await this.streams.load(payoutDecider, creatorId);
    const at = withdrawals.findIndex((one) => one.withdrawalId === withdrawalId);
    const { sales, paidAgain } = statementOf(spans, withdrawals.slice(0, Math.max(at, 0)));
    // Raw SQL: a window function adds up earnings in log order, and the payout's spans select parts of this sum.
    const { rows } = await this.database.pool.query(
      prepared(
        'statement-lines',
        `with paid as (select deducted_micro_usd from payout where withdrawal_id = $2),
                  laid as (select *, sum(share_micro_usd) over (order by position) as upto
                             from earning where creator_id = $1 and share_micro_usd > 0)
             select 'sale' as kind, sale.purchase_id as "purchaseId", sale.sample_id as "sampleId",
                    sample.title as "sampleTitle", pack.title as "packTitle", sale.at as "soldAt",
                    sale.credits_used as "creditsUsed", ${COUNTRY} as country,
                    share_micro_usd as "shareMicroUsd",
                    (least(upto, s."toMicroUsd") - greatest(upto - share_micro_usd, s."fromMicroUsd"))::bigint as "amountMicroUsd",
                    null as "reversedPayoutId", null as "reversedPayoutAt", null as "reversalId", sale.position
               from jsonb_to_recordset($3::jsonb) as s("fromMicroUsd" bigint, "toMicroUsd" bigint)
               join laid sale on sale.upto > s."fromMicroUsd" and sale.upto - sale.share_micro_usd < s."toMicroUsd"
               left join sample on sample.sample_id = sale.sample_id
               left join pack on pack.pack_id = sample.pack_id
             union all
             select 'payout_reversal', null, null, null, null, null, null, null, null, r."amountMicroUsd",
                    r."withdrawalId", payout.requested_at, r."reversalId", null
               from jsonb_to_recordset($4::jsonb) as r("withdrawalId" text, "reversalId" text, "amountMicroUsd" bigint)
               join payout on payout.withdrawal_id = r."withdrawalId"
             union all
             select 'reversal', null, null, null, null, null, null, null, null, -deducted_micro_usd, null, null, null, null
               from paid where deducted_micro_usd > 0
             order by position nulls last, "reversedPayoutAt" nulls last, "reversedPayoutId", "reversalId"`,
        [creatorId, withdrawalId, JSON.stringify(sales), JSON.stringify(paidAgain)],
      ),
    );
    const lines = (rows as LineRow[]).map(({ position: _, ...line }) => withIsoTimes(line));
    return { ...payout, amountMicroUsd: microUsdFromCents(payout.amountUsdCents), lines };
  }

  async creatorOf(withdrawalId: string): Promise<string | undefined> {
    const found = await this.payout(withdrawalId).select('creator_id').executeTakeFirst();
    return found?.creator_id;
  }

  private payout(withdrawalId: string) {
    return this.database.db.selectFrom('payout').where('withdrawal_id', '=', withdrawalId);
  }

  unsettled(limit: number): Promise<{ creatorId: string; withdrawalId: string }[]> {
    return this.database.db
      .selectFrom('payout')
      .select(['creator_id as creatorId', 'withdrawal_id as withdrawalId'])
      .where('status', 'in', IN_FLIGHT)
      .orderBy('requested_at')
      .limit(limit)
      .execute();
  }
}

type LineRow = Dated<StatementLine> & { position: number | null };
type Row = Dated<Payout>;

function statusOf({ status, amountUsdCents, reversedUsdCents }: Row): Payout['status'] {
  if (reversedUsdCents === 0) return status;
  return reversedUsdCents < amountUsdCents ? 'partly_reversed' : 'reversed';
}

const payoutFrom = (row: Row): Payout => ({ ...withIsoTimes(row), status: statusOf(row) });

async function one(query: { executeTakeFirst(): Promise<Row | undefined> }): Promise<Payout | undefined> {
  const row = await query.executeTakeFirst();
  return row && payoutFrom(row);
}
