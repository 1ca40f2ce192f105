import { PackFolderQueries } from '../../application/storage/queries.js';
import { DatabaseAdapter, prepared } from '../platform/database/database.js';

export class PostgresPackFolderQueries extends DatabaseAdapter implements PackFolderQueries {
  async visible(creatorFolder: string, userId: string | undefined): Promise<Set<string>> {
    const found = await this.database.pool.query<{ folder: string }>(
      prepared(
        'visible-pack-folders', // Uses the keys of both tables. The name is a folder or a creator's id.
        `select p.folder
               from pack p
              where p.creator_id in (
                      select user_id from creator_folder where folder = $1
                      union all
                      select $1 where not exists (select 1 from creator_folder where user_id = $1))
                and (p.status = 'published' or (p.creator_id = $2 and p.status <> 'deleted'))`,
        [creatorFolder, userId ?? null],
      ),
    );
    return new Set(found.rows.map(({ folder }) => folder));
  }
}
