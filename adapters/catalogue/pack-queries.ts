/** Raw SQL where PostgreSQL builds the answer's JSON or aggregates rows. */
import { Inject, Injectable } from '@nestjs/common';
import {
  TOP_SELLER_SAMPLES,
  type Collection,
  type CreatorProfile,
  type CreatorRef,
  type DiscoverPage,
  type HomePage,
  type PackCard,
  type PackDetail,
  type PackPage,
  type PacksQuery,
  type Sample,
  type SoundsPage,
} from '../../application/catalogue/contract.js';
import { type Addressed, type ViewerId } from '../../application/catalogue/queries.js';
import { FeaturedCollections, CollectionQueries } from './collection-queries.js';
import { Clock } from '../../application/shared/clock.js';
import { genreSlug } from '../../domain/catalogue/collections.js';
import { spread, varied } from '../../domain/catalogue/variety.js';
import type { Genre } from '../../domain/catalogue/vocabulary.js';
import { sumOf } from '../../domain/shared/micro-usd.js';
import { priceInForce } from '../../domain/shared/pack-price.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { CATALOGUE_DATABASE, Database, prepared } from '../platform/database/database.js';
import { listedSamples, listedSamplesOfPack } from './postgres-listed-samples.js';
import { packCards, popularThisWeek, GROWING_GENRES, thisWeekBy } from './pack-cards.js';
import { CREATOR_JOINS, CREATOR_REF, isoTime, PACK_CARD, SAMPLE } from '../platform/database/json-shapes.js';

const ROW_PACKS = 12;
const LIST_TRACKS = 10;
const FEATURED_PACKS = 4;
/** The number of candidates: samples for a chart, and packs for the featured packs and the newest packs. */
const CANDIDATE_SAMPLES = 200;
const CANDIDATE_PACKS = 60;
const PROFILE_PACKS = 100;
const PROFILE_SAMPLES = 10;
/** A ranking with fewer items is returned empty, because a ranking of one item says nothing. */
const ROW_LEAST = 2;

/** A sample that may stand in a chart. */
interface Candidate {
  sample_id: string;
  creator_id: string;
  genre: string;
}

/** A chart has at most two samples of one creator, unless too few samples of other creators exist. */
const BY_CREATOR = { most: 2, groupOf: ({ creator_id }: Candidate) => creator_id };
/**
 * At most one featured pack per creator and per genre, unless too few packs exist. Packs of one genre have similar
 * covers.
 */
const FEATURED_LIMITS = [
  { most: 1, groupOf: ({ creator }: PackCard) => creator.id },
  { most: 1, groupOf: ({ genre }: PackCard) => genre },
];

const enough = <Item>(row: Item[]): Item[] => (row.length >= ROW_LEAST ? row : []);

interface CreatorSummaryRow {
  user_id: string;
  creator: Omit<CreatorProfile, 'packs' | 'samples'>;
  samples: number;
  packs: number;
  bio: string;
  socials: Partial<Record<'twitter' | 'instagram' | 'tiktok' | 'youtube', string>>;
}

interface UnreleasedRow {
  card: PackCard;
  priceCredits: number | null;
  releaseAt: string | null;
}

function costOf({ priceCredits }: UnreleasedRow, samples: readonly Sample[]) {
  const totalCostCredits = sumOf(samples.map(({ creditCost }) => creditCost));
  return { totalCostCredits, packCostCredits: priceInForce(priceCredits, totalCostCredits) };
}

@Injectable()
export class PackQueries {
  constructor(
    @Inject(CATALOGUE_DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async list(query: PacksQuery): Promise<PackPage> {
    const page = await packCards(this.database, query);
    const { total } = await this.database.db
      .selectFrom('pack')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('listed', '=', true)
      .$if(query.genre !== undefined, (packs) => packs.where('genre', '=', query.genre as Genre))
      .executeTakeFirstOrThrow();
    return { ...page, total };
  }

  async byAddress(
    handle: string,
    slug: string,
    viewerId: ViewerId,
  ): Promise<Addressed<PackDetail, { handle: string; slug: string }>> {
    const { rows } = await this.database.pool.query<UnreleasedRow & { saved: boolean }>(
      prepared(
        'pack-by-address',
        `select ${PACK_CARD} as card, p.price_credits as "priceCredits", ${isoTime('p.release_at')} as "releaseAt",
                    exists (select 1 from saved_item where user_id = $3 and item_id = p.pack_id) as saved
               from handle_history h
               join pack_slug k on k.creator_id = h.user_id and k.slug = $2
               join pack p on p.pack_id = k.pack_id and (p.status = 'published' or p.release_at is not null) ${CREATOR_JOINS}
              where h.handle_lower = $1`,
        [foldHandle(handle), slug.toLowerCase(), viewerId ?? null],
      ),
    );
    const [row] = rows;
    const card = row?.card;
    if (!card) return { kind: 'absent' };
    if (card.creator.handle !== handle || card.slug !== slug)
      return { kind: 'moved', to: { handle: card.creator.handle, slug: card.slug } };
    if (row.releaseAt !== null) return { kind: 'found', page: await this.unreleased(row) };
    const samples = await listedSamplesOfPack(this.database, card.id, viewerId);
    const seen = viewerId === undefined ? {} : { saved: row.saved };
    return { kind: 'found', page: { ...card, ...seen, samples, ...costOf(row, samples) } };
  }

  /**
   * Returns the pack of a preview link, with which its creator shows it before the release. Omits deleted packs and
   * packs that were taken down.
   */
  async byPreviewLink(token: string): Promise<PackDetail | undefined> {
    const { rows } = await this.database.pool.query<UnreleasedRow & { status: string }>(
      `select ${PACK_CARD} as card, p.price_credits as "priceCredits", p.status, ${isoTime('p.release_at')} as "releaseAt"
         from pack_preview v join pack p using (pack_id) ${CREATOR_JOINS}
        where v.token = $1 and p.status not in ('deleted', 'taken_down') and ua.erased_at is null`,
      [token],
    );
    const [row] = rows;
    if (row?.status !== 'published') return row && this.unreleased(row);
    const found = await this.byAddress(row.card.creator.handle, row.card.slug, undefined);
    return found.kind === 'found' ? found.page : undefined;
  }

  private async unreleased(row: UnreleasedRow): Promise<PackDetail> {
    const { card, releaseAt } = row;
    const { rows } = await this.database.pool.query<{ sample: PackDetail['samples'][0] }>(
      `select ${SAMPLE} as sample from sample s join pack p using (pack_id) ${CREATOR_JOINS}
        where s.pack_id = $1 and not s.removed and s.standing = 'free' order by s.ordinal, s.sample_id`,
      [card.id],
    );
    const samples = rows.map(({ sample }) => ({ ...sample, onSale: false }));
    const publishedAt = card.publishedAt ?? releaseAt ?? this.clock.now().toISOString();
    const sampleCount = samples.length;
    return { ...card, publishedAt, sampleCount, samples, ...costOf(row, samples), releaseAt };
  }

  /** The current address of a pack in any state. `byAddress` decides who may see the pack. */
  async addressOf(packId: string): Promise<{ handle: string; slug: string } | undefined> {
    return this.database.db
      .selectFrom('pack as p')
      .leftJoin('creator_profile as cp', 'cp.user_id', 'p.creator_id')
      .select('p.slug')
      .select(({ fn }) => fn.coalesce('cp.handle', 'p.creator_id').as('handle'))
      .where('p.pack_id', '=', packId)
      .executeTakeFirst();
  }

  async sounds(): Promise<SoundsPage> {
    const collections = new CollectionQueries(this.database);
    const [newest, popular, trending, featured] = await Promise.all([
      packCards(this.database, { sort: 'new', limit: ROW_PACKS }),
      popularThisWeek(this.database, this.clock.now(), ROW_PACKS),
      this.growingGenres(collections),
      this.featured(collections),
    ]);
    return {
      newReleases: newest.items,
      popularThisWeek: enough(popular),
      trendingGenres: enough(trending),
      featuredCollections: featured,
    };
  }

  private async growingGenres(collections: CollectionQueries): Promise<Collection[]> {
    const { rows } = await this.database.pool.query<{ genre: Genre }>(GROWING_GENRES, [this.clock.now()]);
    return collections.named(rows.slice(0, ROW_PACKS).map(({ genre }) => `genre-${genreSlug(genre)}`));
  }

  private async featured(collections: CollectionQueries): Promise<Collection[]> {
    const chosen = await collections.named(await new FeaturedCollections(this.database).slugs());
    return chosen.length > 0 ? chosen : enough(await collections.fullest(ROW_PACKS));
  }

  async discover(viewerId: ViewerId): Promise<DiscoverPage> {
    const [rare, popular, trending, hot] = await Promise.all([
      packCards(this.database, { sort: 'popular', limit: ROW_PACKS, ascending: true }),
      packCards(this.database, { sort: 'popular', limit: ROW_PACKS }),
      this.trending(viewerId),
      this.hotPicks(viewerId),
    ]);
    return {
      rareFinds: rare.items,
      trending,
      hotPicks: hot,
      trendingDiscoveries: popular.items,
    };
  }

  private async trending(viewerId: ViewerId) {
    const { rows } = await this.database.pool.query<Candidate>(
      `select sample_id, creator_id, genre
         from catalogue_sample left join ${thisWeekBy('sample_id', '$1')} as week on week.id = sample_id
        order by coalesce(week.downloads, 0) desc, popularity desc, sample_id limit ${CANDIDATE_SAMPLES}`,
      [this.clock.now()],
    );
    return this.chart(varied(rows, LIST_TRACKS, [BY_CREATOR]), viewerId);
  }

  private async hotPicks(viewerId: ViewerId) {
    const { rows } = await this.database.pool.query<Candidate>(
      `select s.sample_id, p.creator_id, p.genre
         from (select pack_id, creator_id, genre, published_at from pack where listed
                order by published_at desc, pack_id limit ${CANDIDATE_PACKS}) as p
         join lateral (select sample_id, shuffle from catalogue_sample where pack_id = p.pack_id
                        order by shuffle limit ${LIST_TRACKS}) as s on true
        order by p.published_at desc, s.shuffle`,
    );
    const picked = varied(rows, LIST_TRACKS, [BY_CREATOR]);
    return this.chart(
      spread(picked, ({ genre }) => genre),
      viewerId,
    );
  }

  private chart(candidates: readonly Candidate[], viewerId: ViewerId) {
    return listedSamples(
      this.database,
      candidates.map(({ sample_id }) => sample_id),
      viewerId,
    );
  }

  async home(): Promise<HomePage> {
    const [popular, creators] = await Promise.all([
      packCards(this.database, { sort: 'popular', limit: CANDIDATE_PACKS }),
      this.database.pool.query<{ creator: HomePage['topCreators'][number] }>(
        `select json_build_object('downloads', coalesce(d.downloads, 0), 'sampleCount', p.samples)::jsonb
                  || (${CREATOR_REF})::jsonb as creator
           from (select creator_id, sum(sample_count)::int as samples from pack where listed
                  group by creator_id) as p
           left join download_count d on d.kind = 'creator' and d.id = p.creator_id ${CREATOR_JOINS}
          order by coalesce(d.downloads, 0) desc, p.samples desc, p.creator_id limit ${ROW_PACKS}`,
      ),
    ]);
    const featuredPacks = varied(popular.items, FEATURED_PACKS, FEATURED_LIMITS);
    return {
      hero: await this.heroFacts(featuredPacks[0]?.id),
      topCreators: creators.rows.map((row) => row.creator),
      featuredPacks,
    };
  }

  private async heroFacts(packId: string | undefined): Promise<HomePage['hero']> {
    const { rows } = await this.database.pool.query<HomePage['hero']>(
      `select mode() within group (order by key) as key, mode() within group (order by nullif(bpm, 0)) as bpm
         from catalogue_sample where pack_id = $1`,
      [packId ?? null],
    );
    return rows[0] ?? { key: null, bpm: null };
  }

  async creator(handle: string, viewerId: ViewerId): Promise<Addressed<CreatorProfile, { handle: string }>> {
    const { rows } = await this.database.pool.query<CreatorSummaryRow>(
      `select p.creator_id as user_id, ${CREATOR_REF} as creator, cp.bio, cp.socials,
              (select coalesce(sum(sample_count), 0)::int from pack where creator_id = p.creator_id and listed) as samples,
              (select count(*)::int from pack where creator_id = p.creator_id and listed) as packs
         from (select user_id as creator_id from handle_history where handle_lower = $1) as p ${CREATOR_JOINS}
        where ua.erased_at is null`,
      [foldHandle(handle)],
    );
    const summary = rows[0];
    if (!summary) return { kind: 'absent' };
    if (summary.creator.handle !== handle) return { kind: 'moved', to: { handle: summary.creator.handle } };
    const [packs, samples] = await Promise.all([
      packCards(this.database, { sort: 'samples', creatorId: summary.user_id, limit: PROFILE_PACKS }),
      this.bestOf(summary.user_id, viewerId),
    ]);
    const { twitter = '', instagram = '', tiktok = '', youtube = '' } = summary.socials;
    return {
      kind: 'found',
      page: {
        ...summary.creator,
        bio: summary.bio,
        twitter,
        instagram,
        tiktok,
        youtube,
        totalSamples: summary.samples,
        totalPacks: summary.packs,
        isTopSeller: summary.samples > TOP_SELLER_SAMPLES,
        packs: packs.items,
        samples,
      },
    };
  }

  /** @param handle a current or former handle @returns undefined for an unknown handle or an erased account */
  async newestOfCreator(
    handle: string,
    limit: number,
  ): Promise<{ creator: CreatorRef; packs: PackCard[] } | undefined> {
    const { rows } = await this.database.pool.query<{ creator: CreatorRef }>(
      `select ${CREATOR_REF} as creator
         from (select user_id as creator_id from handle_history where handle_lower = $1) as p ${CREATOR_JOINS}
        where ua.erased_at is null`,
      [foldHandle(handle)],
    );
    const creator = rows[0]?.creator;
    if (!creator) return undefined;
    const { items } = await packCards(this.database, { sort: 'new', creatorId: creator.id, limit });
    return { creator, packs: items };
  }

  async newestWithTag(tag: string, limit: number): Promise<PackCard[]> {
    return (await packCards(this.database, { sort: 'new', tag, limit })).items;
  }

  private async bestOf(creatorId: string, viewerId: ViewerId) {
    const { db } = this.database;
    const featured = db
      .selectFrom('creator_profile')
      .select('featured_samples')
      .where('user_id', '=', creatorId);
    const rows = await db
      .selectFrom('catalogue_sample')
      .select('sample_id')
      .where('creator_id', '=', creatorId)
      .orderBy(({ fn }) => fn('array_position', [featured, 'sample_id']))
      .orderBy('published_at', 'desc')
      .orderBy('sample_id')
      .limit(PROFILE_SAMPLES)
      .execute();
    return listedSamples(
      this.database,
      rows.map((row) => row.sample_id),
      viewerId,
    );
  }
}
