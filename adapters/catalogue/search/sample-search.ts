/** Raw SQL: conditions are put together from what is searched, so that each part uses an index of its own (`look-ups.spec.ts`). */
import { type SamplesQuery } from '../../../application/catalogue/contract.js';
import { SEARCH_LIMIT } from '../../../application/catalogue/values.js';
import { byPopularity, type FoundSample, type Scope } from '../../../application/catalogue/search/rows.js';
import {
  nearWord,
  searchWords,
  type SearchWord,
} from '../../../application/catalogue/search/search-words.js';
import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import { KEYS } from '../../../domain/catalogue/vocabulary.js';
import { decodeCursor, encodeCursor, pageOf } from '../../platform/database/cursor.js';
import type { Database } from '../../platform/database/database.js';
import { filterConditions } from './sample-filter.js';
import type { FoundPage, PageQuery } from './sample-finder.js';
import { likeLiteral } from '../../platform/database/json-shapes.js';

const COLUMNS = `sample_id as "sampleId", title_lower as "titleLower", popularity, key, mood, genre, instruments,
  (extract(epoch from published_at) * 1000)::float8 as "publishedAtMs"`;
const CREATORS_LIMIT = 200;

export function scopeConditions({ creatorId, genre }: Scope, values: unknown[]): string[] {
  return [
    ...(creatorId === undefined ? [] : [`creator_id = $${values.push(creatorId)}`]),
    ...(genre === undefined ? [] : [`genre = $${values.push(genre)}`]),
  ];
}

/** A word of a search with the artists whose name has it. */
type NamedWord = SearchWord & { creatorIds: readonly string[] };

/**
 * The samples a text finds, best first: the title itself, then titles containing it, then whatever has all its words;
 * the more downloaded first in each. Each step is asked for only as many as are still missing, so a common word never
 * ranks the whole catalogue. Where nothing is found, words that nothing has get room for a typing error.
 */
export async function findByText(
  database: Database,
  text: string,
  filter: TrackFilter,
  scope: Scope,
  limit: number,
): Promise<FoundSample[]> {
  const find = (match: (values: unknown[]) => string, missing: number) =>
    findMatching(database, match, { filter, scope, limit: missing });
  const found = await find((values) => `title_lower = $${values.push(text)}`, limit);
  const titled = (values: unknown[]) => `title_lower like $${values.push(`%${likeLiteral(text)}%`)}`;
  if (found.length < limit)
    found.push(
      ...(await find(
        (values) => `${titled(values)} and title_lower <> $${values.push(text)}`,
        limit - found.length,
      )),
    );
  if (found.length === limit) return found;
  const words = await Promise.all(
    searchWords(text).map(async (word) => ({
      ...word,
      creatorIds: await creatorsNamed(database, word.texts[0] as string),
    })),
  );
  const rest = (each: readonly NamedWord[]) => (values: unknown[]) =>
    [`not ${titled(values)}`, ...each.map((word) => having(word, values, text))].join(' and ');
  found.push(...(await find(rest(words), limit - found.length)));
  if (found.length > 0) return found;
  const wider = await widened(database, words);
  return wider ? find(rest(wider), limit) : [];
}

async function findMatching(
  database: Database,
  match: (values: unknown[]) => string,
  { filter, scope, limit }: { filter: TrackFilter; scope: Scope; limit: number },
): Promise<FoundSample[]> {
  const values: unknown[] = [];
  const conditions = [match(values), ...filterConditions(filter, values), ...scopeConditions(scope, values)];
  const { rows } = await database.pool.query<FoundSample>(
    `select ${COLUMNS} from catalogue_sample where ${conditions.join(' and ')}
      order by popularity desc, sample_id limit $${values.push(limit)}`,
    values,
  );
  return rows;
}

/**
 * The condition that a sample has a word in any field. Each part of it uses an index of its own if it can.
 * @param titled titles that contain it are left out of the rest
 */
function having(word: NamedWord, values: unknown[], titled?: string): string {
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const likes = word.texts.map((text) => {
    const like = parameter(`%${likeLiteral(text)}%`);
    const inTitle = titled !== undefined && text.includes(titled) ? '' : `title_lower like ${like} or `;
    return `${inTitle}text_lower like ${like}`;
  });
  const keys = KEYS.filter((key) => word.texts.some((text) => key.toLowerCase().includes(text)));
  return `(${[
    ...likes,
    ...(word.near === undefined ? [] : [nearBy(parameter(word.near))]),
    ...(keys.length > 0 ? [`key = any(${parameter(keys)}::text[])`] : []),
    ...(word.bpm === undefined ? [] : [`bpm = ${parameter(word.bpm)}`]),
    ...(word.creatorIds.length > 0 ? [`creator_id = any(${parameter(word.creatorIds)}::text[])`] : []),
  ].join(' or ')})`;
}

const nearBy = (near: string): string => `title_lower ~ ${near} or text_lower ~ ${near}`;

/** The same words, allowing a typing error in each that nothing matches; undefined if there is none. */
async function widened(database: Database, words: readonly NamedWord[]): Promise<NamedWord[] | undefined> {
  let changed = false;
  const wider = await Promise.all(
    words.map(async (word) => {
      const near = nearWord(word);
      if (!near) return word;
      const values: unknown[] = [];
      const known = await database.pool.query(
        `select 1 from catalogue_sample where ${having({ ...word, creatorIds: [] }, values)} limit 1`,
        values,
      );
      if ((known.rowCount ?? 0) > 0) return word;
      changed = true;
      return { ...word, ...near };
    }),
  );
  return changed ? wider : undefined;
}

/** Names are stored with the accounts, where they can be changed and erased. */
export async function creatorsNamed(
  database: Database,
  text: string,
  limit: number = CREATORS_LIMIT,
): Promise<string[]> {
  const { rows } = await database.pool.query<{ user_id: string }>(
    // One condition in each, so that each uses its index.
    `select user_id
       from (select cp.user_id, lower(ua.display_name) = $2 as whole
               from user_account ua join creator_profile cp using (user_id) where lower(ua.display_name) like $1
             union all
             select cp.user_id, false
               from creator_profile cp join user_account using (user_id) where lower(cp.handle) like $1) as named
      group by user_id order by bool_or(whole) desc, user_id limit $3`,
    [`%${likeLiteral(text)}%`, text, limit],
  );
  return rows.map((row) => row.user_id);
}

type Sort = SamplesQuery['sort'];

/** SQL order and the condition "after this place" of lists without a text. */
const BROWSE = {
  popular: {
    order: 'popularity desc, sample_id',
    after: (a: string, id: string) =>
      `popularity <= ${a}::int and (popularity < ${a}::int or sample_id > ${id})`,
    key: (row: FoundSample) => row.popularity,
    valid: (value: unknown) => Number.isSafeInteger(value),
  },
  new: {
    order: 'published_at desc, sample_id',
    after: (a: string, id: string) =>
      `published_at <= to_timestamp(${a}::float8 / 1000) and (published_at < to_timestamp(${a}::float8 / 1000) or sample_id > ${id})`,
    key: (row: FoundSample) => row.publishedAtMs,
    valid: (value: unknown) => Number.isSafeInteger(value),
  },
  title: {
    order: 'title_lower, sample_id',
    after: (a: string, id: string) => `(title_lower, sample_id) > (${a}, ${id})`,
    key: (row: FoundSample) => row.titleLower,
    valid: (value: unknown) => typeof value === 'string',
  },
} as const;

const browseBy = (sort: Sort) => BROWSE[sort === 'relevance' ? 'popular' : sort];

type FoundRow = FoundSample & { packId: string };

/** One page of everything the filter lets through. */
export async function browse(
  database: Database,
  { sort, limit, cursor }: PageQuery,
  filter: TrackFilter,
  scope: Scope,
): Promise<{ listed: FoundRow[]; nextCursor: string | null }> {
  const by = browseBy(sort);
  const values: unknown[] = [];
  const conditions = [...filterConditions(filter, values), ...scopeConditions(scope, values)];
  const [place, id] = decodeCursor(cursor, 2) ?? [];
  if (id !== undefined && by.valid(place))
    conditions.push(`(${by.after(`$${values.push(place)}`, `$${values.push(String(id))}`)})`);
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const { rows } = await database.pool.query<FoundRow>(
    `select ${COLUMNS}, pack_id as "packId" from catalogue_sample ${where} order by ${by.order} limit $${values.push(limit + 1)}`,
    values,
  );
  const { shown, nextCursor } = pageOf(rows, limit, (last) => [by.key(last), last.sampleId]);
  return { listed: shown, nextCursor };
}

/** One page of what a text found; the cursor counts, so that all pages together stay within the cap. */
export function pageOfFound(found: readonly FoundSample[], { sort, limit, cursor }: PageQuery): FoundPage {
  const ordered = sort === 'relevance' ? [...found] : [...found].sort(COMPARE[sort]);
  const [shownBefore, lastId] = decodeCursor(cursor, 2) ?? [];
  // The present position of the last sample shown, so that newer samples before it neither repeat nor hide
  // anything.
  const seenAt = ordered.findIndex((row) => row.sampleId === lastId);
  const count = Number.isSafeInteger(shownBefore) ? Math.max(0, shownBefore as number) : 0;
  const start = lastId === undefined ? 0 : seenAt >= 0 ? seenAt + 1 : count;
  const room = Math.max(0, Math.min(limit, SEARCH_LIMIT - count));
  const shown = ordered.slice(start, start + room);
  const last = shown.at(-1);
  const more = last !== undefined && start + room < ordered.length && count + shown.length < SEARCH_LIMIT;
  return {
    listed: shown,
    nextCursor: more ? encodeCursor([count + shown.length, last.sampleId]) : null,
  };
}

const byId = (a: FoundSample, b: FoundSample): number => (a.sampleId < b.sampleId ? -1 : 1);
const byTitle = (a: FoundSample, b: FoundSample): number =>
  a.titleLower === b.titleLower ? byId(a, b) : a.titleLower < b.titleLower ? -1 : 1;
const COMPARE = {
  popular: byPopularity,
  new: (a: FoundSample, b: FoundSample) => b.publishedAtMs - a.publishedAtMs || byId(a, b),
  title: byTitle,
};
