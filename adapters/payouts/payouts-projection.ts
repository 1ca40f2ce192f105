import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { Payout, Statement, StatementLine, Statements } from '../../application/payouts/contract.js';
import { PayoutReader } from '../../application/payouts/readers.js';
import { dropLast, type Span } from '../../domain/payouts/spans.js';
import type { PayoutEvent, SettlementEvent } from '../../domain/payouts/payouts.js';
import { MICRO_USD_PER_CENT } from '../../domain/shared/micro-usd.js';
import { decodeCursor, encodeCursor } from '../platform/database/cursor.js';
import { Database } from '../platform/database/database.js';
import type { InlineProjection, Projected } from '../platform/projections/projection.js';

const TYPES = [
  'WithdrawalRequested',
  'TransferAnswerLost',
  'TransferCreated',
  'WithdrawalFailed',
  'TransferReversed',
] as const satisfies readonly (SettlementEvent['type'] | 'WithdrawalRequested')[];

type AboutWithdrawal = Exclude<PayoutEvent, { type: 'CreatorDebtWrittenOff' }>;

/** Every withdrawal and what became of it. */
export const payouts: InlineProjection<AboutWithdrawal> = {
  name: 'payouts',
  version: 1,
  lifecycle: 'inline', // Who just clicked Withdraw must see it under way.
  types: TYPES,
  tables: ['payout'],
  async apply(client, events) {
    for (const event of events) await applyOne(client, event);
  },
};

async function applyOne(client: ClientBase, fact: Projected<AboutWithdrawal>): Promise<void> {
  const { version } = fact;
  if (fact.type === 'WithdrawalRequested') {
    const { withdrawalId, creatorId, accountId, amountUsdCents, spans, deductedMicroUsd, at } = fact.data;
    await client.query(
      `insert into payout (withdrawal_id, creator_id, version, account_id, amount_usd_cents, spans, deducted_micro_usd, status, requested_at)
       values ($1, $2, $3, $4, $5, $6, $7, 'requested', $8) on conflict (withdrawal_id) do nothing`,
      [
        withdrawalId,
        creatorId,
        version,
        accountId,
        amountUsdCents,
        JSON.stringify(spans),
        deductedMicroUsd,
        at,
      ],
    );
    return;
  }
  const { assignments, values } = changeBy(fact);
  // The row's version says whether it has seen this event: an older one changes nothing.
  await client.query(
    `update payout set ${assignments}, version = $2 where withdrawal_id = $1 and version < $2`,
    [fact.data.withdrawalId, version, ...values],
  );
}

function changeBy(fact: SettlementEvent): {
  assignments: string;
  values: unknown[];
} {
  switch (fact.type) {
    case 'TransferAnswerLost':
      return { assignments: `status = 'unknown'`, values: [] };
    case 'TransferCreated':
      return {
        assignments: `status = 'paid', transfer_id = $3, settled_at = $4`,
        values: [fact.data.transferId, fact.data.at],
      };
    case 'WithdrawalFailed':
      return {
        assignments: `status = 'failed', failure = $3, settled_at = $4`,
        values: [fact.data.reason, fact.data.at],
      };
    case 'TransferReversed':
      return {
        assignments: `reversed_usd_cents = reversed_usd_cents + $3`,
        values: [fact.data.amountMicroUsd / MICRO_USD_PER_CENT],
      };
  }
}

const COLUMNS = `withdrawal_id as id, amount_usd_cents as "amountUsdCents", status, requested_at as "requestedAt",
  settled_at as "settledAt", transfer_id as "transferId", reversed_usd_cents as "reversedUsdCents", failure`;

type Row = Omit<Payout, 'requestedAt' | 'settledAt'> & { requestedAt: Date; settledAt: Date | null };

const payoutFrom = ({ requestedAt, settledAt, ...row }: Row): Payout => ({
  ...row,
  requestedAt: requestedAt.toISOString(),
  settledAt: settledAt?.toISOString() ?? null,
});

@Injectable()
export class PostgresPayoutReader extends PayoutReader {
  constructor(private readonly database: Database) {
    super();
  }

  async #one(condition: string, values: unknown[]): Promise<Payout | undefined> {
    const { rows } = await this.database.pool.query(
      `select ${COLUMNS} from payout where ${condition}`,
      values,
    );
    return rows[0] && payoutFrom(rows[0] as Row);
  }

  override find(creatorId: string, withdrawalId: string): Promise<Payout | undefined> {
    return this.#one('creator_id = $1 and withdrawal_id = $2', [creatorId, withdrawalId]);
  }

  override inFlight(creatorId: string): Promise<Payout | undefined> {
    return this.#one(`creator_id = $1 and status in ('requested', 'unknown')`, [creatorId]);
  }

  override async list(creatorId: string, page: { limit: number; cursor?: string }): Promise<Statements> {
    const [at, id] = decodeCursor(page.cursor, ['time', 'text']) ?? [null, null];
    const { rows } = await this.database.pool.query({
      name: 'payouts-of-creator',
      text: `select ${COLUMNS} from payout
              where creator_id = $1 and ($2::timestamptz is null or (requested_at, withdrawal_id) < ($2, $3))
              order by requested_at desc, withdrawal_id desc limit $4`,
      values: [creatorId, at, id, page.limit + 1],
    });
    const items = (rows as Row[]).slice(0, page.limit).map(payoutFrom);
    const last = items.at(-1);
    const more = rows.length > page.limit && last;
    return { items, nextCursor: more ? encodeCursor([last.requestedAt, last.id]) : null };
  }

  override async statement(creatorId: string, withdrawalId: string): Promise<Statement | undefined> {
    const payout = await this.find(creatorId, withdrawalId);
    if (!payout || payout.status === 'failed') return undefined;
    const paid = await this.database.pool.query(`select spans from payout where withdrawal_id = $1`, [
      withdrawalId,
    ]);
    const { spans } = paid.rows[0] as { spans: Span[] };
    // What came back is paid by a later one, and listed there.
    const kept = dropLast(spans, payout.reversedUsdCents * MICRO_USD_PER_CENT);
    // Earnings laid end to end in the log's order, cut where the payout's spans begin and end.
    const { rows } = await this.database.pool.query({
      name: 'statement-lines',
      text: `with paid as (select deducted_micro_usd from payout where withdrawal_id = $2),
                  laid as (select *, sum(share_micro_usd) over (order by position) as upto
                             from earning where creator_id = $1 and share_micro_usd > 0)
             select 'sale' as kind, purchase_id as "purchaseId", sample_id as "sampleId",
                    (select title from sample where sample.sample_id = laid.sample_id) as "sampleTitle", at as "soldAt",
                    share_micro_usd as "shareMicroUsd",
                    (least(upto, s."toMicroUsd") - greatest(upto - share_micro_usd, s."fromMicroUsd"))::bigint as "amountMicroUsd",
                    position
               from jsonb_to_recordset($3::jsonb) as s("fromMicroUsd" bigint, "toMicroUsd" bigint)
               join laid on laid.upto > s."fromMicroUsd" and laid.upto - laid.share_micro_usd < s."toMicroUsd"
             union all
             select 'reversal', null, null, null, null, null, -deducted_micro_usd, null from paid where deducted_micro_usd > 0
             order by position nulls last`,
      values: [creatorId, withdrawalId, JSON.stringify(kept)],
    });
    const lines = (rows as (Omit<StatementLine, 'soldAt'> & { soldAt: Date | null; position: number })[]).map(
      ({ position: _, soldAt, ...line }) => ({ ...line, soldAt: soldAt?.toISOString() ?? null }),
    );
    const stayed = payout.amountUsdCents - payout.reversedUsdCents;
    return { ...payout, amountMicroUsd: stayed * MICRO_USD_PER_CENT, lines };
  }

  override async creatorOf(withdrawalId: string): Promise<string | undefined> {
    const { rows } = await this.database.pool.query(
      `select creator_id from payout where withdrawal_id = $1`,
      [withdrawalId],
    );
    return (rows[0] as { creator_id: string } | undefined)?.creator_id;
  }

  override async unsettled(limit: number): Promise<{ creatorId: string; withdrawalId: string }[]> {
    const { rows } = await this.database.pool.query(
      `select creator_id as "creatorId", withdrawal_id as "withdrawalId" from payout
        where status in ('requested', 'unknown') order by requested_at limit $1`,
      [limit],
    );
    return rows as { creatorId: string; withdrawalId: string }[];
  }
}
