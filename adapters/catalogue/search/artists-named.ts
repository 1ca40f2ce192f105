import { isInWord, type SearchWord } from '../../platform/search/search-words.js';
import type { Database } from '../../platform/database/database.js';
import { likeLiteral } from '../../platform/database/json-shapes.js';

const CREATORS_LIMIT = 200;

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
): Promise<string[][]> {
  const typed = words.map((word) => word.typed);
  // Raw SQL: each branch has one condition, so that it uses its index.
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

/** Returns a regular expression for a text at the start of a word, or for whole words. Equivalent to `hasText`. */
function wordPattern(text: string, isWhole: boolean): string {
  const escaped = text.replace(/[^\p{L}\p{N} ]/gu, '\\$&');
  const isInWordAt = (at: number) => isInWord(text.charCodeAt(at));
  const [start, end] = [isInWordAt(0), isWhole && isInWordAt(text.length - 1)];
  return `${start ? '(?<![a-z0-9])' : ''}${escaped}${end ? '(?![a-z0-9])' : ''}`;
}
