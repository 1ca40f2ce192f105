import { foldHandle } from '../../domain/profiles/handle.js';
import { CreatorFolders, isFolderId, newFolderId } from '../../application/storage/creator-folders.js';
import { DatabaseAdapter, prepared } from '../platform/database/database.js';
import { PackFolderQueries } from '../../application/storage/queries.js';

/** SQL: the folder named $1, or else the folder of the creator with handle $2, so that no handle hides a folder. */
export const MEANT_FOLDER = `
  coalesce((select folder from creator_folder where folder = $1),
           (select f.folder from handle_history h join creator_folder f on f.user_id = h.user_id
             where h.handle_lower = $2))`;

export class PostgresCreatorFolders extends DatabaseAdapter implements CreatorFolders {
  async folderOf(userId: string): Promise<string> {
    const own = await this.database.db
      .insertInto('creator_folder')
      .values({ user_id: userId, folder: newFolderId() })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(({ ref }) => ({ folder: ref('creator_folder.folder') })),
      )
      .returning('folder')
      .executeTakeFirstOrThrow();
    return own.folder;
  }

  async meant(name: string): Promise<string> {
    const { rows } = await this.database.pool.query<{ folder: string | null }>(
      prepared('meant-folder', `select ${MEANT_FOLDER} as folder`, [name, foldHandle(name)]),
    );
    return rows[0]?.folder ?? name;
  }

  async shown(folders: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.db
      .selectFrom('creator_folder as f')
      .innerJoin('creator_profile as p', 'p.user_id', 'f.user_id')
      .innerJoin('user_account as u', 'u.user_id', 'f.user_id')
      .select(['f.folder', 'p.handle'])
      .where('u.erased_at', 'is', null)
      .where(({ eb, fn, val }) => eb('f.folder', '=', fn.any(val(folders))))
      .execute();
    return new Map(rows.map(({ folder, handle }) => [folder, handle]));
  }

  async namedAfterErased(): Promise<Array<{ userId: string; folder: string }>> {
    const rows = await this.database.db
      .selectFrom('creator_folder as f')
      .innerJoin('user_account as u', 'u.user_id', 'f.user_id')
      .select(['f.user_id as userId', 'f.folder'])
      .where('u.erased_at', 'is not', null)
      .execute();
    return rows.filter(({ folder }) => !isFolderId(folder));
  }

  moved(userId: string, from: string, to: string): Promise<boolean> {
    return this.database.transaction(async (client, db) => {
      const moved = await db
        .updateTable('creator_folder')
        .set({ folder: to })
        .where('user_id', '=', userId)
        .where('folder', '=', from)
        .returning('folder')
        .executeTakeFirst();
      // Raw SQL: it replaces the beginning of a text.
      await client.query(
        `update sample set original_key = 'Users/' || $3 || substr(original_key, length('Users/' || $2) + 1)
          where creator_id = $1 and starts_with(original_key, 'Users/' || $2 || '/')`,
        [userId, from, to],
      );
      return moved !== undefined;
    });
  }
}

export class PostgresPackFolderQueries extends DatabaseAdapter implements PackFolderQueries {
  async visible(creatorFolder: string, userId: string | undefined): Promise<Set<string>> {
    const found = await this.database.pool.query<{ folder: string }>(
      prepared(
        'visible-pack-folders', // $1: a folder, or the id of a creator without a folder. Each branch uses an index.
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
