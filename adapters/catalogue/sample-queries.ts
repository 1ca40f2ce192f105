import { Inject, Injectable, Optional } from '@nestjs/common';
import type {
  Sample,
  SampleDetail,
  SamplePage,
  SamplesQuery,
  SimilarSamples,
  SoundFilters,
  SoundHistograms,
  Suggestions,
  SwipeQuery,
} from '../../application/catalogue/contract.js';
import { projectFrom } from '../../application/catalogue/values.js';
import type { PartSuggestions, Playing } from '../../application/library/workbenches/contract.js';
import {
  CatalogueVersionQueries,
  type CatalogueVersion,
  type ViewerId,
} from '../../application/catalogue/queries.js';
import type { Alike } from '../platform/search/alike-samples.js';
import type { CatalogueIndex } from '../platform/search/catalogue-index.js';
import { noFacets } from '../platform/search/labels.js';
import { noHistograms } from '../platform/search/passing-sounds.js';
import { searchText, type Listed, type Owned, type SampleCard, type Scope } from '../platform/search/rows.js';
import { Unavailable } from '../../application/shared/unavailable.js';
import { readCollectionSlug } from '../../domain/catalogue/collections.js';
import { isLostConnection, DatabaseOutage } from '../platform/database/lost-connection.js';
import type { TrackFilter } from '../../domain/catalogue/filter.js';
import {
  factsOf,
  SOUND_FACTS,
  SOUND_VERSION,
  soundReasons,
  type Balance,
} from '../../domain/catalogue/sound/facts.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { IndexSubscription } from './search/index-subscription.js';
import { CATALOGUE_DATABASE, Database } from '../platform/database/database.js';
import { IndexFinder, isOrderedByTable, pageOfFound } from './search/index-finder.js';
import { KnownArtists } from './search/known-artists.js';
import { listedSamples, marksOf, sampleDetail } from './postgres-listed-samples.js';
import { suggestedParts } from './search/part-suggestions.js';
import { similarSamples } from './search/similar-samples.js';
import { suggestionsFor } from './search/suggestions.js';

const NOTHING: SamplePage = {
  items: [],
  total: 0,
  facets: noFacets(),
  nextCursor: null,
  interpretation: { dropped: [] },
};

const INT_MIN = -(2 ** 31);

/** Thrown while this process has no search index, for example during the first build. */
class SearchNotReady extends Unavailable {
  override name = 'SearchNotReady';
}

/** Provides the search index in memory; undefined until the first build is finished. */
export interface IndexSource {
  current(): Promise<CatalogueIndex | undefined>;
  /** Returns the index without asking the database for newer changes. */
  lastKnown(): CatalogueIndex | undefined;
}

@Injectable()
export class SampleQueries {
  private readonly artists: KnownArtists;
  private readonly outage = new DatabaseOutage();

  /**
   * @param version shows whether the index is up to date; if absent, every search reads its samples from the
   * database
   */
  constructor(
    @Inject(CATALOGUE_DATABASE) private readonly database: Database,
    @Inject(IndexSubscription) private readonly indexes: IndexSource | null,
    @Optional() @Inject(CatalogueVersionQueries) private readonly version?: CatalogueVersionQueries,
  ) {
    this.artists = new KnownArtists(database);
  }

  /** While the database does not answer, visitors find only samples of artists that this node has read before. */
  async search(query: SamplesQuery, viewerId: ViewerId): Promise<SamplePage> {
    if (viewerId !== undefined) return this.find(query, viewerId);
    const known = this.outage.lasts && (await this.findKnown(query));
    if (known) return known;
    try {
      return await this.find(query, undefined);
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      this.outage.begin();
      const page = await this.findKnown(query);
      if (!page) throw error;
      return page;
    }
  }

  private async find(query: SamplesQuery, viewerId: ViewerId): Promise<SamplePage> {
    const [collection, owned, index, version] = await Promise.all([
      this.scopeOf(query.collection),
      this.ownedBy(viewerId, query.owned),
      this.currentIndex(),
      this.version?.current(),
    ]);
    if (!collection) return NOTHING;
    const scope = { ...collection, ...(owned && { owned }) };
    const { listed, ...page } = await found(new IndexFinder(this.database, index), query, scope);
    return { items: await this.itemsOf(listed, { index, version }, viewerId), ...page };
  }

  private async itemsOf(
    listed: readonly Listed[],
    { index, version }: { index: CatalogueIndex; version: CatalogueVersion | undefined },
    viewerId: ViewerId,
  ): Promise<Sample[]> {
    // An index that lacks the last change could show samples that are no longer on sale.
    const cards = version && index.position >= version.listed ? cardsOf(listed) : undefined;
    if (cards && version) return this.shown(cards, version.structure, viewerId);
    const ids = listed.map(({ sampleId }) => sampleId);
    const items = await listedSamples(this.database, ids, viewerId);
    this.artists.keep(
      items.map(({ creator }) => creator),
      version?.structure,
    );
    return items;
  }

  private async shown(
    cards: readonly SampleCard[],
    structure: string,
    viewerId: ViewerId,
  ): Promise<Sample[]> {
    await this.artists.learn(
      cards.map(({ creatorId }) => creatorId),
      structure,
    );
    const samples = this.withArtists(cards);
    if (viewerId === undefined) return samples;
    const marks = await marksOf(
      this.database,
      samples.map(({ id }) => id),
      viewerId,
    );
    return samples.map((sample) => ({ ...sample, ...marks.get(sample.id) }));
  }

  /**
   * @returns undefined if only the database can answer: there is no index, the query names a collection, or a query
   * without a text is sorted by date, title, tempo or length
   */
  private async findKnown(query: SamplesQuery): Promise<SamplePage | undefined> {
    const index = this.indexes?.lastKnown();
    const askedOfTable = searchText(query.q) === '' && isOrderedByTable(query.sort);
    if (!index || query.collection !== undefined || askedOfTable) return undefined;
    const { listed, ...page } = await found(new IndexFinder(null, index), query, {});
    return { items: this.withArtists(cardsOf(listed) ?? []), ...page };
  }

  private withArtists(cards: readonly SampleCard[]): Sample[] {
    const samples: Sample[] = [];
    for (const card of cards) {
      const artist = this.artists.lastKnown(card.creatorId);
      if (artist) samples.push(card.by(artist));
    }
    return samples;
  }

  async detail(sampleId: string, viewerId: ViewerId): Promise<SampleDetail | undefined> {
    return sampleDetail(this.database, sampleId, viewerId);
  }

  async similar(sampleId: string, viewerId: ViewerId): Promise<SimilarSamples | undefined> {
    return similarSamples(this.database, sampleId, viewerId);
  }

  /** @returns undefined if the sample is not on sale; no items if its sound has no descriptors */
  async alike(
    sampleId: string,
    query: SoundFilters,
    viewerId: ViewerId,
  ): Promise<SimilarSamples | undefined> {
    const row = await this.database.db
      .selectFrom('catalogue_sample')
      .innerJoin('sample', 'sample.sample_id', 'catalogue_sample.sample_id')
      .leftJoin('sound_descriptor', (join) =>
        join
          .onRef('sound_descriptor.sample_id', '=', 'sample.sample_id')
          .onRef('sound_descriptor.audio_version', '=', 'sample.audio_version')
          .on('sound_descriptor.version', '=', SOUND_VERSION),
      )
      .select('descriptors')
      .where('catalogue_sample.sample_id', '=', sampleId)
      .executeTakeFirst();
    if (!row?.descriptors) return row && { items: [] };
    return this.bySound(Array.from(row.descriptors, asSigned), query, viewerId, sampleId);
  }

  /** @param except the sample that has the descriptors */
  async bySound(
    descriptors: readonly number[],
    query: SoundFilters,
    viewerId: ViewerId,
    except?: string,
  ): Promise<SimilarSamples> {
    const [owned, index, version] = await Promise.all([
      this.ownedBy(viewerId, query.owned),
      this.currentIndex(),
      this.version?.current(),
    ]);
    const matches = await new IndexFinder(this.database, index).matches(searchText(query.q));
    const { limit, balance } = query;
    const sound = Int8Array.from(descriptors, Math.round);
    const alike = index.alike(
      { descriptors: sound, balance, limit, except, matches },
      filterOf(query),
      owned ? { owned } : {},
    );
    const found = new Map(alike.map((each) => [each.sampleId, each]));
    const items = await this.itemsOf(alike, { index, version }, viewerId);
    return {
      items: items.flatMap((item) => {
        const like = found.get(item.id);
        return like ? { ...item, ...likenessOf(sound, like, balance) } : [];
      }),
    };
  }

  async missingPart(playing: Playing, viewerId: ViewerId): Promise<PartSuggestions> {
    const [index, version] = await Promise.all([this.currentIndex(), this.version?.current()]);
    const { found, ...why } = await suggestedParts(this.database, index, playing, viewerId);
    const reasons = new Map(found.map(({ sampleId, reason }) => [sampleId, reason]));
    const samples = await this.itemsOf(found, { index, version }, viewerId);
    return { ...why, items: samples.map((sample) => ({ sample, reason: reasons.get(sample.id) ?? '' })) };
  }

  async soundHistograms(query: SamplesQuery, viewerId: ViewerId): Promise<SoundHistograms> {
    const [collection, owned, index] = await Promise.all([
      this.scopeOf(query.collection),
      this.ownedBy(viewerId, query.owned),
      this.currentIndex(),
    ]);
    if (!collection) return noHistograms();
    const matches = await new IndexFinder(this.database, index).matches(searchText(query.q));
    return index.soundHistograms(filterOf(query), { ...collection, ...(owned && { owned }) }, matches);
  }

  async suggestions(text: string): Promise<Suggestions> {
    return suggestionsFor(this.database, new IndexFinder(this.database, await this.currentIndex()), text);
  }

  /** Returns samples from a random place of the stored random order. After its end, continues at its start. */
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

  private async currentIndex(): Promise<CatalogueIndex> {
    const index = await this.indexes?.current();
    if (!index) throw new SearchNotReady('the search index is not built yet');
    return index;
  }

  private async ownedBy(viewerId: ViewerId, isWanted: boolean | undefined): Promise<Owned | undefined> {
    if (viewerId === undefined || isWanted === undefined) return undefined;
    const rows = await this.database.db
      .selectFrom('owned_sample')
      .innerJoin('sample', 'sample.sample_id', 'owned_sample.sample_id')
      .select(['sample.pack_id', 'sample.sample_id'])
      .where('buyer_id', '=', viewerId)
      .where('returned_at', 'is', null)
      .execute();
    const idsByPack = new Map<string, Set<string>>();
    for (const { pack_id, sample_id } of rows)
      idsByPack.set(pack_id, (idsByPack.get(pack_id) ?? new Set()).add(sample_id));
    return { viewerId, isWanted, idsByPack };
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

async function found(
  finder: IndexFinder,
  query: SamplesQuery,
  scope: Scope,
): Promise<Omit<SamplePage, 'items'> & { listed: Listed[] }> {
  const filter = filterOf(query);
  const text = searchText(query.q);
  if (text === '') return { ...(await finder.browse(query, filter, scope)), interpretation: { dropped: [] } };
  const { found: all, dropped, facets } = await finder.byText(text, filter, scope);
  return { ...pageOfFound(all, query), total: all.length, facets, interpretation: { dropped } };
}

const inMs = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.round(seconds * 1_000);

export const filterOf = (query: Omit<SoundFilters, 'limit' | 'balance'>): TrackFilter => ({
  mode: query.mode,
  bpmMin: query.bpmMin,
  bpmMax: query.bpmMax,
  key: query.key,
  minMs: inMs(query.secondsMin),
  maxMs: inMs(query.secondsMax),
  kind: query.kind,
  hasMidi: query.hasMidi,
  hasStems: query.hasStems,
  maxCredits: query.creditsMax,
  origins: query.origin,
  fits: query.fits === undefined ? undefined : projectFrom(query.fits),
  sounds: SOUND_FACTS.flatMap((fact) => (query[fact] ? [{ fact, ...query[fact] }] : [])),
  moods: query.mood,
  genres: query.genre,
  instruments: query.instrument,
});

const asSigned = (byte: number): number => (byte << 24) >> 24;

const likenessOf = (sound: Int8Array, { descriptors, distance }: Alike, balance: Balance) => ({
  reasons: soundReasons(sound, descriptors, balance),
  sound: factsOf(descriptors),
  distance: Math.round(Math.sqrt(distance) * 10) / 10,
});

function cardsOf(listed: readonly Listed[]): SampleCard[] | undefined {
  const cards: SampleCard[] = [];
  for (const { card } of listed) {
    const known = card?.();
    if (!known) return undefined;
    cards.push(known);
  }
  return cards;
}

/** Fisher–Yates shuffle, so that neighbours in the stored order are separated. */
function shuffled(ids: readonly string[]): string[] {
  const result = [...ids];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [result[last], result[other]] = [result[other] as string, result[last] as string];
  }
  return result;
}
