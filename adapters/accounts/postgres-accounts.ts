import { expressionBuilder, type NotNull, type Updateable } from 'kysely';
import {
  AccountStore,
  type Account,
  type MailToken,
  type MailTokenPurpose,
} from '../../application/accounts/account-store.js';
import { unlessTaken } from '../platform/database/conflicts.js';
import type { DB, UserAccount } from '../platform/database/schema.js';
import { notifyChange } from '../platform/http/session/session-changes.js';
import { erasePerson, exportPerson } from './erase-personal-data.js';
import { CachedSessionsAdapter } from './session-memory.js';

/** SQL condition: no other user may take the address back by undoing an address change. */
const isFreeFor = (userId: string, email: string, now: Date) => {
  const { exists, fn, not, selectFrom, val } = expressionBuilder<DB>();
  const kept = selectFrom('mail_token as k')
    .select('k.user_id')
    .where('k.purpose', '=', 'undo-email')
    .where((k) => k(k.fn('lower', ['k.email']), '=', fn('lower', [val(email)])))
    .where('k.user_id', '<>', userId)
    .where('k.used_at', 'is', null)
    .where('k.expires_at', '>', now);
  return not(exists(kept));
};

export class PostgresAccountStore extends CachedSessionsAdapter implements AccountStore {
  async create(account: Account): Promise<boolean> {
    const { userId, email, passwordHash, displayName, avatarKey, emailVerifiedAt, createdAt } = account;
    const { db } = this.database;
    const row = db
      .selectNoFrom(({ val }) => [
        val(userId).as('user_id'),
        val(email).as('email'),
        val(passwordHash).as('password_hash'),
        val(displayName).as('display_name'),
        val(avatarKey).as('avatar_key'),
        val(emailVerifiedAt).as('email_verified_at'),
        val(createdAt).as('created_at'),
      ])
      .where(isFreeFor(userId, email, createdAt));
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('user_account')
      .columns([
        'user_id',
        'email',
        'password_hash',
        'display_name',
        'avatar_key',
        'email_verified_at',
        'created_at',
      ])
      .expression(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  findByEmail(email: string): Promise<Account | undefined> {
    return this.accounts()
      .where(({ eb, fn, val }) => eb(fn('lower', ['email']), '=', fn('lower', [val(email)])))
      .executeTakeFirst();
  }

  findById(userId: string): Promise<Account | undefined> {
    return this.accounts().where('user_id', '=', userId).executeTakeFirst();
  }

  private accounts() {
    return this.database.db
      .selectFrom('user_account')
      .select(['user_id as userId', 'email', 'password_hash as passwordHash', 'display_name as displayName'])
      .select(['avatar_key as avatarKey', 'email_verified_at as emailVerifiedAt', 'created_at as createdAt'])
      .where('erased_at', 'is', null)
      .$narrowType<{ email: NotNull }>();
  }

  async setPassword(userId: string, passwordHash: string | null): Promise<void> {
    await this.database.db
      .with('changed', (db) =>
        db
          .updateTable('user_account')
          .set({ password_hash: passwordHash })
          .where('user_id', '=', userId)
          .where('erased_at', 'is', null)
          .returning(['user_id', 'email', notifyChange()]),
      )
      .deleteFrom('mail_token as t')
      .using('changed as c')
      .whereRef('t.user_id', '=', 'c.user_id')
      .where(({ and, eb, fn, or }) => {
        const moved = eb(fn('lower', ['t.email']), '<>', fn('lower', ['c.email']));
        return or([
          eb('t.purpose', '=', 'reset-password'),
          and([eb('t.purpose', '=', 'verify-email'), moved]),
        ]);
      })
      .execute();
    this.memory.forget(userId);
  }

  async setAvatar(userId: string, avatarKey: string | null): Promise<void> {
    await this.set(userId, { avatar_key: avatarKey });
  }

  private async set(userId: string, change: Updateable<UserAccount>): Promise<void> {
    await this.database.db
      .updateTable('user_account')
      .set(change)
      .where('user_id', '=', userId)
      .where('erased_at', 'is', null)
      .returning(notifyChange())
      .execute();
    this.memory.forget(userId);
  }

  async setEmail(userId: string, email: string, verifiedAt: Date | null, now: Date): Promise<boolean> {
    const changed = await unlessTaken(() =>
      this.database.db
        .with('changed', (db) =>
          db
            .updateTable('user_account')
            .set({ email, email_verified_at: verifiedAt })
            .where('user_id', '=', userId)
            .where('erased_at', 'is', null)
            .where(isFreeFor(userId, email, now))
            .returning(['user_id', notifyChange()]),
        )
        .with('dead', (db) =>
          db
            .deleteFrom('mail_token as t')
            .using('changed as c')
            .whereRef('t.user_id', '=', 'c.user_id')
            .where('t.purpose', '<>', 'undo-email')
            .where(({ eb, fn, val }) => eb(fn('lower', ['t.email']), '<>', fn('lower', [val(email)]))),
        )
        .selectFrom('changed')
        .select('user_id')
        .executeTakeFirst(),
    );
    this.memory.forget(userId);
    return changed !== undefined;
  }

  async unlink(userId: string, since: Date): Promise<void> {
    await this.database.db
      .with('unlinked', (db) => db.deleteFrom('external_identity').where('user_id', '=', userId))
      .deleteFrom('mail_token')
      .where('user_id', '=', userId)
      .where('purpose', '=', 'undo-email')
      .where('created_at', '>=', since)
      .execute();
  }

  async orderMailToken(token: MailToken): Promise<void> {
    const { orderId, purpose, userId, email, createdAt, expiresAt } = token;
    await this.database.transaction(async (_, db) => {
      if (purpose !== 'undo-email')
        await db
          .deleteFrom('mail_token')
          .where('user_id', '=', userId)
          .where('purpose', '=', purpose)
          .execute();
      const times = { created_at: createdAt, expires_at: expiresAt };
      await db
        .insertInto('mail_token')
        // The token is created when the mail is written. Until then the column `token_hash` holds the id of the
        // ordered mail, which is the hash of no token.
        .values({ token_hash: orderId, order_id: orderId, purpose, user_id: userId, email, ...times })
        .execute();
    });
  }

  async giveMailToken(orderId: string, tokenHash: string, expiresAt: Date): Promise<boolean> {
    const given = await this.database.db
      .updateTable('mail_token')
      .set({ token_hash: tokenHash, expires_at: expiresAt })
      .where('order_id', '=', orderId)
      .where('used_at', 'is', null)
      .returning('order_id')
      .executeTakeFirst();
    return given !== undefined;
  }

  async mailTokenOwner(tokenHash: string, purpose: MailTokenPurpose, now: Date) {
    const found = await this.database.db
      .selectFrom('mail_token')
      .select('user_id')
      .where('token_hash', '=', tokenHash)
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    return found && this.findById(found.user_id);
  }

  useMailToken(tokenHash: string, purpose: MailTokenPurpose, now: Date) {
    return this.database.db
      .updateTable('mail_token')
      .set({ used_at: now })
      .where('token_hash', '=', tokenHash)
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning(['user_id as userId', 'email', 'created_at as createdAt'])
      .executeTakeFirst();
  }

  async erase(userId: string, now: Date): Promise<void> {
    await this.database.transaction((_, db) => erasePerson(db, userId, now));
    this.memory.forget(userId);
  }

  exportPersonalData(userId: string): AsyncIterable<readonly [heading: string, value: unknown]> {
    return exportPerson(this.database.db, userId);
  }
}
