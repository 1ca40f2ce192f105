import type { Sample } from '../../../application/catalogue/contract.js';
import { prepared, type Database } from '../../platform/database/database.js';
import { CREATOR_JOINS, CREATOR_REF } from '../../platform/database/json-shapes.js';

/** The largest number of cached artists: about 15 MB. */
const KNOWN_LIMIT = 30_000;

interface Known {
  artist: Sample['creator'];
  structure: string | undefined;
}

/** Caches the artists whose samples were shown last. Reads them again only when public pages have changed. */
export class KnownArtists {
  private readonly artists = new Map<string, Known>();

  constructor(private readonly database: Database) {}

  lastKnown(id: string): Sample['creator'] | undefined {
    return this.artists.get(id)?.artist;
  }

  /**
   * Reads the artists that are not cached at version `structure`. The caller must read the version before the call,
   * or outdated artists could count as current.
   */
  async learn(ids: readonly string[], structure: string): Promise<void> {
    const missing = new Set(ids.filter((id) => this.artists.get(id)?.structure !== structure));
    if (missing.size > 0) await this.read([...missing], structure);
  }

  /** @param structure the version of the public pages. If undefined, the next `learn` reads these artists again. */
  keep(artists: readonly Sample['creator'][], structure: string | undefined): void {
    for (const artist of artists) {
      this.artists.delete(artist.id);
      this.artists.set(artist.id, { artist, structure });
    }
    for (const oldest of this.artists.keys()) {
      if (this.artists.size <= KNOWN_LIMIT) break;
      this.artists.delete(oldest);
    }
  }

  private async read(ids: readonly string[], structure: string): Promise<void> {
    const { rows } = await this.database.pool.query<{ artist: Sample['creator'] }>(
      prepared(
        'artists-shown',
        `select ${CREATOR_REF} as artist from unnest($1::text[]) as p(creator_id) ${CREATOR_JOINS}`,
        [ids],
      ),
    );
    this.keep(
      rows.map(({ artist }) => artist),
      structure,
    );
  }
}
