import {
  AccountStore,
  type Account,
  type MailToken,
  type MailTokenPurpose,
} from '../../../application/ports/account-store.js';
import type { Database } from '../database.js';
import { erasePerson, exportPerson } from './personal-data.js';

const COLUMNS = `user_id as "userId", email, password_hash as "passwordHash", display_name as "displayName",
  avatar_key as "avatarKey", email_verified_at as "emailVerifiedAt", created_at as "createdAt"`;

const UNIQUE_VIOLATION = '23505';

export class PostgresAccountStore extends AccountStore {
  constructor(private readonly database: Database) {
    super();
  }

  async create(account: Account): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `insert into user_account
         (user_id, email, password_hash, display_name, avatar_key, email_verified_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
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
    return this.findOne('lower(email) = lower($1)', email);
  }

  findById(userId: string): Promise<Account | undefined> {
    return this.findOne('user_id = $1', userId);
  }

  private async findOne(condition: string, value: string): Promise<Account | undefined> {
    const { rows } = await this.database.pool.query<Account>(
      `select ${COLUMNS} from user_account where ${condition} and erased_at is null`,
      [value],
    );
    return rows[0];
  }

  async setPassword(userId: string, passwordHash: string): Promise<void> {
    await this.set(userId, 'password_hash', passwordHash);
  }

  async setDisplayName(userId: string, displayName: string): Promise<void> {
    await this.set(userId, 'display_name', displayName);
  }

  async setAvatar(userId: string, avatarKey: string | null): Promise<void> {
    await this.set(userId, 'avatar_key', avatarKey);
  }

  private async set(userId: string, column: string, value: unknown): Promise<void> {
    await this.database.pool.query(
      `update user_account set ${column} = $2 where user_id = $1 and erased_at is null`,
      [userId, value],
    );
  }

  async setEmail(userId: string, email: string, verifiedAt: Date | null): Promise<boolean> {
    try {
      await this.database.pool.query(
        `update user_account set email = $2, email_verified_at = $3 where user_id = $1 and erased_at is null`,
        [userId, email, verifiedAt],
      );
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
      throw error;
    }
  }

  async keepMailToken(token: MailToken): Promise<void> {
    await this.database.transaction(async (client) => {
      await client.query('delete from mail_token where user_id = $1 and purpose = $2', [
        token.userId,
        token.purpose,
      ]);
      await client.query(
        `insert into mail_token (token_hash, purpose, user_id, email, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [token.tokenHash, token.purpose, token.userId, token.email, token.createdAt, token.expiresAt],
      );
    });
  }

  async mailTokenOwner(
    tokenHash: string,
    purpose: MailTokenPurpose,
    now: Date,
  ): Promise<Account | undefined> {
    const { rows } = await this.database.pool.query<{ userId: string }>(
      `select user_id as "userId" from mail_token
        where token_hash = $1 and purpose = $2 and used_at is null and expires_at > $3`,
      [tokenHash, purpose, now],
    );
    return rows[0] && this.findById(rows[0].userId);
  }

  async useMailToken(
    tokenHash: string,
    purpose: MailTokenPurpose,
    now: Date,
  ): Promise<{ userId: string; email: string } | undefined> {
    const { rows } = await this.database.pool.query<{ userId: string; email: string }>(
      `update mail_token set used_at = $3
        where token_hash = $1 and purpose = $2 and used_at is null and expires_at > $3
        returning user_id as "userId", email`,
      [tokenHash, purpose, now],
    );
    return rows[0];
  }

  erase(userId: string, now: Date): Promise<void> {
    return this.database.transaction((client) => erasePerson(client, userId, now));
  }

  exportPersonalData(userId: string): Promise<Record<string, unknown>> {
    return exportPerson(this.database.pool, userId);
  }
}
