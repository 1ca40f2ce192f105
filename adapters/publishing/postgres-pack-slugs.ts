import { Injectable } from '@nestjs/common';
import { PackSlugs } from '../../application/publishing/pack-slugs.js';
import { slugCandidate, slugFrom } from '../../domain/publishing/slug.js';
import { Database } from '../platform/database/database.js';

const CANDIDATES_LIMIT = 10_000;

@Injectable()
export class PostgresPackSlugs implements PackSlugs {
  constructor(private readonly database: Database) {}

  async claim(creatorId: string, packId: string, name: string): Promise<string> {
    const slug = slugFrom(name);
    for (let attempt = 1; attempt <= CANDIDATES_LIMIT; attempt++) {
      const candidate = slugCandidate(slug, attempt);
      const owner = await this.database.db
        .insertInto('pack_slug')
        .values({ creator_id: creatorId, slug: candidate, pack_id: packId })
        .onConflict((conflict) =>
          conflict
            .columns(['creator_id', 'slug'])
            .doUpdateSet(({ ref }) => ({ pack_id: ref('pack_slug.pack_id') })),
        )
        .returning('pack_id')
        .executeTakeFirst();
      if (owner?.pack_id === packId) return candidate;
    }
    throw new Error(`No address is left for a pack named ${name}`);
  }
}
