import { Inject, Injectable, Optional } from '@nestjs/common';
import type {
  Sample,
  SamplePage,
  SamplesQuery,
  SimilarSamples,
  Suggestions,
  SwipeQuery,
} from '../../application/catalogue/contract.js';
import {
  CatalogueVersionQueries,
  SampleQueries,
  type ViewerId,
} from '../../application/catalogue/queries.js';
import type { CatalogueIndex } from '../../application/catalogue/search/catalogue-index.js';
import { searchText, type Scope } from '../../application/catalogue/search/rows.js';
import { readCollectionSlug } from '../../domain/catalogue/collections.js';
import { isLostConnection } from '../../application/shared/lost-connection.js';
import type { TrackFilter } from '../../domain/catalogue/filter.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { IndexSubscription } from './search/index-subscription.js';
import { CATALOGUE_DATABASE, Database } from '../platform/database/database.js';
import { IndexFinder, isOrderedByTable } from './search/index-finder.js';
import { ShownSamples } from './search/shown-samples.js';
import { listedSamples } from './listed-samples.js';
import type { SampleFinder } from './search/sample-finder.js';
import { pageOfFound } from './search/sample-search.js';
import { SqlFinder } from './search/sql-finder.js';
import { similarSamples } from './search/similar-samples.js';
import { suggestionsFor } from './search/suggestions.js';

const NOTHING: SamplePage = {
  items: [],
  total: 0,
  facets: { key: {}, mood: {}, genre: {}, instrument: {} },
  nextCursor: null,
};

const INT_MIN = -(2 ** 31);

/** Where the index in memory is, if it is there and knows everything that the search table knows. */
export interface IndexSource {
  current(): Promise<CatalogueIndex | undefined>;
  /** The same without asking the database whether more is known by now. */
  lastKnown(): CatalogueIndex | undefined;
}

@Injectable()
export class PostgresSampleQueries implements SampleQueries {
  private readonly sqlFinder: SqlFinder;
  private readonly shown = new ShownSamples();

  /**
   * @param indexes absent: every search asks the database
   * @param version absent: samples are read anew for every search
   */
  constructor(
    @Inject(CATALOGUE_DATABASE) private readonly database: Database,
    @Optional() @Inject(IndexSubscription) private readonly indexes?: IndexSource | null,
    @Optional() @Inject(CatalogueVersionQueries) private readonly version?: CatalogueVersionQueries,
  ) {
    this.sqlFinder = new SqlFinder(database);
  }

  /** While the database does not answer, visitors find among the samples that were shown before. */
  async search(query: SamplesQuery, viewerId: ViewerId): Promise<SamplePage> {
    if (viewerId !== undefined) return this.find(query, viewerId);
    const known = this.shown.inOutage && (await this.findShown(query));
    if (known) return known;
    try {
      return await this.find(query, undefined);
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      this.shown.beginOutage();
      const page = await this.findShown(query);
      if (!page) throw error;
      return page;
    }
  }

  private async find(query: SamplesQuery, viewerId: ViewerId): Promise<SamplePage> {
    const [scope, finder, version] = await Promise.all([
      this.scopeOf(query.collection),
      this.finder(),
      viewerId === undefined ? this.version?.current() : undefined,
    ]);
    if (!scope) return NOTHING;
    const { ids, ...page } = await found(finder, query, scope);
    const items =
      viewerId === undefined
        ? await this.visitorsSamples(ids, version?.structure)
        : await listedSamples(this.database, ids, viewerId);
    return { items, ...page };
  }

  /** @param structure the version of public pages, asked before; what was read at the same is not read again */
  private async visitorsSamples(ids: readonly string[], structure: string | undefined): Promise<Sample[]> {
    const known = new Map(ids.map((id) => [id, this.shown.at(structure, id)]));
    const missing = ids.filter((id) => !known.get(id));
    const read = await listedSamples(this.database, missing, undefined);
    for (const sample of read) known.set(sample.id, sample);
    const samples = ids.flatMap((id) => known.get(id) ?? []);
    this.shown.keep(read, structure);
    return samples;
  }

  /** @returns undefined where memory cannot tell: without an index, in a collection, by date or title */
  private async findShown(query: SamplesQuery): Promise<SamplePage | undefined> {
    const index = this.indexes?.lastKnown();
    const askedOfTable = searchText(query.q) === '' && isOrderedByTable(query);
    if (!index || query.collection !== undefined || askedOfTable) return undefined;
    const { ids, ...page } = await found(new IndexFinder(null, index), query, {});
    return { items: this.shown.known(ids), ...page };
  }

  async byIds(ids: readonly string[], viewerId: ViewerId): Promise<Sample[]> {
    return listedSamples(this.database, ids, viewerId);
  }

  async similar(sampleId: string, viewerId: ViewerId): Promise<SimilarSamples | undefined> {
    return similarSamples(this.database, sampleId, viewerId);
  }

  async suggestions(text: string): Promise<Suggestions> {
    return suggestionsFor(this.database, await this.finder(), text);
  }

  /** From a random place in the shuffled order on, around its end when needed. */
  async swipe({ genre, exclude, limit }: SwipeQuery, viewerId: ViewerId): Promise<Sample[]> {
    const start = Math.floor(INT_MIN + Math.random() * 2 ** 32);
    const from = async (comparison: '>=' | '<', count: number): Promise<string[]> => {
      const rows = await this.database.db
        .selectFrom('catalogue_sample')
        .select('sample_id')
        .where('shuffle', comparison, start)
        .where(({ eb, fn, val }) => eb('sample_id', '<>', fn<string>('all', [val(exclude)])))
        .$if(genre !== undefined, (samples) => samples.where('genre', '=', genre as string))
        .orderBy('shuffle')
        .limit(count)
        .execute();
      return rows.map((row) => row.sample_id);
    };
    const ids = await from('>=', limit);
    if (ids.length < limit) ids.push(...(await from('<', limit - ids.length)));
    return listedSamples(this.database, shuffled(ids), viewerId);
  }

  private async finder(): Promise<SampleFinder> {
    const index = await this.indexes?.current();
    return index ? new IndexFinder(this.database, index) : this.sqlFinder;
  }

  private async scopeOf(collection: string | undefined): Promise<Scope | undefined> {
    if (collection === undefined) return {};
    const address = readCollectionSlug(collection);
    if (!address) return undefined;
    if (address.kind === 'all') return {};
    if (address.kind === 'genre') return { genre: address.genre };
    return this.database.db
      .selectFrom('handle_history')
      .select('user_id as creatorId')
      .where('handle_lower', '=', foldHandle(address.handle))
      .executeTakeFirst();
  }
}

/** What a search finds, best first, without what it looks like. */
async function found(
  finder: SampleFinder,
  query: SamplesQuery,
  scope: Scope,
): Promise<Omit<SamplePage, 'items'> & { ids: string[] }> {
  const filter: TrackFilter = {
    mode: query.mode,
    bpmMin: query.bpmMin,
    bpmMax: query.bpmMax,
    ...(query.key === undefined ? {} : { key: query.key }),
    moods: query.mood,
    genres: query.genre,
    instruments: query.instrument,
  };
  const text = searchText(query.q);
  if (text === '') return finder.browse(query, filter, scope);
  const { found: all, facets } = await finder.byText(text, filter, scope);
  return { ...pageOfFound(all, query), total: all.length, facets };
}

/** Fisher–Yates: neighbours in the stored order are not neighbours for the listener. */
function shuffled(ids: readonly string[]): string[] {
  const result = [...ids];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [result[last], result[other]] = [result[other] as string, result[last] as string];
  }
  return result;
}
