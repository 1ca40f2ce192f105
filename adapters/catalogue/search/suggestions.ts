/** Raw SQL: each statement joins a list of ids with tables, in the order of the list. */
import { paths, serverPaths } from '../../../application/pages/paths.js';
import type { Suggestion, Suggestions } from '../../../application/catalogue/contract.js';
import { searchText } from '../../platform/search/rows.js';
import { hasText, searchWords } from '../../platform/search/search-words.js';
import { genreSlug } from '../../../domain/catalogue/collections.js';
import { EVERY_TRACK } from '../../../domain/catalogue/filter.js';
import { GENRES, INSTRUMENTS, MOODS, type Genre } from '../../../domain/catalogue/vocabulary.js';
import type { Database } from '../../platform/database/database.js';
import { creatorsNamed } from './artists-named.js';
import type { IndexFinder } from './index-finder.js';

const SUGGESTIONS_LIMIT = 5;
const SUGGEST_FROM_CHARACTERS = 2;
const GROUPS: readonly Suggestion['kind'][] = ['genre', 'creator', 'pack', 'sample'];

/** Returns up to five suggestions for typed letters: some of each kind, in groups by kind. */
export async function suggestionsFor(
  database: Database,
  finder: IndexFinder,
  typed: string,
): Promise<Suggestions> {
  const text = searchText(typed);
  if ([...text].length < SUGGEST_FROM_CHARACTERS) return { items: [] };
  const kinds = await Promise.all(
    [genres, tags, packs, creators, samples].map((kind) => kind(database, text, finder)),
  );
  if (kinds.every((kind) => kind.length === 0)) {
    // No name matches, so suggest what a search would find.
    const { found, dropped } = await finder.byText(text, EVERY_TRACK, {});
    const why = dropped.length > 0 ? `Without “${dropped.join(' ')}”` : 'Matches the words';
    const ids = found.slice(0, SUGGESTIONS_LIMIT).map(({ sampleId }) => sampleId);
    return { items: await samplesListed(database, ids, why) };
  }
  const items: Suggestion[] = [];
  for (let turn = 0; turn < SUGGESTIONS_LIMIT; turn++)
    items.push(...kinds.flatMap((kind) => kind.slice(turn, turn + 1)));
  const shown = items.slice(0, SUGGESTIONS_LIMIT);
  return { items: shown.sort((a, b) => GROUPS.indexOf(a.kind) - GROUPS.indexOf(b.kind)) };
}

type Source = (database: Database, text: string, finder: IndexFinder) => Promise<Suggestion[]>;

const packHref = (slug: string, handle: string): string => paths.pack({ slug, creator: handle });

interface PackPlace {
  label: string;
  slug: string;
  handle: string;
}

const samples: Source = async (database, text, finder) =>
  samplesListed(database, finder.samplesTitled(text, SUGGESTIONS_LIMIT), 'Title');

async function samplesListed(database: Database, ids: readonly string[], why: string): Promise<Suggestion[]> {
  const { rows } = await database.pool.query<{ id: string; label: string }>(
    `select s.sample_id as id, s.title as label from unnest($1::text[]) with ordinality as found(sample_id, place)
       join sample s using (sample_id) where s.available order by place`,
    [ids],
  );
  return rows.map(({ id, label }) => ({ kind: 'sample', label, href: paths.sample(id), why, sampleId: id }));
}

/** Returns the text, and its other spellings if it is a single word. */
function waysToSay(text: string): string[] {
  const [word, another] = searchWords(text);
  return [...new Set([text, ...(word && !another ? word.texts : [])])];
}

/** Hyphens count as spaces. */
const isNamed = (label: string, way: string): boolean =>
  hasText(label.toLowerCase().replaceAll('-', ' '), way.replaceAll('-', ' '), false);

function packsFor(finder: IndexFinder, text: string): string[] {
  for (const way of waysToSay(text)) {
    const titled = finder.packsTitled(way, SUGGESTIONS_LIMIT);
    if (titled.length > 0) return titled;
  }
  return [];
}

const packs: Source = async (database, text, finder) => {
  const { rows } = await database.pool.query<PackPlace>(
    `select p.title as label, p.slug, coalesce(cp.handle, p.creator_id) as handle
       from unnest($1::text[]) with ordinality as found(pack_id, place)
       join pack p using (pack_id)
       left join creator_profile cp on cp.user_id = p.creator_id where p.listed order by place`,
    [packsFor(finder, text)],
  );
  return rows.map(({ label, slug, handle }) => ({
    kind: 'pack',
    label,
    href: packHref(slug, handle),
    why: 'Pack',
  }));
};

const creators: Source = async (database, text) => {
  const { rows } = await database.pool.query<{ label: string; handle: string }>(
    `select ua.display_name as label, cp.handle
       from unnest($1::text[]) with ordinality as found(user_id, place)
       join creator_profile cp using (user_id) join user_account ua using (user_id)
      where exists (select 1 from pack where creator_id = user_id and listed)
      order by place limit ${SUGGESTIONS_LIMIT}`,
    await creatorsNamed(database, [{ typed: text, isWhole: false }]),
  );
  return rows.map(({ label, handle }) => ({
    kind: 'creator',
    label,
    href: paths.creator(handle),
    why: 'Creator',
  }));
};

const genres: Source = async (database, text) => {
  const ways = waysToSay(text);
  const named = GENRES.filter((genre) => ways.some((way) => isNamed(genre, way)));
  if (named.length === 0) return [];
  const { rows } = await database.pool.query<{ genre: Genre }>(
    `select genre from unnest($1::text[]) with ordinality as named(genre, place)
      where exists (select 1 from pack where pack.genre = named.genre and listed) order by place`,
    [named],
  );
  return rows.map(({ genre }) => ({
    kind: 'genre',
    label: genre,
    href: serverPaths.genre(genreSlug(genre)),
    why: 'Genre',
  }));
};

const tags: Source = async (database, text) => {
  const ways = waysToSay(text);
  const named = (labels: readonly string[]) =>
    labels.filter((label) => ways.some((way) => isNamed(label, way)));
  const [moods, instruments] = [named(MOODS), named(INSTRUMENTS)];
  if (moods.length + instruments.length === 0) return [];
  const { rows } = await database.pool.query<{ facet: 'mood' | 'instrument'; label: string }>(
    `select 'mood' as facet, label from unnest($1::text[]) as label
      where exists (select from pack where mood = label and listed)
     union all
     select 'instrument', label from unnest($2::text[]) as label
      where exists (select from catalogue_sample where instruments @> array[label])`,
    [moods, instruments],
  );
  return rows.map(({ facet, label }) => ({
    // Old clients know no other kind of tag.
    kind: 'genre',
    label,
    href: serverPaths.searchBy(facet, label),
    why: facet === 'mood' ? 'Mood' : 'Instrument',
  }));
};
