import { Inject, Injectable } from '@nestjs/common';
import type { Collection, CollectionPage, CollectionsQuery } from '../../application/catalogue/contract.js';
import { CollectionReader } from '../../application/catalogue/readers.js';
import { genreSlug, readCollectionSlug } from '../../domain/catalogue/collections.js';
import type { Genre } from '../../domain/catalogue/vocabulary.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { decodeCursor, encodeCursor } from '../platform/database/cursor.js';
import { CATALOGUE_DATABASE, Database } from '../platform/database/database.js';
import { packCards } from './pack-cards.js';
import { isoTime } from '../platform/database/json-shapes.js';

const LIST_PACKS = 4;
const DETAIL_PACKS = 100;

/** A collection before its packs are read; `scope` says which those are. */
interface Outline {
  head: Omit<Collection, 'packs' | 'artworkUrl'>;
  packs: number;
  scope: { creatorId?: string; genre?: string };
}

interface Group {
  packs: number;
  id: string;
  name: string;
  samples: number;
  updated_at: string;
}

const TOTALS = `count(*)::int as packs, sum(p.sample_count)::int as samples, ${isoTime('max(p.updated_at)')} as updated_at`;

/** Collections are made of published packs: everything, one for each artist, one for each genre. */
@Injectable()
export class PostgresCollectionReader extends CollectionReader {
  constructor(@Inject(CATALOGUE_DATABASE) private readonly database: Database) {
    super();
  }

  override async list({ tab, limit, cursor }: CollectionsQuery): Promise<CollectionPage> {
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

  override async bySlug(slug: string): Promise<Collection | undefined> {
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

  /** As in a list, in the order of `slugs`; what is not there any more is left out. */
  async named(slugs: readonly string[]): Promise<Collection[]> {
    const found = await Promise.all(slugs.map((slug) => this.outline(slug)));
    const there = found.flatMap((outline) => outline ?? []);
    return Promise.all(there.map((outline) => this.withPacks(outline, LIST_PACKS)));
  }

  /** Artists and genres of more than one pack, by how many samples they hold. */
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

  private async everything(): Promise<Outline[]> {
    const { rows } = await this.database.pool.query<{
      packs: number;
      samples: number | null;
      updated_at: string | null;
    }>(`select ${TOTALS} from pack p where p.status = 'published'`);
    return rows.map(({ packs, samples, updated_at: updatedAt }) => ({
      packs,
      head: {
        id: 'all',
        name: 'All Sounds',
        description: 'Every sample there is, in one place.',
        samples: samples ?? 0,
        slug: 'all',
        category: 'Sounds',
        updatedAt,
      },
      scope: {},
    }));
  }

  private async artists(handleLower?: string): Promise<Outline[]> {
    const { rows } = await this.database.pool.query<Group & { handle: string }>(
      `select p.creator_id as id, coalesce(ua.display_name, 'Former creator') as name,
              coalesce(cp.handle, p.creator_id) as handle, ${TOTALS}
         from pack p
         left join user_account ua on ua.user_id = p.creator_id
         left join creator_profile cp on cp.user_id = p.creator_id
        where p.status = 'published'
          and ($1::text is null or p.creator_id = (select user_id from handle_history where handle_lower = $1))
        group by p.creator_id, ua.display_name, cp.handle order by lower(cp.handle), p.creator_id`,
      [handleLower ?? null],
    );
    return rows.map(({ id, name, handle, packs, samples, updated_at: updatedAt }) => ({
      packs,
      head: {
        id: `artist-${id}`,
        name,
        description: `Everything ${name} has published.`,
        samples,
        slug: `artist-${handle}`,
        category: 'Artists',
        updatedAt,
      },
      scope: { creatorId: id },
    }));
  }

  private async genres(genre?: Genre): Promise<Outline[]> {
    const { rows } = await this.database.pool.query<Group & { id: Genre }>(
      `select p.genre as id, p.genre as name, ${TOTALS} from pack p
        where p.status = 'published' and ($1::text is null or p.genre = $1) group by p.genre order by p.genre`,
      [genre ?? null],
    );
    return rows.map(({ id, name, packs, samples, updated_at: updatedAt }) => ({
      packs,
      head: {
        id: `genre-${genreSlug(id)}`,
        name,
        description: `${name} from every creator.`,
        samples,
        slug: `genre-${genreSlug(id)}`,
        category: 'Genres',
        updatedAt,
      },
      scope: { genre: id },
    }));
  }
}
