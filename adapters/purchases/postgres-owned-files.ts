import { Injectable } from '@nestjs/common';
import type { Updateable } from 'kysely';
import {
  OwnedFileQueries,
  ActivePurchaseQueries,
  type OwnedFile,
  type PurchaseKey,
  type PurchasesOf,
} from '../../application/purchases/queries.js';
import { DatabaseAdapter, Database } from '../platform/database/database.js';
import { Deliveries } from '../../application/purchases/buy-samples.js';
import { ArchiveTicketStore, type ArchiveTicket } from '../../application/purchases/zip-downloads.js';
import type { ArchiveTicket as TicketRow } from '../platform/database/schema.js';
import type { DownloadPage } from '../../application/library/contract.js';
import { ListedSampleQueries } from '../../application/library/queries.js';
import { type Dated, withIsoTimes } from '../../application/shared/iso-times.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { KIND } from '../platform/database/json-shapes.js';

/** Raw SQL: named statements, planned once per connection. Finds owned samples even after they left the catalogue. */
export class PostgresOwnedFileQueries extends DatabaseAdapter implements OwnedFileQueries {
  async find(userId: string, sampleIds: readonly string[]): Promise<OwnedFile[]> {
    const found = await this.database.pool.query({
      name: 'find-owned-files',
      text: `select s.sample_id as "sampleId", s.pack_id as "packId", s.title, p.title as "packTitle", s.creator_id as "creatorId",
                    coalesce(c.display_name, 'Former creator') as "creatorName", s.original_key as "originalKey",
                    s.content_type as "contentType", s.format, s.original_sha256 as sha256, s.bpm, s.key,
                    p.genre, p.mood, s.instruments, s.duration_ms as "durationMs", ${KIND} as kind, s.channels, s.sample_rate_hz as "sampleRateHz",
                    s.midi is not null as "hasMidi", s.stems is not null as "hasStems", s.taken_down as "takenDown", o.certificate_id as "certificateId",
                    'Users/' || coalesce(f.folder, s.creator_id) || '/' || (s.stems->>'path') as "stemsKey",
                    'Users/' || coalesce(f.folder, s.creator_id) || '/' || (s.midi->>'path') as "midiKey"
               from unnest($2::text[]) with ordinality as w(sample_id, n)
               join owned_sample o on o.buyer_id = $1 and o.sample_id = w.sample_id and o.returned_at is null
               join sample s on s.sample_id = w.sample_id
               join pack p on p.pack_id = s.pack_id
               left join user_account c on c.user_id = s.creator_id
               left join creator_folder f on f.user_id = s.creator_id
              order by w.n`,
      values: [userId, sampleIds],
    });
    return found.rows as OwnedFile[];
  }
}

/** Raw SQL: a named statement, planned once per connection. */
export class PostgresDeliveries extends DatabaseAdapter implements Deliveries {
  async record(buyerId: string, sampleIds: readonly string[], at: Date): Promise<void> {
    await this.database.pool.query({
      name: 'record-delivery',
      text: `insert into delivery (buyer_id, sample_id, delivered_at) select $1, unnest($2::text[]), $3
             on conflict (buyer_id, sample_id) do update set delivered_at = excluded.delivered_at`,
      values: [buyerId, sampleIds, at],
    });
  }
}

export class PostgresActivePurchaseQueries extends DatabaseAdapter implements ActivePurchaseQueries {
  list(of: PurchasesOf, limit: number, after?: PurchaseKey): Promise<PurchaseKey[]> {
    return this.active(of)
      .select(['buyer_id as buyerId', 'sample_id as sampleId'])
      .where(({ eb, lit, refTuple, tuple }) =>
        after ? eb(refTuple('buyer_id', 'sample_id'), '>', tuple(after.buyerId, after.sampleId)) : lit(true),
      )
      .orderBy('buyer_id')
      .orderBy('sample_id')
      .limit(limit)
      .execute();
  }

  async count(of: PurchasesOf): Promise<number> {
    const { active } = await this.active(of)
      .select(({ fn }) => fn.countAll<number>().as('active'))
      .executeTakeFirstOrThrow();
    return active;
  }

  private active(of: PurchasesOf) {
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

export class PostgresArchiveTickets extends DatabaseAdapter implements ArchiveTicketStore {
  async issue(ticket: ArchiveTicket, now: Date): Promise<void> {
    const { db } = this.database;
    await db.deleteFrom('archive_ticket').where('expires_at', '<', now).execute();
    const { ticketId, userId, sampleIds, name, expiresAt } = ticket;
    await db
      .insertInto('archive_ticket')
      .values({ ticket_id: ticketId, user_id: userId, sample_ids: sampleIds, name, expires_at: expiresAt })
      .execute();
  }

  async find(ticketId: string, userId: string, now: Date) {
    const row = await this.database.db
      .selectFrom('archive_ticket')
      .select(['ticket_id as ticketId', 'user_id as userId', 'sample_ids as sampleIds', 'name'])
      .select(['expires_at as expiresAt', 'begun_at', 'sent_at', 'broken_at'])
      .where('ticket_id', '=', ticketId)
      .where('user_id', '=', userId)
      .where('expires_at', '>=', now)
      .executeTakeFirst();
    if (!row) return undefined;
    const { begun_at: begun, sent_at: sent, broken_at: broken, ...ticket } = row;
    return { ticket, status: sent ? 'sent' : broken ? 'broken' : begun ? 'sending' : 'waiting' } as const;
  }

  async begin(ticketId: string, at: Date): Promise<void> {
    await this.set(ticketId, { begun_at: at, sent_at: null, broken_at: null });
  }

  async end(ticketId: string, whole: boolean, at: Date): Promise<void> {
    await this.set(ticketId, { sent_at: whole ? at : null, broken_at: whole ? null : at });
  }

  private async set(ticketId: string, change: Updateable<TicketRow>): Promise<void> {
    await this.database.db
      .updateTable('archive_ticket')
      .set(change)
      .where('ticket_id', '=', ticketId)
      .execute();
  }
}

/** A row of the query in `list`. Its times are `Date` objects; those of the answer are texts. */
type Row = Dated<Omit<DownloadPage['items'][number], 'sample'>>;

/** Lists a buyer's samples, last bought or downloaded first. Raw SQL: named statements, planned once per connection. */
@Injectable()
export class DownloadedSampleQueries {
  constructor(
    private readonly database: Database,
    private readonly listed: ListedSampleQueries,
  ) {}

  async list(userId: string, page: { limit: number; cursor?: string }): Promise<DownloadPage> {
    const [at, sampleId] = decodeCursor(page.cursor, ['time', 'text']) ?? [null, null];
    const found = await this.database.pool.query({
      name: 'downloaded-samples',
      text: `select * from (
               select o.purchase_id as id, o.sample_id as "sampleId", s.original_filename as filename, s.format,
                      s.original_bytes as "sizeBytes", s.title as track, p.title as pack,
                      coalesce(c.display_name, 'Former creator') as creator, '/' || p.cover_key as artwork,
                      o.certificate_id as "certificateId", o.purchased_at as "purchasedAt", s.original_sha256 as sha256,
                      s.bpm, s.key, p.genre, p.mood, s.instruments, ${KIND} as kind,
                      case when s.midi is not null then json_build_object('sha256', s.midi->'sha256', 'sizeBytes', s.midi->'sizeBytes') end as midi,
                      case when s.stems is not null then json_build_object('sha256', s.stems->'sha256', 'sizeBytes', s.stems->'sizeBytes') end as stems,
                      date_trunc('milliseconds', greatest(o.purchased_at, coalesce(d.delivered_at, o.purchased_at))) as "createdAt"
                 from owned_sample o
                 join sample s using (sample_id)
                 join pack p on p.pack_id = s.pack_id
                 left join user_account c on c.user_id = o.creator_id
                 left join delivery d on d.buyer_id = o.buyer_id and d.sample_id = o.sample_id
                where o.buyer_id = $1 and o.returned_at is null) as owned
              where $2::timestamptz is null or ("createdAt", "sampleId") < ($2, $3)
              order by "createdAt" desc, "sampleId" desc limit $4`,
      values: [userId, at, sampleId, page.limit + 1],
    });
    const rows = found.rows as Row[];
    const { shown, nextCursor } = pageOf(rows.map(withIsoTimes), page.limit, (last) => [
      last.createdAt,
      last.sampleId,
    ]);
    const samples = await this.listed.byIds(
      shown.map((row) => row.sampleId),
      userId,
    );
    return {
      items: shown.map((row) => ({
        ...row,
        sample: samples.get(row.sampleId) ?? null,
      })),
      nextCursor,
    };
  }
}
