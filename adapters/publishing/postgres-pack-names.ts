import { newFolderId } from '../../application/storage/creator-folders.js';
import { PackNames } from '../../application/publishing/pack-names.js';
import { slugCandidate, slugFrom } from '../../domain/publishing/slug.js';
import type { Database } from '../platform/database/database.js';

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

  override async folderOf(userId: string): Promise<string> {
    const { rows } = await this.database.pool.query<{ folder: string }>(
      `insert into creator_folder (user_id, folder) values ($1, $2)
       on conflict (user_id) do update set folder = creator_folder.folder returning folder`,
      [userId, newFolderId()],
    );
    return (rows[0] as { folder: string }).folder;
  }
}
