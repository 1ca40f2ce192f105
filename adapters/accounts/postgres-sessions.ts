import { Injectable } from '@nestjs/common';
import type { Role } from '../../application/accounts/contract.js';
import {
  SessionStore,
  type CreatorStanding,
  type NewToken,
  type SessionOwner,
} from '../../application/accounts/session-store.js';
import { avatarUrl } from '../../application/accounts/avatar-url.js';
import { Database } from '../platform/database/database.js';

interface OwnerRow {
  session_id: string;
  user_id: string;
  email: string;
  display_name: string;
  avatar_key: string | null;
  roles: Role[];
  standing: CreatorStanding;
  expires_at: Date;
  authenticated_at: Date;
  has_password: boolean;
}

/** One indexed query a request, prepared once a connection. */
const FIND_OWNER = `
  select s.session_id, u.user_id, u.email, u.display_name, u.avatar_key, t.expires_at,
         s.authenticated_at, u.password_hash is not null as has_password,
         array(select r.role from staff_role r where r.user_id = u.user_id order by r.role) as roles,
         coalesce(c.status, 'none') as standing
    from session_token t
    join session s on s.session_id = t.session_id
    join user_account u on u.user_id = s.user_id
    left join creator_standing c on c.user_id = u.user_id
   where t.token_hash = $1 and t.replaced_at is null and t.expires_at > $2
     and s.ended_at is null and u.erased_at is null`;

@Injectable()
export class PostgresSessionStore extends SessionStore {
  constructor(private readonly database: Database) {
    super();
  }

  async start(session: { sessionId: string; userId: string } & NewToken): Promise<void> {
    await this.database.pool.query(
      `with begun as (
         insert into session (session_id, user_id, created_at, authenticated_at) values ($1, $2, $4, $4) returning session_id
       )
       insert into session_token (token_hash, session_id, created_at, expires_at)
       select $3, session_id, $4, $5 from begun`,
      [session.sessionId, session.userId, session.tokenHash, session.createdAt, session.expiresAt],
    );
  }

  async findOwner(tokenHash: string, now: Date): Promise<SessionOwner | undefined> {
    const { rows } = await this.database.pool.query<OwnerRow>({
      name: 'find-session-owner',
      text: FIND_OWNER,
      values: [tokenHash, now],
    });
    const row = rows[0];
    if (!row) return undefined;
    return {
      sessionId: row.session_id,
      creatorStanding: row.standing,
      expiresAt: row.expires_at,
      authenticatedAt: row.authenticated_at,
      hasPassword: row.has_password,
      user: {
        id: row.user_id,
        email: row.email,
        displayName: row.display_name,
        avatarUrl: row.avatar_key === null ? null : avatarUrl(row.avatar_key),
        isCreator: row.standing === 'approved',
        roles: row.roles,
      },
    };
  }

  async rotate(tokenHash: string, next: NewToken): Promise<'rotated' | 'reused' | 'unknown'> {
    return this.database.transaction(async (client) => {
      // The row lock makes two renewals with one token take turns: the second finds it replaced.
      const { rows } = await client.query<{ session_id: string; replaced_at: Date | null; live: boolean }>(
        `select t.session_id, t.replaced_at, t.expires_at > $2 and s.ended_at is null as live
           from session_token t join session s on s.session_id = t.session_id
          where t.token_hash = $1 for update`,
        [tokenHash, next.createdAt],
      );
      const row = rows[0];
      if (!row) return 'unknown';
      if (row.replaced_at) {
        await client.query(`update session set ended_at = coalesce(ended_at, $2) where session_id = $1`, [
          row.session_id,
          next.createdAt,
        ]);
        return 'reused';
      }
      if (!row.live) return 'unknown';
      await client.query('update session_token set replaced_at = $2 where token_hash = $1', [
        tokenHash,
        next.createdAt,
      ]);
      await client.query(
        'insert into session_token (token_hash, session_id, created_at, expires_at) values ($1, $2, $3, $4)',
        [next.tokenHash, row.session_id, next.createdAt, next.expiresAt],
      );
      return 'rotated';
    });
  }

  async authenticated(sessionId: string, now: Date): Promise<void> {
    await this.database.pool.query('update session set authenticated_at = $2 where session_id = $1', [
      sessionId,
      now,
    ]);
  }

  async end(sessionId: string, now: Date): Promise<void> {
    await this.database.pool.query(
      'update session set ended_at = coalesce(ended_at, $2) where session_id = $1',
      [sessionId, now],
    );
  }

  async endAll(userId: string, now: Date, options: { exceptSessionId?: string } = {}): Promise<void> {
    await this.database.pool.query(
      `update session set ended_at = $2
        where user_id = $1 and ended_at is null and session_id is distinct from $3`,
      [userId, now, options.exceptSessionId ?? null],
    );
  }

  async sweep(before: Date): Promise<void> {
    const { pool } = this.database;
    // Replaced tokens stay as long as their session: they tell a thief from its owner.
    await pool.query(
      `delete from session s where s.ended_at < $1 or not exists (
         select 1 from session_token t where t.session_id = s.session_id and t.expires_at >= $1)`,
      [before],
    );
    await pool.query('delete from mail_token where expires_at < $1', [before]);
    await pool.query('delete from identity_link where expires_at < $1', [before]);
    await pool.query('delete from idempotent_request where started_at < $1', [before]);
  }
}
