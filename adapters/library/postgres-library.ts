import { Injectable } from '@nestjs/common';
import type {
  History,
  HistoryEntry,
  ImportedDownload,
  SavedItem,
  SavedPage,
} from '../../application/library/contract.js';
import { LibraryStore } from '../../application/library/readers.js';
import { decodeCursor, encodeCursor } from '../platform/database/cursor.js';
import { Database } from '../platform/database/database.js';

interface SavedRecord {
  item_id: string;
  item: SavedItem;
  created_at: Date;
}

@Injectable()
export class PostgresLibraryStore extends LibraryStore {
  constructor(private readonly database: Database) {
    super();
  }

  async listSaved(userId: string, page: { limit: number; cursor?: string }): Promise<SavedPage> {
    const [createdAt, itemId] = decodeCursor(page.cursor, ['time', 'text']) ?? [];
    const { rows } = await this.database.pool.query<SavedRecord>(
      `select item_id, item, created_at from saved_item
        where user_id = $1 and ($2::timestamptz is null or (created_at, item_id) < ($2, $3::text))
        order by created_at desc, item_id desc limit $4`,
      [userId, createdAt ?? null, itemId ?? null, page.limit + 1],
    );
    const shown = rows.slice(0, page.limit);
    const last = rows.length > page.limit ? shown.at(-1) : undefined;
    return {
      items: shown.map((row) => ({
        id: row.item_id,
        item: row.item,
        sample: null,
        createdAt: row.created_at.toISOString(),
      })),
      nextCursor: last ? encodeCursor([last.created_at.toISOString(), last.item_id]) : null,
      total: await this.countSaved(userId),
    };
  }

  private async countSaved(userId: string): Promise<number> {
    const { rows } = await this.database.pool.query<{ total: number }>(
      'select count(*) as total from saved_item where user_id = $1',
      [userId],
    );
    return rows[0]?.total ?? 0;
  }

  async save(userId: string, itemId: string, item: SavedItem, now: Date): Promise<Date> {
    const { rows } = await this.database.pool.query<{ created_at: Date }>(
      `insert into saved_item (user_id, item_id, item, created_at) values ($1, $2, $3, $4)
       on conflict (user_id, item_id) do update set item = excluded.item
       returning created_at`,
      [userId, itemId, JSON.stringify(item), now],
    );
    return rows[0]?.created_at ?? now;
  }

  async saveAll(userId: string, items: Array<{ itemId: string; item: SavedItem }>, now: Date): Promise<void> {
    // The last one of an id wins, as if they had been saved one after the other; a millisecond keeps their order.
    await this.database.pool.query(
      `insert into saved_item (user_id, item_id, item, created_at)
       select $1, given.id, given.item, $2::timestamptz - given.place * interval '1 ms'
         from (select distinct on (t.id) t.id, t.item, t.place
                 from unnest($3::text[], $4::jsonb[]) with ordinality as t (id, item, place)
                order by t.id, t.place desc) as given
       on conflict (user_id, item_id) do update set item = excluded.item`,
      [userId, now, items.map(({ itemId }) => itemId), items.map(({ item }) => JSON.stringify(item))],
    );
  }

  async removeSaved(userId: string, itemId: string): Promise<void> {
    await this.database.pool.query('delete from saved_item where user_id = $1 and item_id = $2', [
      userId,
      itemId,
    ]);
  }

  async remember(userId: string, entry: HistoryEntry, limit: number): Promise<void> {
    await this.database.transaction(async (client) => {
      // Two tabs play at once: each must see the other's entry before it forgets the oldest.
      await client.query('select 1 from user_account where user_id = $1 for update', [userId]);
      await client.query(
        `insert into listening_entry (user_id, entry_id, entry, played_at) values ($1, $2, $3, $4)
         on conflict (user_id, entry_id) do update set entry = excluded.entry, played_at = excluded.played_at`,
        [userId, entry.id, JSON.stringify(entry), entry.timestamp],
      );
      await client.query(
        `delete from listening_entry where user_id = $1 and entry_id not in (
           select entry_id from listening_entry where user_id = $1
            order by played_at desc, entry_id desc limit $2)`,
        [userId, limit],
      );
    });
  }

  async history(userId: string): Promise<History> {
    const { rows } = await this.database.pool.query<{ entry: HistoryEntry }>(
      'select entry from listening_entry where user_id = $1 order by played_at desc, entry_id desc',
      [userId],
    );
    return { items: rows.map(({ entry }) => entry) };
  }

  async keepImported(userId: string, items: readonly ImportedDownload[], now: Date): Promise<void> {
    // Of one address the last one wins.
    const byUrl = [...new Map(items.map((item) => [item.url, item])).values()];
    await this.database.pool.query(
      `insert into imported_download (user_id, url, item, downloaded_at)
       select $1, * from unnest($2::text[], $3::jsonb[], $4::timestamptz[])
       on conflict (user_id, url) do update set item = excluded.item, downloaded_at = excluded.downloaded_at`,
      [
        userId,
        byUrl.map(({ url }) => url),
        byUrl.map((item) => JSON.stringify(item)),
        byUrl.map(({ createdAt }) => createdAt ?? now),
      ],
    );
  }

  async imported(userId: string): Promise<ImportedDownload[]> {
    const { rows } = await this.database.pool.query<{ item: ImportedDownload; downloaded_at: Date }>(
      `select item, downloaded_at from imported_download where user_id = $1
        order by downloaded_at desc, url limit 1000`,
      [userId],
    );
    return rows.map(({ item, downloaded_at: at }) => ({ ...item, createdAt: at.toISOString() }));
  }
}
