/** Raw SQL: reads amounts from the JSON of requests, and counts events. */
import type * as z from 'zod';
import type {
  Approval,
  ApprovalFacts,
  ApprovalsQuery,
  LimitsAnswer,
} from '../../application/approvals/contract.js';
import { ApprovalQueries } from '../../application/approvals/queries.js';
import { decidedBy, kindsDecidedBy } from '../../domain/approvals/approval.js';
import { ALONE_WINDOW_MS, FIRST_LIMITS, type Limits } from '../../domain/shared/limits.js';
import type { StaffRole } from '../../domain/shared/second-person.js';
import { DEAREST_CREDIT_MICRO_USD } from '../../domain/subscriptions/products.js';
import { type Dated, withIsoTimes } from '../../application/shared/iso-times.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { nameOf, saidAt } from '../platform/database/json-shapes.js';
import { DatabaseAdapter } from '../platform/database/database.js';

const FORMER_MEMBER = 'Former member';
const YEAR_MS = 366 * 86_400_000;
const MOST_EARLIER = 20;

const COLUMNS = `
  q.approval_id as id, q.work, q.status, q.requested_by as "requestedBy", r.display_name as "requestedByName",
  date_trunc('milliseconds', q.requested_at) as "requestedAt", q.beneficiary_id as beneficiary,
  b.display_name as "beneficiaryName", q.lapses_at as "lapsesAt", q.decided_by as "decidedBy",
  d.display_name as "decidedByName", q.decided_at as "decidedAt",
  -- Reasons about people who deleted their account are not shown.
  case when q.beneficiary_id is null or b.user_id is not null then q.reason else '' end as reason,
  case when q.beneficiary_id is null or b.user_id is not null then q.note end as note`;

const FROM = `
  from approval q
       left join user_account r on r.user_id = q.requested_by and r.erased_at is null
       left join user_account b on b.user_id = q.beneficiary_id and b.erased_at is null
       left join user_account d on d.user_id = q.decided_by and d.erased_at is null`;

type Row = Omit<Dated<Approval>, 'requestedByName'> & { requestedByName: string | null };

export class PostgresApprovalQueries extends DatabaseAdapter implements ApprovalQueries {
  async list({ state, kind, limit, cursor }: z.infer<typeof ApprovalsQuery>, by?: StaffRole) {
    const [at, id] = decodeCursor(cursor, ['time', 'text']) ?? [null, null];
    const { rows } = await this.database.pool.query<Row>(
      `select ${COLUMNS} ${FROM}
        where (q.status = 'waiting') = $1
          and ($5::text[] is null or q.work->>'kind' = any($5)
               or $6 and q.work->>'kind' = 'adjustment' and (q.work->>'valueMicroUsd')::bigint > 0)
          and ($7::text is null or q.work->>'kind' = $7)
          and ($2::timestamptz is null or (date_trunc('milliseconds', q.requested_at), q.approval_id) < ($2, $3::text))
        order by date_trunc('milliseconds', q.requested_at) desc, q.approval_id desc limit $4`,
      [
        state === 'waiting',
        at,
        id,
        limit + 1,
        by ? kindsDecidedBy(by) : null,
        by === 'finance',
        kind ?? null,
      ],
    );
    const { shown, nextCursor } = pageOf(rows, limit, (last) => [last.requestedAt.toISOString(), last.id]);
    return { items: shown.map(approvalOf), nextCursor };
  }

  async overdue(now: Date): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('approval')
      .select('approval_id as id')
      .where('status', '=', 'waiting')
      .where('lapses_at', '<=', now)
      .execute();
    return rows.map(({ id }) => id);
  }

  async limits(): Promise<LimitsAnswer> {
    const { rows } = await this.database.pool.query<
      { changed: { limits: Limits; at: string } | null; requestId: string | null } & Record<
        'by' | 'byName' | 'approvedBy' | 'approvedByName',
        string | null
      >
    >(
      `select e.data as changed, e.data->>'by' as by, b.display_name as "byName",
              e.data->>'approvedBy' as "approvedBy", a.display_name as "approvedByName",
              (select approval_id from approval where status = 'waiting' and work->>'kind' = 'limits'
                order by requested_at limit 1) as "requestId"
         from (select 1) as always
              left join lateral (select data from readable_event where stream = 'limits-alone'
                                  order by version desc limit 1) e on true
              left join user_account b on b.user_id = e.data->>'by' and b.erased_at is null
              left join user_account a on a.user_id = e.data->>'approvedBy' and a.erased_at is null`,
    );
    const [row] = rows;
    const { changed = null, by = null, byName = null, approvedBy = null, approvedByName = null } = row ?? {};
    return {
      ...(changed?.limits ?? FIRST_LIMITS),
      changedAt: changed?.at ?? null,
      changedByName: changed && nameOf(by, byName),
      approvedByName: changed && nameOf(approvedBy, approvedByName),
      requestId: row?.requestId ?? null,
    };
  }

  async boughtFrom(asked: { buyerId: string; creatorId: string; since: Date }): Promise<boolean> {
    const found = await this.database.db
      .selectFrom('owned_sample')
      .select('sample_id')
      .where('buyer_id', '=', asked.buyerId)
      .where('creator_id', '=', asked.creatorId)
      .where('purchased_at', '>=', asked.since)
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }

  async withoutEffect(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.db
      .selectFrom('approval')
      .select('approval_id as id')
      .where(({ eb, fn, val }) => eb('approval_id', '=', fn.any(val(ids))))
      .where('status', 'in', ['declined', 'withdrawn', 'lapsed', 'not carried out'])
      .execute();
    return new Set(rows.map(({ id }) => id));
  }

  async find(id: string, now: Date, by?: StaffRole): Promise<ApprovalFacts | undefined> {
    const { rows } = await this.database.pool.query<Row>(
      `select ${COLUMNS} ${FROM} where q.approval_id = $1`,
      [id],
    );
    const [row] = rows;
    if (!row) return undefined;
    const approval = approvalOf(row);
    const { work, beneficiary, requestedBy } = approval;
    if (by && !decidedBy(row.work).includes(by)) return undefined;
    const credits = work.kind === 'adjustment' ? work.credits : undefined;
    const isRefund = work.kind === 'refund';
    const limits = await this.limits();
    const given = await this.given({ by: requestedBy }, new Date(now.getTime() - ALONE_WINDOW_MS), id);
    return {
      ...approval,
      shopMicroUsd: credits === undefined ? null : Math.abs(credits) * DEAREST_CREDIT_MICRO_USD,
      balance:
        beneficiary !== null && credits !== undefined ? await this.balance(beneficiary, credits) : null,
      asker: {
        limitCredits: limits.adjustmentCredits,
        limitMicroUsd: isRefund ? limits.refundsMicroUsd : limits.adjustmentMicroUsd,
        given: given.filter(({ kind }) => (kind === 'refund') === isRefund),
      },
      person: beneficiary === null ? null : await this.person(beneficiary, id, now),
    };
  }

  private async balance(userId: string, credits: number): Promise<{ before: number; after: number }> {
    const { rows } = await this.database.pool.query<{ balance: number }>(
      `select balance from credit_account where user_id = $1`,
      [userId],
    );
    const before = rows[0]?.balance ?? 0;
    return { before, after: before + credits };
  }

  private async person(userId: string, id: string, now: Date): Promise<ApprovalFacts['person']> {
    const { rows } = await this.database.pool.query<{ since: Date | null; disputes: number }>(
      // A gift counts for its payer, wherever its lot is.
      `with paid as (
              select 'credits-' || $1 as stream union all select 'credits-gift-' || gift_id from gift where user_id = $1),
            lot as (select data->>'lotId' as lot_id from readable_event join paid using (stream) where type = 'CreditsGranted'),
            holder as (
              select stream from paid union
              select 'credits-' || (data->>'to') from readable_event join paid using (stream) where type = 'GiftGiven')
       select (select created_at from user_account where user_id = $1) as since,
              (select count(distinct e.data->>'disputeId')::int
                 from readable_event e join holder using (stream) join lot on lot.lot_id = e.data->>'lotId'
                where e.type = 'DisputeOpened') as disputes`,
      [userId],
    );
    const earlier = await this.given({ to: userId }, new Date(now.getTime() - YEAR_MS), id);
    return { since: rows[0]?.since?.toISOString() ?? null, disputes: rows[0]?.disputes ?? 0, earlier };
  }

  /** Returns adjustments made or waiting, and refunds made, newest first. @param id the request to leave out */
  private async given(who: { by: string } | { to: string }, since: Date, id: string) {
    const column = 'by' in who ? 'by_id' : 'to_id';
    const { rows } = await this.database.pool.query<Dated<ApprovalFacts['asker']['given'][number]>>(
      `select g.at, g.kind, g.credits, g.micro_usd as "microUsd", g.reason, coalesce(u.display_name, '${FORMER_MEMBER}') as name
         from (select requested_at as at, 'adjustment' as kind, requested_by as by_id, beneficiary_id as to_id,
                      (work->>'credits')::int as credits, (work->>'valueMicroUsd')::bigint as micro_usd, reason, approval_id as id
                 from approval where work->>'kind' = 'adjustment' and status in ('waiting', 'approved', 'carried out')
               union all
               select at, 'refund', by_id, beneficiary_id, credits, micro_usd, coalesce(note, ${saidAt('act.position')}), request_id
                 from staff_act act where kind = 'refund' and did in ('alone', 'done')) g
              left join user_account u on u.user_id = g.to_id and u.erased_at is null
        where g.${column} = $1 and g.at > $2 and g.id <> $3 order by g.at desc limit ${MOST_EARLIER}`,
      ['by' in who ? who.by : who.to, since, id],
    );
    return rows.map(withIsoTimes);
  }
}

const approvalOf = (row: Row): Approval => ({
  ...withIsoTimes(row),
  requestedByName: nameOf(row.requestedBy, row.requestedByName),
  beneficiaryName: row.beneficiary === null ? null : nameOf(row.beneficiary, row.beneficiaryName),
  decidedByName: row.decidedBy === null ? null : nameOf(row.decidedBy, row.decidedByName),
});
