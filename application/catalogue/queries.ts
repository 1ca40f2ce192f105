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

/** The viewer decides about `saved` and `owned`; visitors are undefined and get neither. */
export type ViewerId = string | undefined;

/** Samples of published packs. */
export abstract class SampleQueries {
  abstract search(query: SamplesQuery, viewerId: ViewerId): Promise<SamplePage>;
  /** In the order of `ids`, without samples that are not listed. */
  abstract byIds(ids: readonly string[], viewerId: ViewerId): Promise<Sample[]>;
  /** undefined when there is no such sample. */
  abstract similar(sampleId: string, viewerId: ViewerId): Promise<SimilarSamples | undefined>;
  /** In random order. */
  abstract swipe(query: SwipeQuery, viewerId: ViewerId): Promise<Sample[]>;
  abstract suggestions(text: string): Promise<Suggestions>;
}

/** Found under its present address, moved to another, or not there. */
export type Addressed<Page, Address> =
  | { kind: 'found'; page: Page }
  | { kind: 'moved'; to: Address }
  | { kind: 'absent' };

/** Published packs, and the pages made of them. */
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

/** The complaint that something was taken down after; none: an administrator decided by themselves. */
export interface Takedown {
  complaint?: { kind: ComplaintKind; at: Date };
}

/** Items that were taken down: their addresses say so for as long as we know them. Undefined: it was not. */
export abstract class TakedownQueries {
  abstract ofPack(handle: string, slug: string): Promise<Takedown | undefined>;
  abstract ofSample(sampleId: string): Promise<Takedown | undefined>;
}

/** The version of the public pages, in two parts: each differs as soon as what it stands for has changed. */
export interface CatalogueVersion {
  /** What is on sale, and what creators say of it and of themselves. */
  structure: string;
  /** How often it was downloaded. */
  popularity: string;
  /** The position of the last event that changed what is on sale. */
  listed: number;
}

export abstract class CatalogueVersionQueries {
  abstract current(): Promise<CatalogueVersion>;
}

/** A page, by the name of its screen and the parameters of its path. */
export interface SiteAddress {
  page: 'pack' | 'creator';
  params: Record<string, string>;
  changedAt: string;
}

/** The pages of packs and creators, for the sitemap. */
export abstract class SiteAddressQueries {
  /** With the time of their last change, the newest first. */
  abstract list(packLimit: number): Promise<SiteAddress[]>;
  /** Handles of the creators on sale who allow to train models with their sounds. */
  abstract allowingTraining(limit: number): Promise<string[]>;
}
