import type { ComplaintKind } from '../../domain/complaints/complaint.js';
import type {
  Collection,
  CollectionPage,
  CollectionsQuery,
  CreatorProfile,
  DiscoverPage,
  HomePage,
  PackDetail,
  PackPage,
  PacksQuery,
  Sample,
  SamplePage,
  SamplesQuery,
  SimilarSamples,
  SoundsPage,
  Suggestions,
  SwipeQuery,
} from './contract.js';

/** The signed-in user, who gets `saved` and `owned`. Undefined for visitors, who get neither. */
export type ViewerId = string | undefined;

/** Samples of published packs. */
export abstract class SampleQueries {
  abstract search(query: SamplesQuery, viewerId: ViewerId): Promise<SamplePage>;
  /** Keeps the order of `ids`. Skips samples that are not listed. */
  abstract byIds(ids: readonly string[], viewerId: ViewerId): Promise<Sample[]>;
  /** @returns undefined if the sample is unknown */
  abstract similar(sampleId: string, viewerId: ViewerId): Promise<SimilarSamples | undefined>;
  /** In random order. */
  abstract swipe(query: SwipeQuery, viewerId: ViewerId): Promise<Sample[]>;
  abstract suggestions(text: string): Promise<Suggestions>;
}

/** A page that was found at its current address, has moved to another, or does not exist. */
export type Addressed<Page, Address> =
  | { kind: 'found'; page: Page }
  | { kind: 'moved'; to: Address }
  | { kind: 'absent' };

/** Published packs, and the pages that show them. */
export abstract class PackQueries {
  abstract list(query: PacksQuery): Promise<PackPage>;
  abstract byAddress(
    handle: string,
    slug: string,
    viewerId: ViewerId,
  ): Promise<Addressed<PackDetail, { handle: string; slug: string }>>;
  abstract sounds(): Promise<SoundsPage>;
  abstract discover(viewerId: ViewerId): Promise<DiscoverPage>;
  abstract home(): Promise<HomePage>;
  abstract creator(
    handle: string,
    viewerId: ViewerId,
  ): Promise<Addressed<CreatorProfile, { handle: string }>>;
}

export abstract class CollectionQueries {
  abstract list(query: CollectionsQuery): Promise<CollectionPage>;
  abstract bySlug(slug: string): Promise<Collection | undefined>;
}

/** The complaint that led to a takedown. Absent if an administrator decided without one. */
export interface Takedown {
  complaint?: { kind: ComplaintKind; at: Date };
}

/** Takedowns of items, so that their known addresses can report them. Undefined if the item was not taken down. */
export abstract class TakedownQueries {
  abstract ofPack(handle: string, slug: string): Promise<Takedown | undefined>;
  abstract ofSample(sampleId: string): Promise<Takedown | undefined>;
}

/** The version of the public pages. Each part changes as soon as its data changes. */
export interface CatalogueVersion {
  /** Version of what is on sale, and of what creators publish about it and themselves. */
  structure: string;
  /** Version of the download counts. */
  popularity: string;
  /** Log position of the last event that changed what is on sale. */
  listed: number;
}

export abstract class CatalogueVersionQueries {
  abstract current(): Promise<CatalogueVersion>;
}

/** The address of a page: the name of its screen and the parameters of its path. */
export interface SiteAddress {
  page: 'pack' | 'creator';
  params: Record<string, string>;
  changedAt: string;
}

/** The pages of packs and creators, for the sitemap. */
export abstract class SiteAddressQueries {
  /** @returns pages with the time of their last change, newest first */
  abstract list(packLimit: number): Promise<SiteAddress[]>;
  /** @returns handles of creators on sale who allow training models with their sounds */
  abstract allowingTraining(limit: number): Promise<string[]>;
}
