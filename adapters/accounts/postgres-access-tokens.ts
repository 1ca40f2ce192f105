import { sql } from 'kysely';
import type { CreatorStatus } from '../../application/accounts/sessions/session-store.js';
import {
  AccessTokenStore,
  type AccessToken,
  type TokenOwner,
} from '../../application/accounts/tokens/access-tokens.js';
import type { TokenScope } from '../../application/shared/endpoint.js';
import { lockAccount } from '../platform/database/conflicts.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { userFrom } from './postgres-sessions.js';

export class PostgresAccessTokenStore extends DatabaseAdapter implements AccessTokenStore {
  async add(token: Omit<AccessToken, 'lastUsedAt'>, tokenHash: string, limit: number): Promise<boolean> {
    return this.database.transaction(async (_, db) => {
      // Locks the account, so that concurrent requests cannot exceed the limit of tokens.
      await lockAccount(db, token.userId);
      const { count } = await db
        .selectFrom('access_token')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', token.userId)
        .executeTakeFirstOrThrow();
      if (Number(count) >= limit) return false;
      await db
        .insertInto('access_token')
        .values({
          token_id: token.tokenId,
          token_hash: tokenHash,
          user_id: token.userId,
          name: token.name,
          scopes: token.scopes,
          created_at: token.createdAt,
          expires_at: token.expiresAt,
        })
        .execute();
      return true;
    });
  }

  of(userId: string): Promise<AccessToken[]> {
    return this.database.db
      .selectFrom('access_token')
      .select(['token_id as tokenId', 'user_id as userId', 'name', 'scopes', 'created_at as createdAt'])
      .select(['expires_at as expiresAt', 'last_used_at as lastUsedAt'])
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .$narrowType<{ scopes: TokenScope[] }>()
      .execute();
  }

  async find(tokenHash: string, now: Date): Promise<TokenOwner | undefined> {
    const row = await this.database.db
      .selectFrom('access_token as t')
      .innerJoin('user_account as u', 'u.user_id', 't.user_id')
      .leftJoin('creator_standing as c', 'c.user_id', 't.user_id')
      .select(['t.token_id as tokenId', 't.scopes', 't.last_used_at as lastUsedAt'])
      .select(['u.user_id as id', 'u.email', 'u.display_name as displayName', 'u.avatar_key as avatarKey'])
      .select(sql<CreatorStatus>`coalesce(c.status, 'none')`.as('creatorStatus'))
      .where('t.token_hash', '=', tokenHash)
      .where(({ eb, or }) => or([eb('t.expires_at', 'is', null), eb('t.expires_at', '>', now)]))
      .where('u.erased_at', 'is', null)
      .$narrowType<{ scopes: TokenScope[]; email: string }>()
      .executeTakeFirst();
    if (!row) return undefined;
    const { id, email, displayName, avatarKey, ...token } = row;
    return { ...token, user: userFrom({ id, email, displayName, avatarKey, roles: [] }, row.creatorStatus) };
  }

  async used(tokenId: string, now: Date): Promise<void> {
    await this.database.db
      .updateTable('access_token')
      .set({ last_used_at: now })
      .where('token_id', '=', tokenId)
      .execute();
  }

  async remove(userId: string, tokenId: string): Promise<boolean> {
    const removed = await this.database.db
      .deleteFrom('access_token')
      .where('user_id', '=', userId)
      .where('token_id', '=', tokenId)
      .executeTakeFirst();
    return removed.numDeletedRows === 1n;
  }
}
