import { SEARCH_LIMIT } from '../../../application/catalogue/values.js';
import type { CatalogueIndex } from '../../platform/search/catalogue-index.js';
import { chosen, facetsOf, lifted, type Counts, type Facet } from '../../platform/search/facets.js';
import type { Listed, Place, Scope } from '../../platform/search/rows.js';
import { searchWords } from '../../platform/search/search-words.js';
import { EVERY_TRACK, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { decodeCursor, pageOf } from '../../platform/database/cursor.js';
import type { Database } from '../../platform/database/database.js';
import { SampleFinder, type FoundByText, type FoundPage, type PageQuery } from './sample-finder.js';
import { browse, withCreators } from './sample-search.js';

const TITLE_TIERS = 2;

/**
 * Searches in memory. The database provides artists' names, and the orders by date and title.
 * @param database null while it does not answer: names of artists then find nothing
 */
export class IndexFinder implements SampleFinder {
  constructor(
    private readonly database: Database | null,
    private readonly index: CatalogueIndex,
  ) {}

  async byText(text: string, filter: TrackFilter, scope: Scope): Promise<FoundByText> {
    const read = searchWords(text).map((word) => ({ ...word, creatorIds: [] as string[] }));
    // If titles fill the limit, artists' names are not needed.
    const titles = this.index.matching(text, read).best(filter, scope, SEARCH_LIMIT, TITLE_TIERS);
    const words =
      this.database && titles.length < SEARCH_LIMIT ? await withCreators(this.database, read) : read;
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
      facets: facetsOf({
        key: of('key'),
        mood: of('mood'),
        genre: of('genre'),
        instrument: of('instrument'),
      }),
    };
  }

  async browse(query: PageQuery, filter: TrackFilter, scope: Scope): Promise<FoundPage & Counts> {
    const page = isOrderedByTable(query)
      ? await this.ordered(query, filter, scope)
      : this.mostPopular(query, filter, scope);
    return { ...page, ...this.index.counts(filter, scope) };
  }

  async samplesTitled(text: string, limit: number): Promise<string[]> {
    const found = this.index.matching(text).best(EVERY_TRACK, {}, limit, TITLE_TIERS);
    return found.map((sample) => sample.sampleId);
  }

  async packsTitled(text: string, limit: number): Promise<string[]> {
    return this.index.packsTitled(text, limit);
  }

  private async ordered(query: PageQuery, filter: TrackFilter, scope: Scope): Promise<FoundPage> {
    const { listed, nextCursor } = await browse(this.database as Database, query, filter, scope);
    const withCard = ({ packId, sampleId }: { packId: string; sampleId: string }): Listed => ({
      sampleId,
      card: () => this.index.card(packId, sampleId),
    });
    return { listed: listed.map(withCard), nextCursor };
  }

  private mostPopular({ cursor, limit }: PageQuery, filter: TrackFilter, scope: Scope): FoundPage {
    const found = this.index.browse(filter, scope, limit + 1, placeOf(cursor));
    const { shown, nextCursor } = pageOf(found, limit, (last) => [last.popularity, last.sampleId]);
    return { listed: shown, nextCursor };
  }
}

/** Whether only the database knows the order of a list without a text. */
export const isOrderedByTable = ({ sort }: Pick<PageQuery, 'sort'>): boolean =>
  sort === 'new' || sort === 'title';

function placeOf(cursor: string | undefined): Place | undefined {
  const [popularity, sampleId] = decodeCursor(cursor, ['integer', 'text']) ?? [];
  return sampleId === undefined
    ? undefined
    : { popularity: popularity as number, sampleId: sampleId as string };
}
