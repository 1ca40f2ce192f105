import type * as contract from '../../application/library/contract.js';
import { FileNameTemplates, LibraryStore } from '../../application/library/library.js';
import { Batcher } from '../../application/shared/batcher.js';
import { withIsoTimes } from '../../application/shared/iso-times.js';
import { DEFAULT_TEMPLATE } from '../../domain/shared/file-names.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { lockAccount } from '../platform/database/conflicts.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { isLostConnection } from '../platform/database/lost-connection.js';

export class PostgresLibraryStore extends DatabaseAdapter implements LibraryStore {
  async listSaved(userId: string, page: { limit: number; cursor?: string }): Promise<contract.SavedPage> {
    const seen = decodeCursor(page.cursor, ['time', 'text']);
    const rows = await this.database.db
      .selectFrom('saved_item')
      .select(['item_id as id', 'item', 'created_at as createdAt'])
      .where('user_id', '=', userId)
      .where(({ eb, lit, refTuple, tuple }) =>
        seen ? eb(refTuple('created_at', 'item_id'), '<', tuple(new Date(seen[0]), seen[1])) : lit(true),
      )
      .orderBy('created_at', 'desc')
      .orderBy('item_id', 'desc')
      .limit(page.limit + 1)
      .execute();
    const { total } = await this.database.db
      .selectFrom('saved_item')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    const saved = rows.map((row) => ({ ...withIsoTimes(row), sample: null }));
    const { shown, nextCursor } = pageOf(saved, page.limit, (last) => [last.createdAt, last.id]);
    return { items: shown, nextCursor, total };
  }

  async save(userId: string, itemId: string, item: contract.SavedItem, now: Date): Promise<Date> {
    const saved = await this.database.db
      .insertInto('saved_item')
      .values({ user_id: userId, item_id: itemId, item, created_at: now })
      .onConflict((conflict) => conflict.columns(['user_id', 'item_id']).doUpdateSet({ item }))
      .returning('created_at')
      .executeTakeFirstOrThrow();
    return saved.created_at;
  }

  async saveAll(userId: string, items: Array<{ itemId: string; item: contract.SavedItem }>, now: Date) {
    // If several items have the same id, the last item wins. Times one millisecond apart preserve the order.
    // Raw SQL: arrays pass any number of items to one statement.
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
    await this.database.db
      .deleteFrom('saved_item')
      .where('user_id', '=', userId)
      .where('item_id', '=', itemId)
      .execute();
  }

  async remember(userId: string, entry: contract.HistoryEntry, limit: number): Promise<void> {
    await this.database.transaction(async (_, db) => {
      // Serializes writes from two tabs: each must see the other's entry before it deletes the oldest.
      await lockAccount(db, userId);
      const played = { entry, played_at: entry.timestamp };
      await db
        .insertInto('listening_entry')
        .values({ user_id: userId, entry_id: entry.id, ...played })
        .onConflict((conflict) => conflict.columns(['user_id', 'entry_id']).doUpdateSet(played))
        .execute();
      const kept = db
        .selectFrom('listening_entry')
        .select('entry_id')
        .where('user_id', '=', userId)
        .orderBy('played_at', 'desc')
        .orderBy('entry_id', 'desc')
        .limit(limit);
      await db
        .deleteFrom('listening_entry')
        .where('user_id', '=', userId)
        .where('entry_id', 'not in', kept)
        .execute();
    });
  }

  async history(userId: string): Promise<contract.History> {
    const rows = await this.database.db
      .selectFrom('listening_entry')
      .select('entry')
      .where('user_id', '=', userId)
      .orderBy('played_at', 'desc')
      .orderBy('entry_id', 'desc')
      .execute();
    return { items: rows.map(({ entry }) => entry) };
  }

  async keepImported(userId: string, items: readonly contract.ImportedDownload[], now: Date): Promise<void> {
    // If items have the same URL, the last item wins.
    const byUrl = [...new Map(items.map((item) => [item.url, item])).values()];
    // Raw SQL: arrays pass any number of items to one statement.
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

  async imported(userId: string): Promise<contract.ImportedDownload[]> {
    const rows = await this.database.db
      .selectFrom('imported_download')
      .select(['item', 'downloaded_at'])
      .where('user_id', '=', userId)
      .orderBy('downloaded_at', 'desc')
      .orderBy('url')
      .limit(1_000)
      .execute();
    return rows.map(({ item, downloaded_at: at }) => ({ ...item, createdAt: at.toISOString() }));
  }
}

/** Every purchase reads the buyer's template for file names, so concurrent reads share one statement. */
export class PostgresFileNameTemplates extends DatabaseAdapter implements FileNameTemplates {
  private readonly lookUps = new Batcher<string, string>({
    run: (userIds) => this.findAll(userIds),
    isOutage: isLostConnection,
  });

  of(userId: string): Promise<string> {
    return this.lookUps.submit(userId);
  }

  private async findAll(userIds: readonly string[]): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('file_name_template')
      .select(['user_id', 'template'])
      .where('user_id', 'in', userIds)
      .execute();
    const templates = new Map(rows.map((row) => [row.user_id, row.template]));
    return userIds.map((userId) => templates.get(userId) ?? DEFAULT_TEMPLATE);
  }

  async set(userId: string, template: string): Promise<void> {
    await this.database.db
      .insertInto('file_name_template')
      .values({ user_id: userId, template })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ template }))
      .execute();
  }
}
