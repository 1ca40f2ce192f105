import { withoutAccents } from '../../platform/search/search-vocabulary.js';
import { canBeNearName, isInWord, isNearName, type SearchWord } from '../../platform/search/search-words.js';
import type { Database } from '../../platform/database/database.js';
import { likeLiteral } from '../../platform/database/json-shapes.js';

const CREATORS_LIMIT = 200;
const NEAR_LIMIT = 2_000;

export async function withCreators<Word extends SearchWord>(
  database: Database,
  words: readonly Word[],
): Promise<(Word & { creatorIds: string[] })[]> {
  const accented = words.filter(({ typed }) => withoutAccents(typed) !== typed);
  const plain = accented.map((word) => ({ ...word, typed: withoutAccents(word.typed) }));
  const named = await creatorsNamed(database, [...words, ...plain]);
  return words.map((word, at) => {
    const other = named[words.length + accented.indexOf(word)];
    return {
      ...word,
      creatorIds: [...new Set([...(named[at] ?? []), ...(accented.includes(word) ? (other ?? []) : [])])],
    };
  });
}

/** Adds to each search word the artists whose names match it with one typing error. */
export async function withNearCreators<Word extends SearchWord>(
  database: Database,
  words: readonly Word[],
): Promise<(Word & { nearCreatorIds: string[] })[]> {
  // A single typing error leaves the first or the second half of a word unchanged.
  const alike = words.filter(canBeNearName).flatMap(({ typed }) => {
    const middle = typed.length >>> 1;
    return [typed.slice(0, middle - 1), typed.slice(middle + 1)].map((part) => `%${part}%`);
  });
  if (alike.length === 0) return words.map((word) => ({ ...word, nearCreatorIds: [] }));
  const rows = await database.db
    .selectFrom('creator_profile')
    .innerJoin('user_account', 'user_account.user_id', 'creator_profile.user_id')
    .select(({ fn }) => [
      'creator_profile.user_id as userId',
      fn<string>('lower', ['display_name']).as('name'),
      fn<string>('lower', ['handle']).as('handle'),
    ])
    .where(({ eb, fn, or, val }) => {
      const any = fn.any(val(alike));
      return or([eb(fn('lower', ['display_name']), 'like', any), eb(fn('lower', ['handle']), 'like', any)]);
    })
    .orderBy('creator_profile.user_id')
    .limit(NEAR_LIMIT)
    .execute();
  return words.map((word) => ({
    ...word,
    nearCreatorIds: rows
      .filter(({ name, handle }) => isNearName(name, word) || isNearName(handle, word))
      .map(({ userId }) => userId),
  }));
}

/** Searches the accounts instead of the index, because users change and erase their names. */
export async function creatorsNamed(
  database: Database,
  words: readonly Pick<SearchWord, 'typed' | 'isWhole'>[],
): Promise<string[][]> {
  const typed = words.map((word) => word.typed);
  // Raw SQL: each branch of the union has one condition, so that PostgreSQL uses an index.
  const { rows } = await database.pool.query<{ place: number; userIds: string[] }>(
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
      CREATORS_LIMIT,
    ],
  );
  return words.map((_, at) => rows.find(({ place }) => place === at + 1)?.userIds ?? []);
}

/** Returns a regular expression for a text at a word's start, or for whole words. It must match as `hasText` does. */
function wordPattern(text: string, isWhole: boolean): string {
  const escaped = text.replace(/[^\p{L}\p{N} ]/gu, '\\$&');
  const isInWordAt = (at: number) => isInWord(text.charCodeAt(at));
  const [start, end] = [isInWordAt(0), isWhole && isInWordAt(text.length - 1)];
  return `${start ? '(?<![a-z0-9])' : ''}${escaped}${end ? '(?![a-z0-9])' : ''}`;
}
