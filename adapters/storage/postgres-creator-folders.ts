import { Injectable } from '@nestjs/common';
import { foldHandle } from '../../domain/profiles/handle.js';
import {
  CreatorFolders,
  isFolderId,
  NamedFolders,
  newFolderId,
} from '../../application/storage/creator-folders.js';
import { Database } from '../platform/database/database.js';

/** Of a folder's own name $1 and a handle $2. The folder goes first: no handle may hide it. */
export const MEANT_FOLDER = `
  coalesce((select folder from creator_folder where folder = $1),
           (select f.folder from handle_history h join creator_folder f on f.user_id = h.user_id
             where h.handle_lower = $2))`;

@Injectable()
export class PostgresCreatorFolders extends CreatorFolders {
  constructor(private readonly database: Database) {
    super();
  }

  override async folderOf(userId: string): Promise<string> {
    const { rows } = await this.database.pool.query<{ folder: string }>(
      `insert into creator_folder (user_id, folder) values ($1, $2)
       on conflict (user_id) do update set folder = creator_folder.folder returning folder`,
      [userId, newFolderId()],
    );
    return (rows[0] as { folder: string }).folder;
  }

  override async meant(name: string): Promise<string> {
    const { rows } = await this.database.pool.query<{ folder: string | null }>({
      name: 'meant-folder',
      text: `select ${MEANT_FOLDER} as folder`,
      values: [name, foldHandle(name)],
    });
    return rows[0]?.folder ?? name;
  }

  override async shown(folders: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await this.database.pool.query<{ folder: string; handle: string }>(
      `select f.folder, p.handle from creator_folder f
         join creator_profile p on p.user_id = f.user_id
         join user_account u on u.user_id = f.user_id and u.erased_at is null
        where f.folder = any($1)`,
      [folders],
    );
    return new Map(rows.map(({ folder, handle }) => [folder, handle]));
  }
}

@Injectable()
export class PostgresNamedFolders extends NamedFolders {
  constructor(private readonly database: Database) {
    super();
  }

  override async ofErased(): Promise<Array<{ userId: string; folder: string }>> {
    const { rows } = await this.database.pool.query<{ userId: string; folder: string }>(
      `select f.user_id as "userId", f.folder from creator_folder f
         join user_account u on u.user_id = f.user_id and u.erased_at is not null`,
    );
    return rows.filter(({ folder }) => !isFolderId(folder));
  }

  override moved(userId: string, from: string, to: string): Promise<boolean> {
    return this.database.transaction(async (client) => {
      const { rowCount } = await client.query(
        'update creator_folder set folder = $3 where user_id = $1 and folder = $2',
        [userId, from, to],
      );
      await client.query(
        `update sample set original_key = 'Users/' || $3 || substr(original_key, length('Users/' || $2) + 1)
          where creator_id = $1 and starts_with(original_key, 'Users/' || $2 || '/')`,
        [userId, from, to],
      );
      return rowCount === 1;
    });
  }
}
