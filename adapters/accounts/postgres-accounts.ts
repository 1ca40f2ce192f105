import { Injectable } from '@nestjs/common';
import type { NotNull, Updateable } from 'kysely';
import {
  AccountStore,
  type Account,
  type MailToken,
  type MailTokenPurpose,
} from '../../application/accounts/account-store.js';
import { Database } from '../platform/database/database.js';
import type { UserAccount } from '../platform/database/schema.js';
import { erasePerson, exportPerson } from './erase-personal-data.js';

/**
 * Whether the former owner of an address may still take the account back that left it. Raw SQL, as are the
 * statements below that change several tables at once.
 */
const KEPT_FOR_ANOTHER = (userId: string, email: string, now: string) => `exists (
  select 1 from mail_token where purpose = 'undo-email' and lower(email) = lower(${email}::text)
     and user_id <> ${userId}::text and used_at is null and expires_at > ${now}::timestamptz)`;

const UNIQUE_VIOLATION = '23505';

@Injectable()
export class PostgresAccountStore extends AccountStore {
  constructor(private readonly database: Database) {
    super();
  }

  async create(account: Account): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `insert into user_account
         (user_id, email, password_hash, display_name, avatar_key, email_verified_at, created_at)
       select $1, $2, $3, $4, $5, $6, $7 where not ${KEPT_FOR_ANOTHER('$1', '$2', '$7')} on conflict do nothing`,
      [
        account.userId,
        account.email,
        account.passwordHash,
        account.displayName,
        account.avatarKey,
        account.emailVerifiedAt,
        account.createdAt,
      ],
    );
    return rowCount === 1;
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
    await this.database.pool.query(
      `with changed as (
         update user_account set password_hash = $2 where user_id = $1 and erased_at is null
         returning user_id, email
       )
       delete from mail_token t using changed c
        where t.user_id = c.user_id and (t.purpose = 'reset-password'
           or (t.purpose = 'verify-email' and lower(t.email) <> lower(c.email)))`,
      [userId, passwordHash],
    );
  }

  async setDisplayName(userId: string, displayName: string): Promise<void> {
    await this.set(userId, { display_name: displayName });
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
      .execute();
  }

  async setEmail(userId: string, email: string, verifiedAt: Date | null, now: Date): Promise<boolean> {
    try {
      const { rowCount } = await this.database.pool.query(
        `with changed as (
           update user_account set email = $2, email_verified_at = $3
            where user_id = $1 and erased_at is null and not ${KEPT_FOR_ANOTHER('$1', '$2', '$4')}
           returning user_id
         ), dead as (
           delete from mail_token t using changed c
            where t.user_id = c.user_id and t.purpose <> 'undo-email' and lower(t.email) <> lower($2)
         )
         select user_id from changed`,
        [userId, email, verifiedAt, now],
      );
      return rowCount === 1;
    } catch (error) {
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
      throw error;
    }
  }

  async forgetSince(userId: string, since: Date): Promise<void> {
    await this.database.pool.query(
      `with unlinked as (delete from external_identity where user_id = $1 and linked_at >= $2)
       delete from mail_token where user_id = $1 and purpose = 'undo-email' and created_at >= $2`,
      [userId, since],
    );
  }

  async keepMailToken(token: MailToken): Promise<void> {
    const { tokenHash, purpose, userId, email, createdAt, expiresAt } = token;
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
        .values({ token_hash: tokenHash, purpose, user_id: userId, email, ...times })
        .execute();
    });
  }

  async mailTokenOwner(
    tokenHash: string,
    purpose: MailTokenPurpose,
    now: Date,
  ): Promise<Account | undefined> {
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

  useMailToken(
    tokenHash: string,
    purpose: MailTokenPurpose,
    now: Date,
  ): Promise<{ userId: string; email: string; createdAt: Date } | undefined> {
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

  erase(userId: string, now: Date): Promise<void> {
    return this.database.transaction((client) => erasePerson(client, userId, now));
  }

  exportPersonalData(userId: string): Promise<Record<string, unknown>> {
    return exportPerson(this.database.pool, userId);
  }
}
