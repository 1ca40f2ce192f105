import { Injectable } from '@nestjs/common';
import { PackSlugs } from '../../application/publishing/pack-slugs.js';
import { slugCandidate, slugFrom } from '../../domain/publishing/slug.js';
import { Database } from '../platform/database/database.js';

const CANDIDATES_LIMIT = 10_000;

@Injectable()
export class PostgresPackSlugs extends PackSlugs {
  constructor(private readonly database: Database) {
    super();
  }

  override async claim(creatorId: string, packId: string, name: string): Promise<string> {
    const slug = slugFrom(name);
    for (let attempt = 1; attempt <= CANDIDATES_LIMIT; attempt++) {
      const candidate = slugCandidate(slug, attempt);
      const { rows } = await this.database.pool.query<{ pack_id: string }>(
        `insert into pack_slug (creator_id, slug, pack_id) values ($1, $2, $3)
         on conflict (creator_id, slug) do update set pack_id = pack_slug.pack_id returning pack_id`,
        [creatorId, candidate, packId],
      );
      if (rows[0]?.pack_id === packId) return candidate;
    }
    throw new Error(`No address is left for a pack named ${name}`);
  }
}
