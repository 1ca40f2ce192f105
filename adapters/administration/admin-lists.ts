import { Injectable } from '@nestjs/common';
import type * as z from 'zod';
import type {
  AdjustmentPage,
  ApplicationsQuery,
  CreatorApplicationPage,
  DeferredReturnPage,
  LoggedMailPage,
  MailsQuery,
  PaidInvoiceRow,
  PaidInvoices,
  PeopleAnswer,
  Person,
} from '../../application/administration/contract.js';
import {
  AdminLists,
  ActivePurchases,
  type PurchaseKey,
  type PurchasesOf,
} from '../../application/administration/readers.js';
import { adjustmentDecider, type RequestedAdjustment } from '../../domain/credits/adjustment.js';
import { REFUND_WINDOW_DAYS } from '../../domain/credits/invoice-lot.js';
import { MICRO_USD_PER_CENT } from '../../domain/shared/micro-usd.js';
import { decodeCursor, encodeCursor } from '../platform/database/cursor.js';
import { Database } from '../platform/database/database.js';

const DAY_MS = 86_400_000;

/** Rows as PostgreSQL gives them: times are dates. */
type Adjustment = Omit<AdjustmentPage['items'][number], 'requestedAt' | 'decidedAt'> & {
  requestedAt: Date;
  decidedAt: Date | null;
  settled: number;
};
type ListedAdjustment = Omit<Adjustment, 'makesGood'>;
type LoggedMail = Omit<LoggedMailPage['items'][number], 'askedAt' | 'settledAt'> & {
  askedAt: Date;
  settledAt: Date | null;
};

@Injectable()
export class PostgresAdminLists extends AdminLists {
  constructor(private readonly database: Database) {
    super();
  }

  override async applications({
    status,
    limit,
    cursor,
  }: z.infer<typeof ApplicationsQuery>): Promise<CreatorApplicationPage> {
    const seen = decodeCursor(cursor, ['time', 'text']);
    const [after, direction] = status === 'applied' ? (['>', 'asc'] as const) : (['<', 'desc'] as const);
    const found = await this.database.db
      .selectFrom('creator_standing as c')
      .leftJoin('user_account as a', 'a.user_id', 'c.user_id')
      .leftJoin('creator_profile as p', 'p.user_id', 'c.user_id')
      .select(['c.user_id as id', 'a.email', 'p.handle', 'c.status', 'c.reason'])
      .select(({ fn, val }) => fn.coalesce('a.display_name', val('Former member')).as('displayName'))
      .select(['c.applied_at as appliedAt', 'c.updated_at as updatedAt'])
      .where('c.status', '=', status)
      .where(({ eb, lit, refTuple, tuple }) =>
        seen
          ? eb(refTuple('c.updated_at', 'c.user_id'), after, tuple(new Date(seen[0]), seen[1]))
          : lit(true),
      )
      .orderBy('c.updated_at', direction)
      .orderBy('c.user_id', direction)
      .limit(limit + 1)
      .execute();
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      items: shown.map((row) => ({
        ...row,
        appliedAt: row.appliedAt?.toISOString() ?? null,
        updatedAt: row.updatedAt.toISOString(),
      })),
      nextCursor: last ? encodeCursor([last.updatedAt.toISOString(), last.id]) : null,
    };
  }

  override async adjustments({ limit, cursor }: { limit: number; cursor?: string }): Promise<AdjustmentPage> {
    const [settled, at, id] = decodeCursor(cursor, ['integer', 'time', 'text']) ?? [null, null, null];
    const { rows } = await this.database.pool.query(
      // Raw SQL: its cursor compares columns that are computed.
      `select * from (
         select adjustment_id as id, a.user_id as "userId", coalesce(u.display_name, 'Former member') as "userName", credits,
                value_micro_usd as "valueMicroUsd", explanation as reason,
                case when a.status = 'approved' then 'applied' else a.status end as status,
                requested_by as "requestedBy", coalesce(r.display_name, 'Former member') as "requestedByName", date_trunc('milliseconds', requested_at) as "requestedAt", decided_by as "decidedBy",
                case when decided_by is not null then coalesce(d.display_name, 'Former member') end as "decidedByName",
                decided_at as "decidedAt", (a.status <> 'waiting')::int as settled
           from adjustment a left join user_account u on u.user_id = a.user_id
           left join user_account r on r.user_id = requested_by left join user_account d on d.user_id = decided_by) as listed
        where $1::int is null or settled > $1 or settled = $1 and ("requestedAt", id) < ($2::timestamptz, $3::text)
        order by settled, "requestedAt" desc, id desc limit $4`,
      [settled, at, id, limit + 1],
    );
    const found = rows as ListedAdjustment[];
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    const madeGood = await this.madeGood(shown.map((row) => row.id));
    return {
      items: shown.map(({ settled: _, ...row }) => ({
        ...row,
        makesGood: madeGood.get(row.id) ?? null,
        requestedAt: row.requestedAt.toISOString(),
        decidedAt: row.decidedAt?.toISOString() ?? null,
      })),
      nextCursor: last ? encodeCursor([last.settled, last.requestedAt.toISOString(), last.id]) : null,
    };
  }

  /** What adjustments make good; only their requests say so. */
  private async madeGood(adjustmentIds: readonly string[]): Promise<Map<string, string | undefined>> {
    const { rows } = await this.database.pool.query(
      `select data from event where stream = any($1) and type = 'AdjustmentRequested'`,
      [adjustmentIds.map(adjustmentDecider.streamOf)],
    );
    const requests = (rows as { data: RequestedAdjustment }[]).map(({ data }) => data);
    return new Map(requests.map(({ adjustmentId, makesGood }) => [adjustmentId, makesGood]));
  }

  /** Raw SQL, as are the lists that follow: they compute on texts, or on events as JSON. */
  override async people(text: string): Promise<PeopleAnswer> {
    const { rows } = await this.database.pool.query(
      `select user_id as id, display_name as "displayName", email, handle
         from user_account left join creator_profile using (user_id),
              lateral (select lower(email) as mail, lower(display_name) as name, lower(coalesce(handle, '')) as called) as low
        where erased_at is null
          and (user_id = $1 or starts_with(mail, lower($1)) or strpos(name, lower($1)) > 0 or strpos(called, lower($1)) > 0)
        order by lower($1) in (lower(user_id), mail, name, called) desc, starts_with(mail, lower($1)) desc,
                 starts_with(name, lower($1)) desc, name, user_id
        limit 10`,
      [text],
    );
    return { items: rows as Person[] };
  }

  override async paidInvoices(userId: string): Promise<PaidInvoices> {
    const { rows } = await this.database.pool.query(
      `with history as (select type, data from readable_event where stream = 'credits-' || $1),
            granted as (
              select data->'invoice'->>'invoiceId' as invoice_id, data->>'lotId' as lot_id, (data->>'credits')::int as credits,
                     (data->'invoice'->>'grossMicroUsd')::bigint as gross, (data->>'grantedAt')::timestamptz as paid_at
                from history where type = 'CreditsGranted' and data->'invoice' is not null),
            -- With what came back of it in lots of their own.
            held as (
              select coalesce(lot->>'paidLotId', lot->>'lotId') as lot_id, bool_or(lot ? 'disputedBy') as disputed,
                     sum((lot->>'credits')::int - (lot->>'spentCredits')::int) as credits
                from credit_account, jsonb_array_elements(lots) as lot where user_id = $1 group by 1),
            refunded as (
              select data->>'invoiceId' as invoice_id,
                     sum(case type when 'InvoiceRefunded' then (data->>'netMicroUsd')::bigint + (data->>'taxMicroUsd')::bigint
                                   else -(data->>'amountMicroUsd')::bigint end) as amount
                from history where type in ('InvoiceRefunded', 'RefundFailed') group by 1)
       select invoice_id as "invoiceId", min(paid_at) as "paidAt", (sum(gross) / ${MICRO_USD_PER_CENT})::int as "amountUsdCents",
              sum(granted.credits)::int as credits, coalesce(sum(held.credits), 0)::int as "creditsLeft",
              coalesce(bool_or(held.disputed), false) as disputed,
              (coalesce(max(refunded.amount), 0) / ${MICRO_USD_PER_CENT})::int as "refundedUsdCents"
         from granted left join held using (lot_id) left join refunded using (invoice_id)
        group by invoice_id order by 2 desc, invoice_id limit 100`,
      [userId],
    );
    const found = rows as (Omit<PaidInvoiceRow, 'paidAt' | 'refundableUntil'> & { paidAt: Date })[];
    return {
      items: found.map(({ paidAt, ...row }) => ({
        ...row,
        paidAt: paidAt.toISOString(),
        refundableUntil: new Date(paidAt.getTime() + REFUND_WINDOW_DAYS * DAY_MS).toISOString(),
      })),
    };
  }

  override async deferredReturns({
    limit,
    cursor,
  }: {
    limit: number;
    cursor?: string;
  }): Promise<DeferredReturnPage> {
    const [before] = decodeCursor(cursor, ['integer']) ?? [null];
    const { rows } = await this.database.pool.query(
      `select e.position, e.data->>'purchaseId' as id, e.data->>'buyerId' as "buyerId", coalesce(u.display_name, 'Former member') as "buyerName",
              e.data->>'sampleId' as "sampleId", s.title as "sampleTitle", e.data->>'reason' as reason, e.data->>'explanation' as explanation,
              case when settled.data is null then 'waiting' when (settled.data->>'returnedCredits')::int > 0 then 'returned' else 'withheld' end as status,
              (settled.data->>'returnedCredits')::int as "returnedCredits", e.data->>'at' as "askedAt", settled.data->>'at' as "settledAt"
         from readable_event e
         left join lateral (
           select data from readable_event d where d.stream = e.stream and d.version > e.version and d.type = 'DeferredReturnSettled'
              and d.data->>'purchaseId' = e.data->>'purchaseId' limit 1) as settled on true
         left join user_account u on u.user_id = e.data->>'buyerId'
         left join sample s on s.sample_id = e.data->>'sampleId'
        where e.type = 'ReturnDeferred' and ($1::bigint is null or e.position < $1)
        order by e.position desc limit $2`,
      [before, limit + 1],
    );
    const found = rows as (DeferredReturnPage['items'][number] & { position: number })[];
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      items: shown.map(({ position: _, ...row }) => row),
      nextCursor: last ? encodeCursor([last.position]) : null,
    };
  }

  /** Attempts end within minutes: what is still being sent after an hour ended with its process. */
  override async mails({ to, limit, cursor }: z.infer<typeof MailsQuery>): Promise<LoggedMailPage> {
    const [askedAt, id] = decodeCursor(cursor, ['time', 'text']) ?? [null, null];
    const { rows } = await this.database.pool.query(
      `select mail_id as id, recipient as "to", subject, attempts,
              case when interrupted then 'failed' else status end as status,
              case when interrupted then coalesce(last_error, 'Interrupted') else last_error end as "lastError",
              asked_at as "askedAt", settled_at as "settledAt"
         from mail_log,
              lateral (select status = 'sending' and asked_at < now() - interval '1 hour' as interrupted) as state
        where ($1::timestamptz is null or (asked_at, mail_id) < ($1, $2::text))
          and starts_with(lower(recipient), lower($3))
        order by asked_at desc, mail_id desc limit $4`,
      [askedAt, id, to, limit + 1],
    );
    const found = rows as LoggedMail[];
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      items: shown.map((row) => ({
        ...row,
        askedAt: row.askedAt.toISOString(),
        settledAt: row.settledAt?.toISOString() ?? null,
      })),
      nextCursor: last ? encodeCursor([last.askedAt.toISOString(), last.id]) : null,
    };
  }

  override async userExists(userId: string): Promise<boolean> {
    const found = await this.database.db
      .selectFrom('user_account')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('erased_at', 'is', null)
      .executeTakeFirst();
    return found !== undefined;
  }
}

@Injectable()
export class PostgresActivePurchases extends ActivePurchases {
  constructor(private readonly database: Database) {
    super();
  }

  override list(of: PurchasesOf, limit: number, after?: PurchaseKey): Promise<PurchaseKey[]> {
    return this.standing(of)
      .select(['buyer_id as buyerId', 'sample_id as sampleId'])
      .where(({ eb, lit, refTuple, tuple }) =>
        after ? eb(refTuple('buyer_id', 'sample_id'), '>', tuple(after.buyerId, after.sampleId)) : lit(true),
      )
      .orderBy('buyer_id')
      .orderBy('sample_id')
      .limit(limit)
      .execute();
  }

  override async count(of: PurchasesOf): Promise<number> {
    const { standing } = await this.standing(of)
      .select(({ fn }) => fn.countAll<number>().as('standing'))
      .executeTakeFirstOrThrow();
    return standing;
  }

  private standing(of: PurchasesOf) {
    return this.database.db
      .selectFrom('owned_sample')
      .where('returned_at', 'is', null)
      .where('price_credits', '>', 0)
      .where(({ eb, selectFrom }) => {
        if ('packId' in of) return eb('pack_id', '=', of.packId);
        if ('sampleId' in of) return eb('sample_id', '=', of.sampleId);
        return eb('sample_id', 'in', selectFrom('sample').select('sample_id').where('taken_down', '=', true));
      });
  }
}
