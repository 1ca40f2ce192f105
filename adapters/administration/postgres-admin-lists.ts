import { sql } from 'kysely';
import type * as z from 'zod';
import type * as contract from '../../application/administration/contract.js';
import { AdminQueries } from '../../application/administration/queries.js';
import { MAIL } from '../../application/mail/outbox.js';
import { paths } from '../../application/pages/paths.js';
import { REFUND_WINDOW_DAYS } from '../../domain/credits/invoice-lot.js';
import { MICRO_USD_PER_CENT } from '../../domain/shared/micro-usd.js';
import { withIsoTimes } from '../../application/shared/iso-times.js';
import {
  CREATOR_EVENT_TYPES,
  CREATOR_STATUS,
  type CreatorEvent,
} from '../../domain/publishing/creator-access.js';
import { APPLICATION_PACKS, isoTime, nameOf } from '../platform/database/json-shapes.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter } from '../platform/database/database.js';

const DAY_MS = 86_400_000;

type Alike = contract.ApplicationHistory['sounds'][number]['alike'][number];

/** Separates the links in the last lines of an application from its text. */
function withLinks(written: string | null): { text: string | null; links: string[] } {
  const lines = (written ?? '').split('\n');
  const firstLink = lines.findLastIndex((line) => !/^https?:\/\/\S+$/.test(line)) + 1;
  return { text: lines.slice(0, firstLink).join('\n') || null, links: lines.slice(firstLink) };
}

export class PostgresAdminQueries extends DatabaseAdapter implements AdminQueries {
  async applications({
    status,
    limit,
    cursor,
  }: z.infer<typeof contract.ApplicationsQuery>): Promise<contract.CreatorApplicationPage> {
    const seen = decodeCursor(cursor, ['time', 'text']);
    const [after, direction] = status === 'applied' ? (['>', 'asc'] as const) : (['<', 'desc'] as const);
    const found = await this.database.db
      .selectFrom('creator_standing as c')
      .leftJoin('user_account as a', 'a.user_id', 'c.user_id')
      .leftJoin('creator_profile as p', 'p.user_id', 'c.user_id')
      .leftJoin('creator_name as n', 'n.user_id', 'c.user_id')
      .select([
        'c.user_id as id',
        'a.email',
        'p.handle',
        'c.status',
        'c.reason',
        'n.former_name as formerName',
      ])
      .select(({ eb, ref }) => eb('n.verified_name', '=', ref('a.display_name')).as('verified'))
      .select(({ fn, val }) => fn.coalesce('a.display_name', val('Former member')).as('displayName'))
      .select(['c.applied_at as appliedAt', 'c.updated_at as updatedAt'])
      .where('c.status', '=', status === 'renamed' ? 'approved' : status)
      .$if(status === 'renamed', (select) => select.where('n.former_name', 'is not', null))
      .where(({ eb, lit, refTuple, tuple }) =>
        seen
          ? eb(refTuple('c.updated_at', 'c.user_id'), after, tuple(new Date(seen[0]), seen[1]))
          : lit(true),
      )
      .orderBy('c.updated_at', direction)
      .orderBy('c.user_id', direction)
      .limit(limit + 1)
      .execute();
    const { shown, nextCursor } = pageOf(found, limit, (last) => [last.updatedAt.toISOString(), last.id]);
    return {
      items: shown.map((row) => ({
        ...withIsoTimes(row),
        verified: Boolean(row.verified),
      })),
      nextCursor,
    };
  }

  /** Raw SQL: reads the JSON of events. */
  async applicationHistory(userId: string): Promise<contract.ApplicationHistory> {
    const { rows } = await this.database.pool.query<
      Omit<contract.ApplicationHistory['items'][number], 'status' | 'by' | 'links'> & {
        type: CreatorEvent['type'];
        by_id: string;
        by_name: string | null;
      }
    >(
      `select e.type, ${isoTime('e.recorded_at')} as at, coalesce(e.data->>'by', $1) as by_id, a.display_name as by_name,
              coalesce(r.text, nullif(e.data->>'reason', '')) as text
         from (select * from readable_event where stream = 'creator-' || $1 order by version desc limit 100) as e
         left join remark r on r.remark_id = e.data->>'remarkId'
         left join user_account a on a.user_id = coalesce(e.data->>'by', $1)
        where e.type = any($2::text[]) order by e.version`,
      [userId, CREATOR_EVENT_TYPES],
    );
    return {
      sounds: await this.auditioned(userId),
      items: rows.map(({ type, by_id, by_name, ...row }) => ({
        ...row,
        status: CREATOR_STATUS[type],
        by: nameOf(by_id, by_name),
        ...withLinks(row.text),
      })),
    };
  }

  /**
   * Raw SQL: lists an application's sounds, each with similar sounds of other creators. `alike_sounds` stores each
   * pair in one direction only, so the query searches both directions.
   */
  private async auditioned(userId: string): Promise<contract.ApplicationHistory['sounds']> {
    const { rows } = await this.database.pool.query<
      Omit<contract.ApplicationHistory['sounds'][number], 'alike'> & {
        alike: (Omit<Alike, 'path'> & { handle: string | null; slug: string; isOnSale: boolean })[];
      }
    >(
      `with sound as (
         select s.* from ${APPLICATION_PACKS} a join sample s using (pack_id) where a.user_id = $1 and not s.removed)
       select s.sample_id as id, s.title as name, s.duration_ms as "durationMs", '/' || s.preview_key as "previewUrl",
              exists (select 1 from sound_fingerprint f where f.sample_id = s.sample_id
                         and f.audio_version = s.audio_version and f.compared_at is not null) as "isCompared",
              coalesce((
                select json_agg(json_build_object(
                         'sampleId', l.sample_id, 'title', l.title, 'packTitle', p.title, 'slug', p.slug,
                         'creatorName', coalesce(u.display_name, 'Former member'), 'handle', h.handle,
                         'isOnSale', l.available, 'previewUrl', '/' || l.preview_key,
                         'score', found.score, 'isTakenDown', l.taken_down) order by found.score desc, l.sample_id)
                  from (select like_id, max(score) as score from (
                          select like_sample_id as like_id, (likeness->>'score')::int as score from alike_sounds
                           where sample_id = s.sample_id and audio_version = s.audio_version
                          union all
                          select sample_id, (likeness->>'score')::int from alike_sounds
                           where like_sample_id = s.sample_id and like_audio_version = s.audio_version
                          union all
                          select o.sample_id, 100 from sample o where o.original_sha256 = s.original_sha256) as pairs
                         group by like_id) as found
                  join sample l on l.sample_id = found.like_id and l.creator_id <> s.creator_id
                  join pack p on p.pack_id = l.pack_id
                  left join user_account u on u.user_id = l.creator_id and u.erased_at is null
                  left join creator_profile h on h.user_id = l.creator_id and u.user_id is not null
                 where l.taken_down or (p.published_at is not null and not l.removed)), '[]') as alike
         from sound s order by s.ordinal, s.sample_id`,
      [userId],
    );
    return rows.map(({ alike, ...sound }) => ({
      ...sound,
      alike: alike.map(({ handle, slug, isOnSale, ...like }) => ({
        ...like,
        path: isOnSale && handle !== null ? paths.pack({ creator: handle, slug }) : null,
      })),
    }));
  }

  /** Raw SQL: sums up amounts in the JSON of events. */
  async paidInvoices(userId: string): Promise<contract.PaidInvoices> {
    const { rows } = await this.database.pool.query(
      `with sold as (
              select 'credits-' || $1 as stream union all select 'credits-gift-' || gift_id from gift where user_id = $1),
            -- The accounts that have the lots: of the person, of unredeemed gifts, and of who redeemed a gift.
            holder as (
              select stream from sold union
              select 'credits-' || (data->>'to') from readable_event join sold using (stream) where type = 'GiftGiven'),
            history as (select type, data, stream from readable_event where stream in (select stream from holder)),
            granted as (
              select data->'invoice'->>'invoiceId' as invoice_id, data->>'lotId' as lot_id, (data->>'credits')::int as credits,
                     (data->'invoice'->>'grossMicroUsd')::bigint as gross, (data->>'grantedAt')::timestamptz as paid_at
                from history join sold using (stream) where type = 'CreditsGranted' and data->'invoice' is not null),
            -- Includes returned lots; excludes goodwill, which is not refundable.
            held as (
              select coalesce(lot->>'paidLotId', lot->>'lotId') as lot_id, bool_or(lot ? 'disputedBy') as disputed,
                     sum((lot->>'credits')::int - (lot->>'spentCredits')::int) as credits
                from credit_account, jsonb_array_elements(lots) as lot
               where user_id in (select substr(stream, ${'credits-'.length + 1}) from holder) and lot->>'kind' = 'paid' group by 1),
            refunded as (
              select data->>'invoiceId' as invoice_id,
                     sum(case type when 'InvoiceRefunded' then (data->>'netMicroUsd')::bigint + (data->>'taxMicroUsd')::bigint
                                   when 'RefundUndone' then -(data->>'netMicroUsd')::bigint - (data->>'taxMicroUsd')::bigint
                                   else -(data->>'amountMicroUsd')::bigint end) as amount
                from history where type in ('InvoiceRefunded', 'RefundFailed', 'RefundUndone') group by 1)
       select invoice_id as "invoiceId", min(paid_at) as "paidAt", (sum(gross) / ${MICRO_USD_PER_CENT})::int as "amountUsdCents",
              sum(granted.credits)::int as credits, coalesce(sum(held.credits), 0)::int as "creditsLeft",
              coalesce(bool_or(held.disputed), false) as disputed,
              (coalesce(max(refunded.amount), 0) / ${MICRO_USD_PER_CENT})::int as "refundedUsdCents"
         from granted left join held using (lot_id) left join refunded using (invoice_id)
        group by invoice_id order by 2 desc, invoice_id limit 100`,
      [userId],
    );
    const found = rows as (Omit<contract.PaidInvoiceRow, 'paidAt' | 'refundableUntil'> & { paidAt: Date })[];
    return {
      items: found.map(({ paidAt, ...row }) => ({
        ...row,
        paidAt: paidAt.toISOString(),
        refundableUntil: new Date(paidAt.getTime() + REFUND_WINDOW_DAYS * DAY_MS).toISOString(),
      })),
    };
  }

  /** Raw SQL: joins events by ids in their JSON. */
  async deferredReturns({
    limit,
    cursor,
  }: {
    limit: number;
    cursor?: string;
  }): Promise<contract.DeferredReturnPage> {
    const [before] = decodeCursor(cursor, ['integer']) ?? [null];
    const { rows } = await this.database.pool.query(
      `select e.position, e.data->>'purchaseId' as id, e.data->>'buyerId' as "buyerId", coalesce(u.display_name, 'Former member') as "buyerName",
              e.data->>'sampleId' as "sampleId", s.title as "sampleTitle", e.data->>'reason' as reason, coalesce((select text from remark r where r.remark_id = e.data->>'remarkId'), e.data->>'explanation') as explanation,
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
    const found = rows as (contract.DeferredReturnPage['items'][number] & { position: number })[];
    const { shown, nextCursor } = pageOf(found, limit, (last) => [last.position]);
    return {
      items: shown.map(({ position: _, ...row }) => row),
      nextCursor,
    };
  }

  /** A mail counts as interrupted if it has had the status `sending` for more than an hour and no job will send it. */
  async mails({ to, limit, cursor }: z.infer<typeof contract.MailsQuery>): Promise<contract.LoggedMailPage> {
    const seen = decodeCursor(cursor, ['time', 'text']);
    const found = await this.database.db
      .selectFrom('mail_log')
      .select([
        'mail_id as id',
        'recipient as to',
        'subject',
        'attempts',
        'status',
        'last_error as lastError',
      ])
      .select(['asked_at as askedAt', 'settled_at as settledAt'])
      .select(({ and, eb, selectFrom }) => {
        const longAgo = eb('asked_at', '<', sql<Date>`now() - interval '1 hour'`);
        const waiting = selectFrom('jobs.job')
          .select(sql<string>`id::text`.as('mail_id'))
          .where('name', '=', MAIL.name)
          .where('state', '<>', 'failed');
        return and([eb('status', '=', 'sending'), longAgo, eb('mail_id', 'not in', waiting)]).as(
          'interrupted',
        );
      })
      .where(({ eb, lit, refTuple, tuple }) =>
        seen ? eb(refTuple('asked_at', 'mail_id'), '<', tuple(new Date(seen[0]), seen[1])) : lit(true),
      )
      .where(({ fn, val }) => fn('starts_with', [fn('lower', ['recipient']), fn('lower', [val(to)])]))
      .orderBy('asked_at', 'desc')
      .orderBy('mail_id', 'desc')
      .limit(limit + 1)
      .execute();
    const { shown, nextCursor } = pageOf(found, limit, (last) => [last.askedAt.toISOString(), last.id]);
    return {
      items: shown.map(({ interrupted, ...row }) => ({
        ...withIsoTimes(row),
        ...(interrupted && { status: 'failed' as const, lastError: row.lastError ?? 'Interrupted' }),
      })),
      nextCursor,
    };
  }
}
