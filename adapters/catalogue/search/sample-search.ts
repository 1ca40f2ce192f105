/** Raw SQL: conditions are composed from the search, so that each part uses its own index (`look-ups.spec.ts`). */
import { type SamplesQuery } from '../../../application/catalogue/contract.js';
import { SEARCH_LIMIT } from '../../../application/catalogue/values.js';
import { byPopularity, type FoundSample, type Scope } from '../../platform/search/rows.js';
import {
  hasText,
  isInWord,
  isWholePhrase,
  nearWord,
  parted,
  searchWords,
  wordsToKeep,
  type SearchWord,
} from '../../platform/search/search-words.js';
import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import { KIND_NAMES, LOOP_BEATS, ONE_SHOT_MS, type Kind } from '../../../domain/catalogue/kind.js';
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

/** A search word with the artists whose name contains it. */
type NamedWord = SearchWord & { creatorIds: readonly string[] };

type Find = (filter: TrackFilter) => Promise<FoundSample[]>;

/**
 * Finds samples by text, best first: an exact title, then titles with the text, then samples with all words. Within
 * each, more downloads come first. If nothing is found, words without matches may have a typing error. If still
 * nothing is found, the fewest possible words are dropped.
 */
export async function searchByText(
  database: Database,
  text: string,
  filter: TrackFilter,
  scope: Scope,
  limit: number,
): Promise<{ find: Find; dropped: string[] }> {
  const words = await withCreators(database, searchWords(text));
  const having = (each: readonly NamedWord[]) => (filters: TrackFilter) =>
    findByWords(database, text, each, { filter: filters, scope, limit });
  let wider: readonly NamedWord[] | undefined;
  const exact: Find = async (each) => {
    const found = await having(words)(each);
    return found.length > 0 ? found : having((wider ??= await widened(database, words)))(each);
  };
  if ((await exact(filter)).length > 0) return { find: exact, dropped: [] };
  const last = (wider ??= await widened(database, words));
  const kept = await keptOf(database, last, filter, scope);
  if (kept === 0) return { find: exact, dropped: [] };
  const { words: left, dropped } = parted(last, kept);
  return { find: having(left), dropped };
}

/** Each step asks only for the results still missing, so that a common word never ranks the whole catalogue. */
async function findByWords(
  database: Database,
  text: string,
  words: readonly NamedWord[],
  { filter, scope, limit }: { filter: TrackFilter; scope: Scope; limit: number },
): Promise<FoundSample[]> {
  const find = (match: (values: unknown[]) => string, missing: number) =>
    findMatching(database, match, { filter, scope, limit: missing });
  const found = await find((values) => `title_lower = $${values.push(text)}`, limit);
  const titled = (values: unknown[]) => hasTextSql('title_lower', text, isWholePhrase(words), values);
  if (found.length < limit)
    found.push(
      ...(await find(
        (values) => `${titled(values)} and title_lower <> $${values.push(text)}`,
        limit - found.length,
      )),
    );
  if (found.length === limit) return found;
  const rest = (values: unknown[]) =>
    [
      `title_lower <> $${values.push(text)} and not (${titled(values)})`,
      ...words.map((word) => having(word, values)),
    ].join(' and ');
  found.push(...(await find(rest, limit - found.length)));
  return found;
}

/** Chooses the words to keep, as `wordsToKeep` says. Counts each combination of words that occurs once. */
async function keptOf(
  database: Database,
  words: readonly NamedWord[],
  filter: TrackFilter,
  scope: Scope,
): Promise<number> {
  const values: unknown[] = [];
  const bits = (condition: (word: NamedWord) => string): string =>
    words.map((word, at) => `(coalesce(${condition(word)}, false)::int << ${at})`).join(' | ');
  const had = bits((word) => having(word, values));
  const typed = bits((word) =>
    word.isNear ? `creator_id = any($${values.push(word.creatorIds)}::text[])` : 'true',
  );
  const conditions = [...filterConditions(filter, values), ...scopeConditions(scope, values)];
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const { rows } = await database.pool.query<{ had: number; typed: number; samples: number }>(
    `select had, bit_or(typed) as typed, count(*)::int as samples
       from (select ${had} as had, ${typed} as typed from catalogue_sample ${where}) as found
      where had > 0 group by had`,
    values,
  );
  const typedBits = rows.reduce((all, { typed: some }) => all | some, 0);
  return wordsToKeep(words, typedBits, (kept) =>
    rows.reduce((sum, row) => ((row.had & kept) === kept ? sum + row.samples : sum), 0),
  );
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

/** Returns a regular expression for a text at the start of a word, or for whole words. Equivalent to `hasText`. */
export function wordPattern(text: string, isWhole = false): string {
  const escaped = text.replace(/[^\p{L}\p{N} ]/gu, '\\$&');
  const isInWordAt = (at: number) => isInWord(text.charCodeAt(at));
  const [start, end] = [isInWordAt(0), isWhole && isInWordAt(text.length - 1)];
  return `${start ? '(?<![a-z0-9])' : ''}${escaped}${end ? '(?![a-z0-9])' : ''}`;
}

/** Returns the condition that a column contains a text. Its first part uses the index. */
function hasTextSql(column: string, text: string, isWhole: boolean, values: unknown[]): string {
  const like = `$${values.push(`%${likeLiteral(text)}%`)}`;
  return `${column} like ${like} and ${column} ~ $${values.push(wordPattern(text, isWhole))}`;
}

/** Returns the condition that a sample has a word in any field. Each part uses its own index if possible. */
function having(word: NamedWord, values: unknown[]): string {
  const { isWhole } = word;
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const texts = word.texts.flatMap((text) =>
    ['title_lower', 'text_lower'].map((column) => hasTextSql(column, text, isWhole, values)),
  );
  const keys = KEYS.filter((key) => word.texts.some((text) => hasText(key.toLowerCase(), text, isWhole)));
  const fact = word.kind ?? word.feature;
  return `(${[
    ...texts,
    ...(word.isNear ? [nearBy(parameter(nearPattern(word.typed)))] : []),
    ...(keys.length > 0 ? [`key = any(${parameter(keys)}::text[])`] : []),
    ...(word.bpm ? [`bpm between ${parameter(word.bpm.min)} and ${parameter(word.bpm.max)}`] : []),
    ...(fact
      ? [`exists (select from sample s where s.sample_id = catalogue_sample.sample_id and ${FACTS[fact]})`]
      : []),
    ...(word.creatorIds.length > 0 ? [`creator_id = any(${parameter(word.creatorIds)}::text[])`] : []),
  ].join(' or ')})`;
}

const nearBy = (near: string): string => `title_lower ~ ${near} or text_lower ~ ${near}`;

/** Returns a regular expression that is equivalent to `hasNear`. */
function nearPattern(typed: string): string {
  const letters = [...typed];
  const any = '[^ \\n]';
  const variants = letters.flatMap((letter, at) => {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at + 1).join('')];
    const swapped = before + (letters[at + 1] ?? '') + letter + letters.slice(at + 2).join('');
    return [before + after, before + any + after, before + any + letter + after, swapped];
  });
  return `(?<![a-z0-9])(?:${[...new Set(variants)].join('|')})`;
}

/** `kindOf`, MIDI and stems, in SQL. */
const named = (kind: Kind): string =>
  `s.title_lower ~ '(?<![a-z0-9])(?:${KIND_NAMES[kind].join('|')})(?![a-z0-9])'`;
const A_BAR = `s.bpm::bigint * s.duration_ms >= ${LOOP_BEATS * 60_000}`;
const FACTS: Record<Kind | 'midi' | 'stems', string> = {
  loop: `(${named('loop')} or (not ${named('one-shot')} and ${A_BAR}))`,
  'one-shot': `(not ${named('loop')} and (${named('one-shot')} or (not ${A_BAR} and s.duration_ms < ${ONE_SHOT_MS})))`,
  midi: 's.has_midi',
  stems: 's.has_stems',
};

/** Returns the words, and allows a typing error in each word without matches. */
async function widened(database: Database, words: readonly NamedWord[]): Promise<NamedWord[]> {
  return Promise.all(
    words.map(async (word) => {
      const near = nearWord(word);
      if (!near) return word;
      const values: unknown[] = [];
      const known = await database.pool.query(
        `select 1 from catalogue_sample where ${having({ ...word, creatorIds: [] }, values)} limit 1`,
        values,
      );
      return (known.rowCount ?? 0) > 0 ? word : { ...word, ...near };
    }),
  );
}

/** Adds the artists whose names contain a word, with one query for all words. */
export async function withCreators<Word extends SearchWord>(
  database: Database,
  words: readonly Word[],
): Promise<(Word & { creatorIds: string[] })[]> {
  const named = await creatorsNamed(database, words);
  return words.map((word, at) => ({ ...word, creatorIds: named[at] as string[] }));
}

/** Names are stored with the accounts, because they can be changed and erased. */
export async function creatorsNamed(
  database: Database,
  words: readonly Pick<SearchWord, 'typed' | 'isWhole'>[],
  limit: number = CREATORS_LIMIT,
): Promise<string[][]> {
  const typed = words.map((word) => word.typed);
  const { rows } = await database.pool.query<{ place: number; userIds: string[] }>(
    // Each branch has one condition, so that it uses its index.
    `select place::int as place, array(
              select user_id
                from (select cp.user_id, lower(ua.display_name) = typed as whole
                        from user_account ua join creator_profile cp using (user_id)
                       where lower(ua.display_name) like alike and lower(ua.display_name) ~ pattern
                      union all
                      select cp.user_id, false from creator_profile cp join user_account using (user_id)
                       where lower(cp.handle) like alike and lower(cp.handle) ~ pattern) as named
               group by user_id order by bool_or(whole) desc, user_id limit $4) as "userIds"
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as word (typed, alike, pattern, place)`,
    [
      typed,
      typed.map((text) => `%${likeLiteral(text)}%`),
      words.map((word) => wordPattern(word.typed, word.isWhole)),
      limit,
    ],
  );
  return words.map((_, at) => rows.find(({ place }) => place === at + 1)?.userIds ?? []);
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

/** One page of all samples that pass the filter. */
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

/** One page of what a text found. The cursor contains a count, so that all pages together stay within the limit. */
export function pageOfFound(found: readonly FoundSample[], { sort, limit, cursor }: PageQuery): FoundPage {
  const ordered = sort === 'relevance' ? [...found] : [...found].sort(COMPARE[sort]);
  const [shownBefore, lastId] = decodeCursor(cursor, 2) ?? [];
  // Continues after the present place of the last shown sample. Newer samples before it cause no repetition or gap.
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
