import { PackFolders } from '../../../application/storage/readers.js';
import type { Database } from '../database.js';

export class PostgresPackFolders extends PackFolders {
  constructor(private readonly database: Database) {
    super();
  }

  override async visible(creatorFolder: string, userId: string | undefined): Promise<Set<string>> {
    const found = await this.database.pool.query<{ folder: string }>({
      name: 'visible-pack-folders',
      text: `select p.folder
               from pack p
               left join creator_folder c on c.user_id = p.creator_id
              where coalesce(c.folder, p.creator_id) = $1
                and (p.status = 'published' or (p.creator_id = $2 and p.status <> 'deleted'))`,
      values: [creatorFolder, userId ?? null],
    });
    return new Set(found.rows.map(({ folder }) => folder));
  }
}
