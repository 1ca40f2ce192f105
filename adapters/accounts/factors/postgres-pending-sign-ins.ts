import { Injectable } from '@nestjs/common';
import {
  PendingSignInStore,
  type PendingSignIn,
} from '../../../application/accounts/factors/factor-stores.js';
import { Database } from '../../platform/database/database.js';

@Injectable()
export class PostgresPendingSignInStore implements PendingSignInStore {
  constructor(private readonly database: Database) {}

  async start(tokenHash: string, pending: PendingSignIn, expiresAt: Date): Promise<void> {
    const { userId, authenticatedAt } = pending;
    await this.database.db
      .insertInto('pending_sign_in')
      .values({
        token_hash: tokenHash,
        user_id: userId,
        authenticated_at: authenticatedAt,
        expires_at: expiresAt,
      })
      .execute();
  }

  find(tokenHash: string, now: Date): Promise<PendingSignIn | undefined> {
    return this.database.db
      .selectFrom('pending_sign_in')
      .select(['user_id as userId', 'authenticated_at as authenticatedAt'])
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', now)
      .executeTakeFirst();
  }

  attempt(
    tokenHash: string,
    now: Date,
    most: number,
  ): Promise<(PendingSignIn & { attempts: number }) | undefined> {
    return this.database.db
      .updateTable('pending_sign_in')
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', now)
      .where('attempts', '<', most)
      .returning(['user_id as userId', 'authenticated_at as authenticatedAt', 'attempts'])
      .executeTakeFirst();
  }

  async end(tokenHash: string): Promise<boolean> {
    const { numDeletedRows } = await this.database.db
      .deleteFrom('pending_sign_in')
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }
}
