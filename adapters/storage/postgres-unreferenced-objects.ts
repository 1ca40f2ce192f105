import { setTimeout as pause } from 'node:timers/promises';
import { UnreferencedObjects, type NotedObject } from '../../application/storage/unreferenced-objects.js';
import { DatabaseAdapter } from '../platform/database/database.js';

/** SQL: whether a sample is still needed, because it is in a pack or a buyer owns it. */
const WANTED_SAMPLE = `
  (not s.removed and p.status <> 'deleted')
  or exists (select 1 from owned_sample o where o.sample_id = s.sample_id and o.returned_at is null)`;

/** SQL: the key of the full-width cover, because its narrower widths are needed as long as the cover. */
const WHOLE_PICTURE = `regexp_replace(k.key, '^(media/covers/[0-9a-f]{64})-[0-9]+[.]webp$', '\\1.webp')`;

/** SQL: whether a needed sample refers to the key. Each condition is one index lookup. */
const sampleWith = (reference: string): string => `
  exists (select 1 from sample s join pack p on p.pack_id = s.pack_id where ${reference} and (${WANTED_SAMPLE}))`;

/** SQL: like `sampleWith`, for stems and MIDI, whose paths are relative to the creator's folder. */
const besideSample = (column: 'stems' | 'midi'): string =>
  sampleWith(`s.${column} is not null and s.${column}->>'path' = w.path
    and w.folder = coalesce((select folder from creator_folder f where f.user_id = s.creator_id), s.creator_id)`);

/** The keys of $1 without a reference. Raw SQL: each kind of reference is a lookup in its own index. */
const UNREFERENCED = `
  select k.key from unnest($1::text[]) as k(key)
   cross join lateral (select ${WHOLE_PICTURE} as key, substring(k.key from '^Users/([^/]+)/') as folder,
                              substring(k.key from '^Users/[^/]+/(.+)$') as path) as w
   where not exists (select 1 from pack where cover_key = w.key)
     and not ${sampleWith('s.original_key = w.key')}
     and not ${sampleWith('s.preview_key = w.key')}
     and not ${besideSample('stems')}
     and not ${besideSample('midi')}`;

/** The storage removes an object within seconds. If a removal is older, its worker crashed or got no answer. */
const NOBODY_REMOVES = `(removing_since is null or removing_since < now() - interval '30 seconds')`;
const LOOK_AGAIN_MS = 50;

export class PostgresUnreferencedObjects extends DatabaseAdapter implements UnreferencedObjects {
  async takeTurn(now: Date, before: Date): Promise<boolean> {
    const turn = await this.database.db
      .insertInto('object_sweep')
      .values({ name: 'daily', turn_at: now })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ turn_at: now }).where('object_sweep.turn_at', '<=', before),
      )
      .returning('name')
      .executeTakeFirst();
    return turn !== undefined;
  }

  async among(keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    const { rows } = await this.database.pool.query<{ key: string }>(UNREFERENCED, [keys]);
    return new Set(rows.map(({ key }) => key));
  }

  async note(objects: readonly NotedObject[], now: Date): Promise<void> {
    // Raw SQL: arrays pass any number of rows to one statement.
    await this.database.pool.query(
      `insert into unreferenced_object (key, size_bytes, noted_at)
       select key, size_bytes, $3 from unnest($1::text[], $2::bigint[]) as t(key, size_bytes) on conflict do nothing`,
      [objects.map(({ key }) => key), objects.map(({ sizeBytes }) => sizeBytes), now],
    );
  }

  async forget(keys: readonly string[]): Promise<void> {
    await this.database.db
      .deleteFrom('unreferenced_object')
      .where(({ eb, fn, val }) => eb('key', '=', fn.any(val(keys))))
      .execute();
  }

  async noted(): Promise<string[]> {
    const rows = await this.database.db.selectFrom('unreferenced_object').select('key').execute();
    return rows.map(({ key }) => key);
  }

  notedBefore(before: Date, limit: number): Promise<NotedObject[]> {
    return this.database.db
      .selectFrom('unreferenced_object')
      .select(['key', 'size_bytes as sizeBytes'])
      .where('noted_at', '<=', before)
      .orderBy('noted_at')
      .orderBy('key')
      .limit(limit)
      .execute();
  }

  async removing(key: string, work: () => Promise<void>): Promise<boolean> {
    if (!(await this.beginRemoval(key))) return false;
    // After an error the storage may still remove the object, so `removing_since` blocks claims until it expires.
    await work();
    await this.forget([key]);
    return true;
  }

  async claim(key: string): Promise<void> {
    for (;;) {
      // Raw SQL: deletes the row and checks for a removal in one statement, which sees one snapshot of the table.
      const { rows } = await this.database.pool.query<{ removing: boolean }>(
        `with gone as (delete from unreferenced_object where key = $1 and ${NOBODY_REMOVES} returning key)
         select exists (select from unreferenced_object where key = $1) and not exists (select from gone) as removing`,
        [key],
      );
      if (!rows[0]?.removing) return;
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** Marks the row instead of locking it, because a lock would keep a transaction open until the storage answers. */
  private beginRemoval(key: string): Promise<boolean> {
    return this.database.transaction(async (client, db) => {
      // Raw SQL: it shares the condition with `claim`.
      const { rowCount } = await client.query(
        `update unreferenced_object set removing_since = now() where key = $1 and ${NOBODY_REMOVES}`,
        [key],
      );
      if (rowCount === 0) return false;
      if ((await client.query(UNREFERENCED, [[key]])).rowCount === 1) return true;
      await db.deleteFrom('unreferenced_object').where('key', '=', key).execute();
      return false;
    });
  }
}
