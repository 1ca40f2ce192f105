import { PackNames } from '../../../application/ports/pack-names.js';
import { slugCandidate, slugFrom } from '../../../domain/publishing/slug.js';
import type { Database } from '../database.js';

const CANDIDATES_LIMIT = 10_000;

export class PostgresPackNames extends PackNames {
  constructor(private readonly database: Database) {
    super();
  }

  override async claimSlug(creatorId: string, packId: string, name: string): Promise<string> {
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

  override async folderOf(userId: string, handle: string): Promise<string> {
    // A handle is free again when its owner was erased; the folder is not: what was bought lies there.
    for (let attempt = 1; attempt <= CANDIDATES_LIMIT; attempt++) {
      const { rows } = await this.database.pool.query<{ folder: string }>(
        `with claimed as (
           insert into creator_folder (user_id, folder) values ($1, $2) on conflict do nothing returning folder
         )
         select folder from claimed union all select folder from creator_folder where user_id = $1`,
        [userId, slugCandidate(handle, attempt)],
      );
      if (rows[0]) return rows[0].folder;
    }
    throw new Error(`No folder is left for a creator called ${handle}`);
  }
}
