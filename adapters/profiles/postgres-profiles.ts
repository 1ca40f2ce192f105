import { Injectable } from '@nestjs/common';
import { ProfileStore, type HandleOwner } from '../../application/profiles/profile-store.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresProfileStore implements ProfileStore {
  constructor(private readonly database: Database) {}

  async findHandleOf(userId: string): Promise<string | undefined> {
    const found = await this.database.db
      .selectFrom('creator_profile')
      .select('handle')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return found?.handle;
  }

  findOwner(handle: string): Promise<HandleOwner | undefined> {
    return this.database.db
      .selectFrom('handle_history as h')
      .innerJoin('creator_profile as p', 'p.user_id', 'h.user_id')
      .select(['p.user_id as userId', 'p.handle'])
      .where('h.handle_lower', '=', foldHandle(handle))
      .executeTakeFirst();
  }

  async claim(userId: string, handle: string, now: Date): Promise<boolean> {
    return this.database.transaction(async (_, db) => {
      // Serializes claims of a user: two concurrent first requests must not create two handles.
      await db
        .selectFrom('user_account')
        .select('user_id')
        .where('user_id', '=', userId)
        .forUpdate()
        .execute();
      const claimed = await db
        .insertInto('handle_history')
        .values({ handle_lower: foldHandle(handle), user_id: userId, given_at: now })
        .onConflict((conflict) =>
          conflict
            .column('handle_lower')
            .doUpdateSet(({ ref }) => ({ given_at: ref('handle_history.given_at') })),
        )
        .returning('user_id')
        .executeTakeFirst();
      if (claimed?.user_id !== userId) return false;
      const profile = { handle, updated_at: now };
      await db
        .insertInto('creator_profile')
        .values({ user_id: userId, ...profile })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(profile))
        .execute();
      return true;
    });
  }
}
