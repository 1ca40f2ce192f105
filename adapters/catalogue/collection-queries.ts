import { Injectable, Inject } from '@nestjs/common';
import { DatabaseAdapter, Database, CATALOGUE_DATABASE } from '../platform/database/database.js';
import type { Collection, CollectionPage, CollectionsQuery } from '../../application/catalogue/contract.js';
import { genreSlug, readCollectionSlug } from '../../domain/catalogue/collections.js';
import type { Genre } from '../../domain/catalogue/vocabulary.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { decodeCursor, encodeCursor } from '../platform/database/cursor.js';
import { packCards } from './pack-cards.js';

export class FeaturedCollections extends DatabaseAdapter {
  async slugs(): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('featured_collection')
      .select('slug')
      .orderBy('place')
      .execute();
    return rows.map((row) => row.slug);
  }

  /**
   * Replaces the collections that staff chose for the Sounds page. If staff chose none, the page shows the largest
   * collections.
   */
  async choose(slugs: readonly string[], chosenBy: string, at: Date): Promise<void> {
    await this.database.transaction(async (_, db) => {
      await db.deleteFrom('featured_collection').execute();
      const rows = slugs.map((slug, i) => ({ place: i + 1, slug, chosen_by: chosenBy, chosen_at: at }));
      if (rows.length > 0) await db.insertInto('featured_collection').values(rows).execute();
    });
  }
}

const LIST_PACKS = 4;
const DETAIL_PACKS = 100;

/** A collection before its packs are read. `scope` selects the packs. */
interface Outline {
  head: Omit<Collection, 'packs' | 'artworkUrl'>;
  packs: number;
  scope: { creatorId?: string; genre?: string };
}

/** Reads collections: one of all published packs, one per artist and one per genre. */
@Injectable()
export class CollectionQueries {
  constructor(@Inject(CATALOGUE_DATABASE) private readonly database: Database) {}

  async list({ tab, limit, cursor }: CollectionsQuery): Promise<CollectionPage> {
    const [offset = 0] = decodeCursor(cursor, 1) ?? [];
    const start = Number.isSafeInteger(offset) ? Math.max(0, offset as number) : 0;
    const outlines = [
      ...(tab === 'all' || tab === 'sounds' ? await this.everything() : []),
      ...(tab === 'all' || tab === 'artists' ? await this.artists() : []),
      ...(tab === 'all' || tab === 'genres' ? await this.genres() : []),
    ];
    const shown = outlines.slice(start, start + limit);
    const items = await Promise.all(shown.map((outline) => this.withPacks(outline, LIST_PACKS)));
    const more = start + limit < outlines.length;
    return { items, total: outlines.length, nextCursor: more ? encodeCursor([start + limit]) : null };
  }

  async bySlug(slug: string): Promise<Collection | undefined> {
    const outline = await this.outline(slug);
    return outline && this.withPacks(outline, DETAIL_PACKS);
  }

  private async outline(slug: string): Promise<Outline | undefined> {
    const address = readCollectionSlug(slug);
    if (!address) return undefined;
    const [outline] =
      address.kind === 'all'
        ? await this.everything()
        : address.kind === 'genre'
          ? await this.genres(address.genre)
          : await this.artists(foldHandle(address.handle));
    return outline;
  }

  /** Returns collections, each with its first packs, in the order of `slugs`. Omits unknown slugs. */
  async named(slugs: readonly string[]): Promise<Collection[]> {
    const found = await Promise.all(slugs.map((slug) => this.outline(slug)));
    const there = found.flatMap((outline) => outline ?? []);
    return Promise.all(there.map((outline) => this.withPacks(outline, LIST_PACKS)));
  }

  async fullest(limit: number): Promise<Collection[]> {
    const outlines = [...(await this.artists()), ...(await this.genres())]
      .filter(({ packs }) => packs > 1)
      .sort((a, b) => b.head.samples - a.head.samples)
      .slice(0, limit);
    return Promise.all(outlines.map((outline) => this.withPacks(outline, LIST_PACKS)));
  }

  private async withPacks({ head, scope }: Outline, limit: number): Promise<Collection> {
    const { items } = await packCards(this.database, { sort: 'samples', ...scope, limit });
    const artworkUrl = items.find((pack) => pack.artworkUrl !== null)?.artworkUrl ?? null;
    return { ...head, artworkUrl, packs: items };
  }

  private published() {
    return this.database.db
      .selectFrom('pack as p')
      .where('p.listed', '=', true)
      .select(({ fn }) => fn.countAll<number>().as('packs'))
      .select(({ fn }) => fn.sum<number | null>('p.sample_count').as('samples'))
      .select(({ fn }) => fn.max<Date | null>('p.updated_at').as('updatedAt'));
  }

  private async everything(): Promise<Outline[]> {
    const rows = await this.published().execute();
    const head = {
      id: 'all',
      slug: 'all',
      name: 'All Sounds',
      description: 'Every sample there is, in one place.',
      category: 'Sounds',
    } as const;
    return rows.map((row) => outlineOf(row, head, {}));
  }

  private async artists(handleLower?: string): Promise<Outline[]> {
    const owner = this.database.db
      .selectFrom('handle_history')
      .select('user_id')
      .where('handle_lower', '=', handleLower ?? '');
    const rows = await this.published()
      .leftJoin('user_account as ua', 'ua.user_id', 'p.creator_id')
      .leftJoin('creator_profile as cp', 'cp.user_id', 'p.creator_id')
      .select('p.creator_id as id')
      .select(({ fn, val }) => fn.coalesce('ua.display_name', val('Former creator')).as('name'))
      .select(({ fn }) => fn.coalesce('cp.handle', 'p.creator_id').as('handle'))
      .$if(handleLower !== undefined, (packs) => packs.where('p.creator_id', '=', owner))
      .groupBy(['p.creator_id', 'ua.display_name', 'cp.handle'])
      .orderBy(({ fn }) => fn('lower', ['cp.handle']))
      .orderBy('p.creator_id')
      .execute();
    return rows.map(({ id, name, handle, ...row }) => {
      const description = `Everything ${name} has published.`;
      const address = { id: `artist-${id}`, slug: `artist-${handle}` };
      return outlineOf(row, { ...address, name, description, category: 'Artists' }, { creatorId: id });
    });
  }

  private async genres(genre?: Genre): Promise<Outline[]> {
    const rows = await this.published()
      .select('p.genre as id')
      .$if(genre !== undefined, (packs) => packs.where('p.genre', '=', genre as Genre))
      .groupBy('p.genre')
      .orderBy('p.genre')
      .execute();
    return rows.map(({ id: name, ...row }) => {
      const slug = `genre-${genreSlug(name)}`;
      const description = `${name} from every creator.`;
      return outlineOf(row, { id: slug, slug, name, description, category: 'Genres' }, { genre: name });
    });
  }
}

const outlineOf = (
  { packs, samples, updatedAt }: { packs: number; samples: number | null; updatedAt: Date | null },
  head: Omit<Outline['head'], 'samples' | 'updatedAt'>,
  scope: Outline['scope'],
): Outline => ({
  packs,
  head: { ...head, samples: samples ?? 0, updatedAt: updatedAt?.toISOString() ?? null },
  scope,
});
