/**
 * Lists samples in the order of date, title, tempo or length, because the index in memory lacks these
 * orders. Raw SQL: the conditions
 * are composed from the filter.
 */
import type { SamplesQuery } from '../../../application/catalogue/contract.js';
import { decodeCursor, pageOf } from '../../platform/database/cursor.js';
import type { Database } from '../../platform/database/database.js';
import type { FoundSample, Scope } from '../../platform/search/rows.js';
import { tempoIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { fitOf, fitsAsItIs, type Project } from '../../../domain/catalogue/fit.js';
import { COMPARED, SOUND_FACTS, SOUND_VERSION } from '../../../domain/catalogue/sound/facts.js';
import { KEYS, keysChosenBy } from '../../../domain/catalogue/vocabulary.js';

export type PageQuery = Pick<SamplesQuery, 'sort' | 'limit' | 'cursor' | 'fits' | 'project'>;

type FoundRow = Pick<FoundSample, 'sampleId' | 'titleLower' | 'publishedAtMs' | 'bpm' | 'durationMs'> & {
  packId: string;
};

const ORDERS = {
  new: {
    order: 'published_at desc, sample_id',
    after: (a: string, id: string) =>
      `published_at <= to_timestamp(${a}::float8 / 1000) and (published_at < to_timestamp(${a}::float8 / 1000) or sample_id > ${id})`,
    key: (row: FoundRow) => row.publishedAtMs,
    valid: (value: unknown) => Number.isSafeInteger(value),
  },
  title: {
    order: 'title_lower, sample_id',
    after: (a: string, id: string) => `(title_lower, sample_id) > (${a}, ${id})`,
    key: (row: FoundRow) => row.titleLower,
    valid: (value: unknown) => typeof value === 'string',
  },
  tempo: {
    // Samples without a tempo come last.
    order: '(bpm = 0), bpm, sample_id',
    after: (a: string, id: string) => `(bpm = 0, bpm, sample_id) > (${a}::int = 0, ${a}::int, ${id})`,
    key: (row: FoundRow) => row.bpm,
    valid: (value: unknown) => Number.isSafeInteger(value),
  },
  length: {
    order: 'duration_ms, sample_id',
    after: (a: string, id: string) => `(duration_ms, sample_id) > (${a}::int, ${id})`,
    key: (row: FoundRow) => row.durationMs,
    valid: (value: unknown) => Number.isSafeInteger(value),
  },
} as const;

export type TableOrder = keyof typeof ORDERS;

export async function browseTable(
  database: Database,
  { sort, limit, cursor }: PageQuery & { sort: TableOrder },
  filter: TrackFilter,
  scope: Scope,
): Promise<{ listed: FoundRow[]; nextCursor: string | null }> {
  const by = ORDERS[sort];
  const values: unknown[] = [];
  const conditions = [...filterConditions(filter, values), ...scopeConditions(scope, values)];
  const [place, id] = decodeCursor(cursor, 2) ?? [];
  if (id !== undefined && by.valid(place))
    conditions.push(`(${by.after(`$${values.push(place)}`, `$${values.push(String(id))}`)})`);
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const { rows } = await database.pool.query<FoundRow>(
    `select sample_id as "sampleId", pack_id as "packId", title_lower as "titleLower", bpm,
            duration_ms as "durationMs",
            (extract(epoch from published_at) * 1000)::float8 as "publishedAtMs"
       from catalogue_sample ${where} order by ${by.order} limit $${values.push(limit + 1)}`,
    values,
  );
  const { shown, nextCursor } = pageOf(rows, limit, (last) => [by.key(last), last.sampleId]);
  return { listed: shown, nextCursor };
}

/** Returns SQL equivalent to `passesFilter`, and appends its parameters to `values`. */
export function filterConditions(filter: TrackFilter, values: unknown[]): string[] {
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (tempoIsFiltered(filter))
    conditions.push(`bpm between ${parameter(filter.bpmMin)} and ${parameter(filter.bpmMax)}`);
  if (filter.key !== undefined) conditions.push(`key = any(${parameter(keysChosenBy(filter.key))}::text[])`);
  for (const [column, value] of [
    ['kind =', filter.kind],
    ['has_midi =', filter.hasMidi],
    ['has_stems =', filter.hasStems],
    ['price_credits <=', filter.maxCredits],
    ['duration_ms >=', filter.minMs],
    ['duration_ms <=', filter.maxMs],
  ])
    if (value !== undefined) conditions.push(`${column} ${parameter(value)}`);
  if (filter.origins?.length) conditions.push(`origin = any(${parameter(filter.origins)}::text[])`);
  if (filter.fits) {
    const { keys, tempos } = fitting(filter.fits);
    conditions.push(`(key is null or key = any(${parameter(keys)}::text[]))`);
    conditions.push(`bpm = any(${parameter(tempos)}::int[])`);
  }
  for (const { fact, min, max } of filter.sounds ?? []) {
    const value = `get_byte(d.descriptors, ${COMPARED + SOUND_FACTS.indexOf(fact)})`;
    conditions.push(
      `exists (select from sound_descriptor d join sample s using (sample_id, audio_version)
                where d.sample_id = catalogue_sample.sample_id and d.version = ${SOUND_VERSION}
                  and ${value} between ${parameter(min)} and ${parameter(max)})`,
    );
  }
  const moodsAndGenres = [
    ...(filter.moods.length > 0 ? [`mood = any(${parameter(filter.moods)}::text[])`] : []),
    ...(filter.genres.length > 0 ? [`genre = any(${parameter(filter.genres)}::text[])`] : []),
  ];
  if (moodsAndGenres.length > 0)
    conditions.push(`(${moodsAndGenres.join(filter.mode === 'search' ? ' or ' : ' and ')})`);
  if (filter.instruments.length > 0) {
    const operator = filter.mode === 'search' ? '@>' : '&&';
    conditions.push(`instruments ${operator} ${parameter(filter.instruments)}::text[]`);
  }
  return conditions;
}

/**
 * Returns the keys and the tempos of samples that fit a project without a shift and within the limit of stretching.
 * Tempo 0 means that a sample has no tempo.
 */
function fitting(project: Project): { keys: string[]; tempos: number[] } {
  // Faster samples are stretched by more than the limit even at double time.
  const fastest = Math.ceil(project.tempo * 3);
  return {
    keys: KEYS.filter((key) => fitsAsItIs(fitOf({ bpm: 0, key }, project))),
    tempos: Array.from({ length: fastest }, (_, bpm) => bpm).filter((bpm) =>
      fitsAsItIs(fitOf({ bpm, key: null }, project)),
    ),
  };
}

function scopeConditions({ creatorId, genre, owned }: Scope, values: unknown[]): string[] {
  return [
    ...(owned
      ? [
          `${owned.isWanted ? '' : 'not '}exists (
             select from owned_sample o
              where o.buyer_id = $${values.push(owned.viewerId)} and o.sample_id = catalogue_sample.sample_id
                and o.returned_at is null)`,
        ]
      : []),
    ...(creatorId === undefined ? [] : [`creator_id = $${values.push(creatorId)}`]),
    ...(genre === undefined ? [] : [`genre = $${values.push(genre)}`]),
  ];
}
