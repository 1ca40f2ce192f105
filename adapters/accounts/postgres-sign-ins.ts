import { PendingSignInStore, type PendingSignIn } from '../../application/accounts/factors/factor-stores.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { IdentityStore, type PendingLink } from '../../application/accounts/external-sign-in.js';
import { RememberedBrowsers } from '../../application/accounts/sessions/session-store.js';

export class PostgresPendingSignInStore extends DatabaseAdapter implements PendingSignInStore {
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

  attempt(tokenHash: string, now: Date, most: number) {
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

export class PostgresIdentityStore extends DatabaseAdapter implements IdentityStore {
  async findUser(issuer: string, subject: string): Promise<string | undefined> {
    const found = await this.database.db
      .selectFrom('external_identity')
      .select('user_id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return found?.user_id;
  }

  async link(identity: { issuer: string; subject: string; userId: string; linkedAt: Date }): Promise<void> {
    const { issuer, subject, userId, linkedAt } = identity;
    await this.database.db
      .insertInto('external_identity')
      .values({ issuer, subject, user_id: userId, linked_at: linkedAt })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async keepPending(link: PendingLink): Promise<void> {
    const { tokenHash, issuer, subject, userId, expiresAt } = link;
    await this.database.db
      .insertInto('identity_link')
      .values({ token_hash: tokenHash, issuer, subject, user_id: userId, expires_at: expiresAt })
      .execute();
  }

  async linkPending(tokenHash: string, userId: string, now: Date): Promise<void> {
    await this.database.db
      .with('used', (db) =>
        db
          .deleteFrom('identity_link')
          .where('token_hash', '=', tokenHash)
          .where('user_id', '=', userId)
          .returningAll(),
      )
      .insertInto('external_identity')
      .columns(['issuer', 'subject', 'user_id', 'linked_at'])
      .expression((db) =>
        db
          .selectFrom('used')
          .select(['issuer', 'subject', 'user_id', ({ val }) => val(now).as('linked_at')])
          .where('expires_at', '>', now),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

const NOBODY = '';

export class PostgresRememberedBrowsers extends DatabaseAdapter implements RememberedBrowsers {
  async remember(userId: string, cookieHash: string, now: Date): Promise<void> {
    await this.database.db
      .insertInto('remembered_browser')
      .values({ user_id: userId, cookie_hash: cookieHash, signed_in_at: now })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'cookie_hash']).doUpdateSet({ signed_in_at: now }),
      )
      .execute();
  }

  async includes(userId: string | undefined, cookieHash: string, since: Date): Promise<boolean> {
    const found = await this.database.db
      .selectFrom('remembered_browser')
      .select('user_id')
      .where('user_id', '=', userId ?? NOBODY)
      .where('cookie_hash', '=', cookieHash)
      .where('signed_in_at', '>=', since)
      .executeTakeFirst();
    return found !== undefined;
  }

  async forget(userId: string, cookieHash: string): Promise<void> {
    await this.database.db
      .deleteFrom('remembered_browser')
      .where('user_id', '=', userId)
      .where('cookie_hash', '=', cookieHash)
      .execute();
  }
}
