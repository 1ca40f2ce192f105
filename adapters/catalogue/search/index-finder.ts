import type { SamplesQuery } from '../../../application/catalogue/contract.js';
import { projectFrom, SEARCH_LIMIT } from '../../../application/catalogue/values.js';
import type { CatalogueIndex } from '../../platform/search/catalogue-index.js';
import {
  byFacet,
  chosen,
  facetsOf,
  lifted,
  type Counts,
  type Facet,
  type Facets,
} from '../../platform/search/labels.js';
import {
  byChange,
  byPopularity,
  type FoundSample,
  type Listed,
  type Place,
  type Scope,
} from '../../platform/search/rows.js';
import { searchWords } from '../../platform/search/search-words.js';
import { changeOf, fitOf, type Project } from '../../../domain/catalogue/fit.js';
import { EVERY_TRACK, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { decodeCursor, encodeCursor, pageOf } from '../../platform/database/cursor.js';
import type { Database } from '../../platform/database/database.js';
import type { NamedWord, TextMatches } from '../../platform/search/text-matches.js';
import { withCreators, withNearCreators } from './artists-named.js';
import { browseTable, type PageQuery, type TableOrder } from './table-order.js';

const TITLE_TIERS = 2;

interface FoundPage {
  listed: Listed[];
  nextCursor: string | null;
}

/** `dropped` are the words that the search ignored, because no sample has all words. */
interface FoundByText {
  found: FoundSample[];
  dropped: string[];
  facets: Facets;
}

/** @param database null while it does not answer: searches then match no names of artists */
export class IndexFinder {
  constructor(
    private readonly database: Database | null,
    private readonly index: CatalogueIndex,
  ) {}

  async byText(text: string, filter: TrackFilter, scope: Scope): Promise<FoundByText> {
    const read = searchWords(text).map((word) => ({ ...word, creatorIds: [] as string[] }));
    // If titles fill the limit, artists' names are not needed.
    const titles = this.index.matching(text, read).best(filter, scope, SEARCH_LIMIT, TITLE_TIERS);
    let words: NamedWord[] =
      this.database && titles.length < SEARCH_LIMIT ? await withCreators(this.database, read) : read;
    if (this.database && this.index.matching(text, words).best(filter, scope, 1).length === 0)
      words = await withNearCreators(this.database, words);
    // No await from here on, so that all results come from one state of the catalogue.
    const matches = this.index.matching(text, words);
    const exact = (each: TrackFilter) => {
      const exactly = matches.best(each, scope, SEARCH_LIMIT);
      return exactly.length > 0 ? exactly : matches.wider.best(each, scope, SEARCH_LIMIT);
    };
    const all = exact(filter);
    const relaxed = all.length > 0 ? undefined : matches.wider.relaxed(filter, scope);
    const find = relaxed ? (each: TrackFilter) => relaxed.matches.best(each, scope, SEARCH_LIMIT) : exact;
    const found = relaxed ? find(filter) : all;
    const of = (facet: Facet) => (chosen(filter, facet) ? find(lifted(filter, facet)) : found);
    return {
      found,
      dropped: relaxed?.dropped ?? [],
      facets: facetsOf(byFacet(of)),
    };
  }

  /** Returns the samples that match a text, and accepts typing errors only if no sample matches exactly. */
  async matches(text: string): Promise<TextMatches | undefined> {
    if (text === '') return undefined;
    const read = searchWords(text).map((word) => ({ ...word, creatorIds: [] as string[] }));
    const words = this.database ? await withCreators(this.database, read) : read;
    const matches = this.index.matching(text, words);
    return matches.best(EVERY_TRACK, {}, 1).length > 0 ? matches : matches.wider;
  }

  async browse(query: PageQuery, filter: TrackFilter, scope: Scope): Promise<FoundPage & Counts> {
    const { sort } = query;
    const project = projectOf(query);
    const page = isOrderedByTable(sort)
      ? await this.ordered({ ...query, sort }, filter, scope)
      : sort === 'fits' && project
        ? this.leastChanged(query, { filter, scope, project })
        : this.mostPopular(query, filter, scope);
    return { ...page, ...this.index.counts(filter, scope) };
  }

  /** Returns ids of samples whose title contains the text at the start of a word, exact titles first. */
  samplesTitled(text: string, limit: number): string[] {
    const found = this.index.matching(text).best(EVERY_TRACK, {}, limit, TITLE_TIERS);
    return found.map((sample) => sample.sampleId);
  }

  /** Like `samplesTitled`, for published packs with samples. Larger packs come first. */
  packsTitled(text: string, limit: number): string[] {
    return this.index.packsTitled(text, limit);
  }

  private async ordered(
    query: PageQuery & { sort: TableOrder },
    filter: TrackFilter,
    scope: Scope,
  ): Promise<FoundPage> {
    const { listed, nextCursor } = await browseTable(this.database as Database, query, filter, scope);
    const withCard = ({ packId, sampleId }: { packId: string; sampleId: string }): Listed => ({
      sampleId,
      card: () => this.index.card(packId, sampleId),
    });
    return { listed: listed.map(withCard), nextCursor };
  }

  private leastChanged(
    { cursor, limit }: PageQuery,
    asked: { filter: TrackFilter; scope: Scope; project: Project },
  ): FoundPage {
    const place = decodeCursor(cursor, ['number', 'integer', 'text']);
    const after = place && { change: place[0], popularity: place[1], sampleId: place[2] };
    const found = this.index.leastChanged(asked, limit + 1, after);
    const { shown, nextCursor } = pageOf(found, limit, (last) => [
      last.change,
      last.popularity,
      last.sampleId,
    ]);
    return { listed: shown, nextCursor };
  }

  private mostPopular({ cursor, limit }: PageQuery, filter: TrackFilter, scope: Scope): FoundPage {
    const found = this.index.browse(filter, scope, limit + 1, placeOf(cursor));
    const { shown, nextCursor } = pageOf(found, limit, (last) => [last.popularity, last.sampleId]);
    return { listed: shown, nextCursor };
  }
}

/** Returns the project by which `sort=fits` orders. */
const projectOf = ({ fits, project = fits }: Pick<PageQuery, 'fits' | 'project'>): Project | undefined =>
  project === undefined ? undefined : projectFrom(project);

/** Returns whether the database must sort a list without a search text, because the index lacks this order. */
export const isOrderedByTable = (sort: SamplesQuery['sort']): sort is TableOrder =>
  sort !== 'relevance' && sort !== 'popular' && sort !== 'fits';

function placeOf(cursor: string | undefined): Place | undefined {
  const [popularity, sampleId] = decodeCursor(cursor, ['integer', 'text']) ?? [];
  return sampleId === undefined
    ? undefined
    : { popularity: popularity as number, sampleId: sampleId as string };
}

/**
 * Returns one page of a search. The cursor contains the number of samples shown so far, because `SEARCH_LIMIT`
 * applies to all pages together.
 */
export function pageOfFound(found: readonly FoundSample[], query: PageQuery): FoundPage {
  const { limit, cursor } = query;
  const ordered = inOrder(found, query);
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

function inOrder(found: readonly FoundSample[], { sort, ...query }: PageQuery): FoundSample[] {
  const project = projectOf(query);
  if (sort === 'relevance') return [...found];
  if (sort !== 'fits') return [...found].sort(COMPARE[sort]);
  if (!project) return [...found];
  return found.map((sample) => ({ ...sample, change: changeOf(fitOf(sample, project)) })).sort(byChange);
}

const byId = (a: FoundSample, b: FoundSample): number => (a.sampleId < b.sampleId ? -1 : 1);
const byTitle = (a: FoundSample, b: FoundSample): number =>
  a.titleLower === b.titleLower ? byId(a, b) : a.titleLower < b.titleLower ? -1 : 1;
const COMPARE = {
  popular: byPopularity,
  new: (a: FoundSample, b: FoundSample) => b.publishedAtMs - a.publishedAtMs || byId(a, b),
  title: byTitle,
  tempo: (a: FoundSample, b: FoundSample) =>
    Number(a.bpm === 0) - Number(b.bpm === 0) || a.bpm - b.bpm || byId(a, b),
  length: (a: FoundSample, b: FoundSample) => a.durationMs - b.durationMs || byId(a, b),
};
