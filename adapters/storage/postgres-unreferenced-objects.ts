import { Injectable } from '@nestjs/common';
import { UnreferencedObjects, type NotedObject } from '../../application/storage/unreferenced-objects.js';
import { Database } from '../platform/database/database.js';

/** What somebody can have: what is in a pack, and what somebody took from one. */
const WANTED_SAMPLE = `
  (not s.removed and p.status <> 'deleted')
  or exists (select 1 from owned_sample o where o.sample_id = s.sample_id and o.returned_at is null)`;

/** A cover in another width is wanted as long as the cover is. */
const WHOLE_PICTURE = `regexp_replace(k.key, '^(media/covers/[0-9a-f]{64})-[0-9]+[.]webp$', '\\1.webp')`;

/** Whether a sample that somebody can have refers to the key in this way. Each is one look-up in an index. */
const sampleWith = (reference: string): string => `
  exists (select 1 from sample s join pack p on p.pack_id = s.pack_id where ${reference} and (${WANTED_SAMPLE}))`;

/** Stems and MIDI are recorded below the creator's folder. */
const besideSample = (column: 'stems' | 'midi'): string =>
  sampleWith(`s.${column} is not null and s.${column}->>'path' = w.path
    and w.folder = coalesce((select folder from creator_folder f where f.user_id = s.creator_id), s.creator_id)`);

/** The keys of $1 that nothing refers to. */
const UNREFERENCED = `
  select k.key from unnest($1::text[]) as k(key)
   cross join lateral (select ${WHOLE_PICTURE} as key, substring(k.key from '^Users/([^/]+)/') as folder,
                              substring(k.key from '^Users/[^/]+/(.+)$') as path) as w
   where not exists (select 1 from pack where cover_key = w.key)
     and not ${sampleWith('s.original_key = w.key')}
     and not ${sampleWith('s.preview_key = w.key')}
     and not ${besideSample('stems')}
     and not ${besideSample('midi')}`;

@Injectable()
export class PostgresUnreferencedObjects extends UnreferencedObjects {
  constructor(private readonly database: Database) {
    super();
  }

  override async takeTurn(now: Date, before: Date): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `insert into object_sweep (name, turn_at) values ('daily', $1)
       on conflict (name) do update set turn_at = $1 where object_sweep.turn_at <= $2`,
      [now, before],
    );
    return rowCount === 1;
  }

  override async among(keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    const { rows } = await this.database.pool.query<{ key: string }>(UNREFERENCED, [keys]);
    return new Set(rows.map(({ key }) => key));
  }

  override async note(objects: readonly NotedObject[], now: Date): Promise<void> {
    await this.database.pool.query(
      `insert into unreferenced_object (key, size_bytes, noted_at)
       select key, size_bytes, $3 from unnest($1::text[], $2::bigint[]) as t(key, size_bytes) on conflict do nothing`,
      [objects.map(({ key }) => key), objects.map(({ sizeBytes }) => sizeBytes), now],
    );
  }

  override async forget(keys: readonly string[]): Promise<void> {
    await this.database.pool.query('delete from unreferenced_object where key = any($1)', [keys]);
  }

  override async noted(): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ key: string }>('select key from unreferenced_object');
    return rows.map(({ key }) => key);
  }

  override async notedBefore(before: Date, limit: number): Promise<NotedObject[]> {
    const { rows } = await this.database.pool.query<NotedObject>(
      `select key, size_bytes::float8 as "sizeBytes" from unreferenced_object
        where noted_at <= $1 order by noted_at, key limit $2`,
      [before, limit],
    );
    return rows;
  }

  override async removing(key: string, work: () => Promise<void>): Promise<boolean> {
    return this.database.transaction(async (client) => {
      // The row is the lock: a claim deletes it, before or after.
      const { rowCount } = await client.query(
        'select 1 from unreferenced_object where key = $1 for update skip locked',
        [key],
      );
      const still = rowCount === 1 && (await client.query(UNREFERENCED, [[key]])).rowCount === 1;
      if (still) await work();
      if (rowCount === 1) await client.query('delete from unreferenced_object where key = $1', [key]);
      return still;
    });
  }

  override async claim(key: string): Promise<void> {
    await this.forget([key]);
  }
}
