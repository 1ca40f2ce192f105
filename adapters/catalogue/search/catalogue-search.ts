/** Raw SQL: one statement counts any number of purchases, or lists any number of packs. */
import type { AnyEvent } from '../../../application/shared/event-store.js';
import type { ClientBase } from 'pg';
import { queries } from '../../platform/database/database.js';
import { KIND } from '../../platform/database/json-shapes.js';
import type { AsyncProjection, ProjectedEvent } from '../../platform/projections/projection.js';
import { PACK_EVENT_TYPES } from '../../../domain/publishing/pack-state.js';

/** Pack events that change search results. A new draft and its default price do not. */
const LISTED = PACK_EVENT_TYPES.filter((type) => type !== 'PackDrafted' && type !== 'DefaultCostChanged');

export const catalogueSearch: AsyncProjection<AnyEvent> = {
  name: 'catalogue-search',
  version: 4,
  // Other users may see a change a moment later. Commands that publish wait for this projection.
  lifecycle: 'async',
  types: [...LISTED, 'SamplePurchased'],
  tables: ['catalogue_sample', 'download_count', 'download_hour'],
  async apply(client, events, { late = false } = {}) {
    // Free downloads by a creator's code are not counted, because creators could use them to change the charts.
    const purchases = events.filter(
      ({ type, data }) => type === 'SamplePurchased' && data['promotion'] === undefined,
    );
    await countDownloads(client, purchases, late);
    await countHours(client, purchases, late);
    const packs = events.filter((event) => event.type !== 'SamplePurchased');
    await refreshPacks(client, [...new Set(packs.map((event) => String(event.data.packId)))]);
    await rank(client, [...new Set(purchases.map((event) => String(event.data.sampleId)))]);
  },
};

/** @param late true if the purchases failed at first and are retried. Later purchases may already be counted then */
async function countDownloads(client: ClientBase, purchases: ProjectedEvent[], late: boolean): Promise<void> {
  if (purchases.length === 0) return;
  const arrived = purchases.flatMap(({ position, data }) => [
    { position, kind: 'sample', id: data.sampleId },
    { position, kind: 'pack', id: data.packId },
    { position, kind: 'creator', id: data.creatorId },
  ]);
  await client.query(
    `insert into download_count as known (kind, id, downloads, position)
     select arrived.kind, arrived.id, count(*), max(arrived.position)
       from unnest($1::text[], $2::text[], $3::bigint[]) as arrived(kind, id, position)
       left join download_count as seen using (kind, id)
      where $4 or arrived.position > coalesce(seen.position, 0)
      group by arrived.kind, arrived.id
     on conflict (kind, id) do update
       set downloads = known.downloads + excluded.downloads, position = greatest(known.position, excluded.position)`,
    [
      arrived.map((each) => each.kind),
      arrived.map((each) => each.id),
      arrived.map((each) => each.position),
      late,
    ],
  );
}

async function countHours(client: ClientBase, purchases: ProjectedEvent[], late: boolean): Promise<void> {
  if (purchases.length === 0) return;
  await client.query(
    `insert into download_hour as known (sample_id, pack_id, hour, downloads, position)
     select arrived.sample_id, min(arrived.pack_id), arrived.hour, count(*), max(arrived.position)
       from (select sample_id, pack_id, date_trunc('hour', at, 'UTC') as hour, position
               from unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[]) as e(sample_id, pack_id, at, position)) as arrived
       left join download_hour as seen using (sample_id, hour)
      where $5 or arrived.position > coalesce(seen.position, 0)
      group by arrived.sample_id, arrived.hour
     on conflict (sample_id, hour) do update
       set downloads = known.downloads + excluded.downloads, position = greatest(known.position, excluded.position)`,
    [
      purchases.map(({ data }) => data.sampleId),
      purchases.map(({ data }) => data.packId),
      purchases.map(({ recordedAt }) => recordedAt),
      purchases.map(({ position }) => position),
      late,
    ],
  );
}

/** Reads the packs as they are now, whatever the event was, so that repeating an event gives the same rows. */
async function refreshPacks(client: ClientBase, packIds: string[]): Promise<void> {
  if (packIds.length === 0) return;
  const db = queries(client);
  const listed = db
    .selectFrom('sample')
    .select('sample_id')
    .where(({ eb, fn, val }) => eb('pack_id', '=', fn.any(val(packIds))))
    .where('available', '=', true);
  await db
    .deleteFrom('catalogue_sample')
    .where(({ eb, fn, val }) => eb('pack_id', '=', fn.any(val(packIds))))
    .where('sample_id', 'not in', listed)
    .execute();
  await client.query(
    `insert into catalogue_sample (sample_id, pack_id, creator_id, title_lower, text_lower, genre, mood, key, bpm,
                                   instruments, popularity, published_at, shuffle, duration_ms, kind, has_midi,
                                   has_stems, price_credits, origin)
     select s.sample_id, s.pack_id, s.creator_id, s.title_lower,
            p.title_lower || E'\\n' || lower(p.genre) || E'\\n' || lower(p.mood) || E'\\n'
              || lower(array_to_string(s.instruments, E'\\n')),
            p.genre, p.mood, s.key, s.bpm, s.instruments, coalesce(d.downloads, 0), p.published_at,
            ('x' || left(md5(s.sample_id), 8))::bit(32)::int, s.duration_ms, ${KIND}, s.has_midi, s.has_stems,
            s.price_credits, s.origin
       from sample s join pack p using (pack_id)
       left join download_count d on d.kind = 'sample' and d.id = s.sample_id
      where s.pack_id = any($1) and s.available
     on conflict (sample_id) do update
       set title_lower = excluded.title_lower, text_lower = excluded.text_lower, genre = excluded.genre,
           mood = excluded.mood, key = excluded.key, bpm = excluded.bpm, instruments = excluded.instruments,
           popularity = excluded.popularity, published_at = excluded.published_at,
           duration_ms = excluded.duration_ms, kind = excluded.kind, has_midi = excluded.has_midi,
           has_stems = excluded.has_stems, price_credits = excluded.price_credits,
           origin = excluded.origin`,
    [packIds],
  );
}

async function rank(client: ClientBase, sampleIds: string[]): Promise<void> {
  if (sampleIds.length === 0) return;
  await queries(client)
    .updateTable('catalogue_sample')
    .from('download_count as d')
    .set(({ ref }) => ({ popularity: ref('d.downloads') }))
    .where('d.kind', '=', 'sample')
    .whereRef('d.id', '=', 'catalogue_sample.sample_id')
    .where(({ eb, fn, val }) => eb('catalogue_sample.sample_id', '=', fn.any(val(sampleIds))))
    .whereRef('catalogue_sample.popularity', '<>', 'd.downloads')
    .execute();
}
