/** Raw SQL: a cursor reads many rows at a time, without column names, to build the index of a large catalogue. */
import type { PoolClient } from 'pg';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kind } from '../../../domain/shared/kind.js';
import type { Origin } from '../../../domain/shared/origin.js';
import { SOUND_VERSION } from '../../../domain/catalogue/sound/facts.js';
import type { CatalogueIndex } from '../../platform/search/catalogue-index.js';
import type { CardFields, CatalogueRow, Place, Sound } from '../../platform/search/rows.js';
import { SegmentBuilder } from '../../platform/search/segment-builder.js';
import type { Segment } from '../../platform/search/segment.js';
import { queries, prepared, type Database, type Queries } from '../../platform/database/database.js';
import { catalogueSearch } from './catalogue-search.js';

/** The number of rows per read. Few enough that concurrent requests wait only milliseconds. */
const PAGE_ROWS = 2_000;
/** The number of events per read. Beyond `EVENTS_LIMIT`, a complete rebuild is faster. */
const PAGE_EVENTS = 20_000;
const EVENTS_LIMIT = 500_000;
/** Descriptions of sounds per read. */
const PAGE_DESCRIBED = 2_000;

const LISTED = `catalogue_sample c join sample s using (sample_id) join pack p on p.pack_id = c.pack_id
  left join sound_descriptor d on d.sample_id = c.sample_id and d.audio_version = s.audio_version
                               and d.version = ${SOUND_VERSION}`;
const COLUMNS = `c.sample_id, c.pack_id, c.creator_id, c.title_lower, c.text_lower, c.genre, c.mood, c.key, c.bpm,
  array_to_string(c.instruments, E'\\n'), c.duration_ms, c.kind, c.has_midi, c.has_stems, c.price_credits, c.origin, c.popularity, (extract(epoch from c.published_at) * 1000)::float8,
  s.title, p.title, p.slug, '/' || p.cover_key, s.is_royalty_free, '/' || s.preview_key, to_json(s.waveform),
  d.described_id, d.descriptors`;

type Columns = [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string | null,
  number,
  string,
  number,
  Kind,
  boolean,
  boolean,
  number,
  Origin | null,
  number,
  number,
  ...CardValues,
];
type CardValues = [
  string,
  string,
  string,
  string | null,
  boolean,
  string | null,
  number[],
  number | null,
  Buffer | null,
];

export interface IndexPosition {
  version: number;
  position: number;
}

/** @param stopping returns true to give up the build; called between pages */
export async function buildIndex(
  database: Database,
  stopping: () => boolean,
): Promise<(IndexPosition & { segment: Segment }) | undefined> {
  // A large catalogue may take longer than the usual timeout.
  return database.longTransaction(
    asOfOneMoment(async (client) => {
      const db = queries(client);
      const { version, position } = await positionOfIndex(db);
      const { samples } = await db
        .selectFrom('catalogue_sample')
        .select(({ fn }) => fn.countAll<number>().as('samples'))
        .executeTakeFirstOrThrow();
      const builder = new SegmentBuilder(samples);
      await client.query(
        `declare listed no scroll cursor for
         select ${COLUMNS} from ${LISTED} order by c.popularity desc, c.sample_id collate "C"`,
      );
      for (;;) {
        const page = await client.query<Columns>({
          text: `fetch ${PAGE_ROWS} from listed`,
          rowMode: 'array',
        });
        for (const columns of page.rows) builder.add(rowFrom(columns));
        if (page.rows.length < PAGE_ROWS) break;
        if (stopping()) return undefined;
      }
      await nextTurn();
      return { segment: await builder.finish(), version, position };
    }),
  );
}

/** @returns `lost` if the index is too far behind or the search table was rebuilt: the caller builds a new index */
export async function catchUp(
  database: Database,
  index: CatalogueIndex,
  version: number,
  pageEvents = PAGE_EVENTS,
): Promise<'caught up' | 'lost'> {
  for (;;) {
    const { rows } = await database.pool.query<
      IndexPosition & { events: number; until: number; described: number | null }
    >(
      prepared(
        'catalogue-index-behind',
        `select version, checkpoint.position, new.events, new.until,
                (select max(described_id) from sound_descriptor) as described
           from checkpoint, lateral (
             select count(*)::int as events, max(position) as until
               from (select event.position from event where event.position > $1
                        and event.position <= checkpoint.position and type = any($2::text[])
                      order by event.position limit $4) as page) as new
          where name = $3`,
        [index.position, catalogueSearch.types, catalogueSearch.name, pageEvents],
      ),
    );
    const now = rows[0] ?? { version, position: index.position, events: 0, until: 0, described: 0 };
    const behind = now.position - index.position;
    if (now.version !== version || behind < 0 || behind > EVENTS_LIMIT) return 'lost';
    const isLast = now.events < pageEvents;
    let isDescribed = (now.described ?? 0) <= index.describedId;
    if (now.events > 0 || !isDescribed) {
      const changes = await database.transaction(
        asOfOneMoment((client) =>
          readChanges(client, index, now.events > 0 ? now.until : index.position, version),
        ),
      );
      if (!changes) return 'lost';
      index.replacePacks(changes.packIds, changes.rows);
      index.rank(changes.downloads);
      index.describedId = changes.describedId;
      isDescribed = changes.areDescribed;
    }
    index.position = isLast ? now.position : now.until;
    if (isLast && isDescribed) return 'caught up';
  }
}

interface Changes {
  packIds: string[];
  rows: CatalogueRow[];
  downloads: (Place & { packId: string })[];
  describedId: number;
  /** Whether `rows` include all new descriptions of sounds. If false, another read is needed. */
  areDescribed: boolean;
}

async function readChanges(
  client: PoolClient,
  { position: after, describedId }: Pick<CatalogueIndex, 'position' | 'describedId'>,
  until: number,
  knownVersion: number,
): Promise<Changes | undefined> {
  const db = queries(client);
  const { version } = await positionOfIndex(db);
  if (version !== knownVersion) return undefined;
  const events = await client.query<{ type: string; pack_id: string; sample_id: string }>(
    `select distinct type, data->>'packId' as pack_id, case type when 'SamplePurchased' then data->>'sampleId' end as sample_id
       from readable_event where position > $1 and position <= $2 and type = any($3::text[])`,
    [after, until, catalogueSearch.types],
  );
  const purchases = events.rows.filter((event) => event.type === 'SamplePurchased');
  const described = await client.query<{ id: number; pack_id: string | null }>(
    `select d.described_id as id, c.pack_id from sound_descriptor d left join catalogue_sample c using (sample_id)
      where d.described_id > $1 order by d.described_id limit ${PAGE_DESCRIBED}`,
    [describedId],
  );
  const packIds = [
    ...new Set([
      ...events.rows.filter((event) => event.type !== 'SamplePurchased').map((event) => event.pack_id),
      ...described.rows.flatMap(({ pack_id }) => pack_id ?? []),
    ]),
  ];
  const listed = await client.query<Columns>({
    text: `select ${COLUMNS} from ${LISTED} where c.pack_id = any($1::text[])`,
    values: [packIds],
    rowMode: 'array',
  });
  const downloads = await db
    .selectFrom('catalogue_sample')
    .select(['sample_id as sampleId', 'pack_id as packId', 'popularity'])
    .where(({ eb, fn, val }) => eb('sample_id', '=', fn.any(val(purchases.map((event) => event.sample_id)))))
    .execute();
  return {
    packIds,
    rows: listed.rows.map(rowFrom),
    downloads,
    describedId: described.rows.at(-1)?.id ?? describedId,
    areDescribed: described.rows.length < PAGE_DESCRIBED,
  };
}

export async function positionOfIndex(db: Queries): Promise<IndexPosition> {
  const here = await db
    .selectFrom('checkpoint')
    .select(['version', 'position'])
    .where('name', '=', catalogueSearch.name)
    .executeTakeFirst();
  return here ?? { version: catalogueSearch.version, position: 0 };
}

const asOfOneMoment =
  <Result>(work: (client: PoolClient) => Promise<Result>) =>
  async (client: PoolClient): Promise<Result> => {
    await client.query('set transaction isolation level repeatable read, read only');
    return work(client);
  };

function rowFrom(columns: Columns): CatalogueRow {
  const [sampleId, packId, creatorId, titleLower, text, genre, mood, key, bpm, instruments, ...others] =
    columns;
  const [durationMs, kind, hasMidi, hasStems, creditCost, origin, popularity, publishedAtMs] = others;
  // `text` is the pack's title followed by values that have columns of their own. Cut these off.
  const packLower = text.slice(0, text.length - genre.length - mood.length - instruments.length - 3);
  return {
    sampleId,
    packId,
    creatorId,
    titleLower,
    packLower,
    genre,
    mood,
    key,
    bpm,
    durationMs,
    kind,
    hasMidi,
    hasStems,
    creditCost,
    origin,
    instruments: instruments === '' ? [] : instruments.split('\n'),
    popularity,
    publishedAtMs,
    sound: soundFrom(columns.at(-2) as number | null, columns.at(-1) as Buffer | null),
    card: cardFrom(columns.slice(CARD_START) as CardValues),
  };
}

const soundFrom = (id: number | null, bytes: Buffer | null): Sound | undefined =>
  id === null || bytes === null
    ? undefined
    : { id, descriptors: Int8Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)) };

const CARD_START = 18;

function cardFrom(values: CardValues): CardFields {
  const [title, packTitle, packSlug, artworkUrl, isRoyaltyFree, previewUrl, waveform] = values;
  return { title, packTitle, packSlug, artworkUrl, isRoyaltyFree, previewUrl, waveform };
}
