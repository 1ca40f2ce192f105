import { Injectable } from '@nestjs/common';
import { ProfileStore, type HandleOwner } from '../../application/profiles/profile-store.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresProfileStore extends ProfileStore {
  constructor(private readonly database: Database) {
    super();
  }

  async findHandleOf(userId: string): Promise<string | undefined> {
    const { rows } = await this.database.pool.query<{ handle: string }>(
      'select handle from creator_profile where user_id = $1',
      [userId],
    );
    return rows[0]?.handle;
  }

  async findOwner(handle: string): Promise<HandleOwner | undefined> {
    const { rows } = await this.database.pool.query<HandleOwner>(
      `select p.user_id as "userId", p.handle from handle_history h join creator_profile p using (user_id)
        where h.handle_lower = $1`,
      [foldHandle(handle)],
    );
    return rows[0];
  }

  async claim(userId: string, handle: string, now: Date): Promise<boolean> {
    return this.database.transaction(async (client) => {
      // One claim a user at a time: two first requests together must not make two handles.
      await client.query('select 1 from user_account where user_id = $1 for update', [userId]);
      const claimed = await client.query<{ user_id: string }>(
        `insert into handle_history (handle_lower, user_id, given_at) values ($1, $2, $3)
         on conflict (handle_lower) do update set given_at = handle_history.given_at
         returning user_id`,
        [foldHandle(handle), userId, now],
      );
      if (claimed.rows[0]?.user_id !== userId) return false;
      await client.query(
        `insert into creator_profile (user_id, handle, updated_at) values ($1, $2, $3)
         on conflict (user_id) do update set handle = excluded.handle, updated_at = excluded.updated_at`,
        [userId, handle, now],
      );
      return true;
    });
  }
}
