import { type SamplePage, type SamplesQuery } from '../../application/catalogue/contract.js';
import { projectFrom, SEARCH_LIMIT } from '../../application/catalogue/values.js';
import { type Origin } from '../../domain/shared/origin.js';
import { readCollectionSlug } from '../../domain/catalogue/collections.js';
import {
  bitsWhere,
  hasText,
  hasWord,
  isNearName,
  isWholePhrase,
  nearWord,
  parted,
  searchWords,
  wordsToKeep,
  type SearchWord,
} from '../../adapters/platform/search/search-words.js';
import { filterOf } from '../../adapters/catalogue/sample-queries.js';
import { withoutAccents } from '../../adapters/platform/search/search-vocabulary.js';
import { changeOf, fitOf } from '../../domain/catalogue/fit.js';
import { passesFilter, type TrackFilter } from '../../domain/catalogue/filter.js';
import { kindOf } from '../../domain/catalogue/kind.js';

/** A listed sample with all texts and facts that a search uses. */
export interface NaiveSample {
  id: string;
  packId: string;
  title: string;
  /** Display name and handle. */
  artist: string[];
  pack: string;
  genre: string;
  mood: string;
  key: string | null;
  bpm: number;
  durationMs: number;
  hasMidi: boolean;
  hasStems: boolean;
  creditCost: number;
  origin: Origin | null;
  instruments: string[];
  downloads: number;
  publishedAt: number;
}

type Facets = SamplePage['facets'];

const lower = (text: string): string => text.toLowerCase();
const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);
const byDownloads = (a: NaiveSample, b: NaiveSample): number =>
  b.downloads - a.downloads || byText(a.id, b.id);
const ORDERS = {
  relevance: byDownloads,
  popular: byDownloads,
  new: (a: NaiveSample, b: NaiveSample) => b.publishedAt - a.publishedAt || byText(a.id, b.id),
  title: (a: NaiveSample, b: NaiveSample) => byText(lower(a.title), lower(b.title)) || byText(a.id, b.id),
  tempo: (a: NaiveSample, b: NaiveSample) => (a.bpm || Infinity) - (b.bpm || Infinity) || byText(a.id, b.id),
  length: (a: NaiveSample, b: NaiveSample) => a.durationMs - b.durationMs || byText(a.id, b.id),
};

/**
 * A direct implementation of the specification, one sample at a time. Every other search must give the same
 * result.
 */
export function naiveSearch(
  samples: readonly NaiveSample[],
  query: SamplesQuery,
): { ids: string[]; total: number; facets: Facets; dropped: string[] } {
  const text = lower(query.q).trim().replace(/\s+/g, ' ');
  const filter = filterOf(query);
  const passing = (each: TrackFilter): NaiveSample[] =>
    samples.filter((sample) => inCollection(sample, query) && passesFilter(heard(sample), each));
  const best = (words: readonly SearchWord[], each: TrackFilter): NaiveSample[] =>
    [0, 1, 2, 3]
      .flatMap((tier) =>
        passing(each)
          .filter((sample) => tierOf(sample, text, words) === tier)
          .sort(byDownloads),
      )
      .slice(0, SEARCH_LIMIT);
  const words = text === '' ? [] : searchWords(text);
  const isKnown = (word: SearchWord): boolean =>
    samples.some((sample) => has({ ...sample, artist: [] }, word));
  const wider = words.map((word) => (isKnown(word) ? word : (nearWord(word) ?? word)));
  const exact = (each: TrackFilter): NaiveSample[] => {
    if (text === '') return passing(each).sort(byDownloads);
    const found = best(words, each);
    return found.length > 0 ? found : best(wider, each);
  };
  const typed = bitsWhere(
    wider,
    (word) => !word.isNear || passing(filter).some((sample) => isBy(sample, word)),
  );
  const kept =
    text === '' || exact(filter).length > 0
      ? 0
      : wordsToKeep(wider, typed, (bits) => {
          const some = parted(wider, bits).words;
          return passing(filter).filter((sample) => some.every((word) => has(sample, word))).length;
        });
  const left = parted(wider, kept);
  const find = kept === 0 ? exact : (each: TrackFilter) => best(left.words, each);
  const found = find(filter);
  const { sort, fits, project: chosen = fits } = query;
  const project = chosen === undefined ? undefined : projectFrom(chosen);
  const change = (sample: NaiveSample): number => (project ? changeOf(fitOf(sample, project)) : 0);
  const byChange = (a: NaiveSample, b: NaiveSample): number => change(a) - change(b) || byDownloads(a, b);
  const ordered = sort === 'relevance' ? found : [...found].sort(sort === 'fits' ? byChange : ORDERS[sort]);
  const facets: Facets = {
    key: countsOf(find({ ...filter, key: undefined }), (sample) => (sample.key === null ? [] : [sample.key])),
    mood: countsOf(find({ ...filter, moods: [] }), (sample) => [sample.mood]),
    genre: countsOf(find({ ...filter, genres: [] }), (sample) => [sample.genre]),
    kind: countsOf(find({ ...filter, kind: undefined }), (sample) => [heard(sample).kind]),
    hasMidi: countsOf(find({ ...filter, hasMidi: undefined }), (sample) => [String(sample.hasMidi)]),
    hasStems: countsOf(find({ ...filter, hasStems: undefined }), (sample) => [String(sample.hasStems)]),
    credits: countsOf(find({ ...filter, maxCredits: undefined }), (sample) => [String(sample.creditCost)]),
    origin: countsOf(find({ ...filter, origins: [] }), ({ origin }) => (origin === null ? [] : [origin])),
    instrument: countsOf(find({ ...filter, instruments: [] }), (sample) => sample.instruments),
  };
  return {
    ids: ordered.map((sample) => sample.id),
    total: found.length,
    facets,
    dropped: kept === 0 ? [] : left.dropped,
  };
}

/** Returns ids of samples and packs with a text in their title: exact titles first, then most downloaded or largest. */
export function naiveTitled(
  samples: readonly NaiveSample[],
  text: string,
  limit: number,
): { samples: string[]; packs: string[] } {
  const titled = (all: readonly { id: string; title: string; rank: number }[]): string[] =>
    all
      .filter(({ title }) => hasText(lower(title), text, false))
      .sort(
        (a, b) =>
          Number(lower(b.title) === text) - Number(lower(a.title) === text) ||
          b.rank - a.rank ||
          byText(a.id, b.id),
      )
      .slice(0, limit)
      .map(({ id }) => id);
  const packs = new Map(samples.map(({ packId: id, pack: title }) => [id, { id, title, rank: 0 }]));
  for (const { packId } of samples) (packs.get(packId) as { rank: number }).rank += 1;
  return {
    samples: titled(samples.map(({ id, title, downloads: rank }) => ({ id, title, rank }))),
    packs: titled([...packs.values()]),
  };
}

function tierOf(sample: NaiveSample, text: string, words: readonly SearchWord[]): number | undefined {
  if (lower(sample.title) === text) return 0;
  if (hasText(lower(sample.title), text, isWholePhrase(words))) return 1;
  if (!words.every((word) => has(sample, word))) return undefined;
  return words.every((word) => has(sample, word, false)) ? 2 : 3;
}

function has(sample: NaiveSample, word: SearchWord, withPack = true): boolean {
  const texts = [sample.title, sample.genre, sample.mood, ...sample.instruments].map(lower);
  const key = sample.key === null ? [] : [lower(sample.key)];
  return (
    isBy(sample, word) ||
    hasWord({ ...heard(sample), pack: lower(sample.pack), texts, keys: key }, word, withPack)
  );
}

const heard = (sample: NaiveSample) => ({
  ...sample,
  kind: kindOf({ ...sample, titleLower: lower(sample.title) }),
});

/** Artists match the typed word only, not its synonyms. */
const isBy = ({ artist }: NaiveSample, word: SearchWord): boolean =>
  artist
    .map(lower)
    .some(
      (name) =>
        [word.typed, withoutAccents(word.typed)].some((typed) => hasText(name, typed, word.isWhole)) ||
        (word.isNear === true && isNearName(name, word)),
    );

function inCollection(sample: NaiveSample, { collection }: SamplesQuery): boolean {
  const address = collection === undefined ? undefined : readCollectionSlug(collection);
  if (address?.kind === 'genre') return sample.genre === address.genre;
  return address?.kind !== 'artist' || sample.artist.map(lower).includes(lower(address.handle));
}

function countsOf(
  samples: readonly NaiveSample[],
  values: (sample: NaiveSample) => string[],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of samples.flatMap(values)) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
