import { sql } from 'kysely';
import type { User } from '../../application/accounts/contract.js';
import {
  SessionStore,
  type CreatorStatus,
  type NewSession,
  type NewToken,
  type OpenSession,
  type SessionOwner,
  type SessionProof,
} from '../../application/accounts/sessions/session-store.js';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { avatarUrl } from '../../application/accounts/account-store.js';
import { prepared, type Queries } from '../platform/database/database.js';
import { notifyChange } from '../platform/http/session/session-changes.js';
import { CachedSessionsAdapter } from './session-memory.js';

type UserRow = Pick<User, 'id' | 'email' | 'displayName' | 'roles'> & { avatarKey: string | null };

/** Finds the owner of a session with a single indexed query, because most requests need the owner. */
const findOwner = (tokenHash: string, now: Date) =>
  prepared(
    'find-session-owner',
    `
  select s.session_id as "sessionId", u.user_id as id, u.email, u.display_name as "displayName",
         u.avatar_key as "avatarKey", t.expires_at as "expiresAt", s.created_at as "startedAt",
         s.last_used_at as "lastUsedAt", s.authenticated_at as "authenticatedAt",
         u.password_hash is not null as "hasPassword", s.second_factor_at as "secondFactorAt",
         array(select 'passkey' where exists (select from passkey p where p.user_id = u.user_id)
               union all
               select 'app' from authenticator_app a where a.user_id = u.user_id and a.confirmed) as factors,
         array(select r.role from staff_role r where r.user_id = u.user_id order by r.role) as roles,
         coalesce(c.status, 'none') as "creatorStatus"
    from session_token t
    join session s on s.session_id = t.session_id
    join user_account u on u.user_id = s.user_id
    left join creator_standing c on c.user_id = u.user_id
   where t.token_hash = $1 and t.replaced_at is null and t.expires_at > $2
     and s.ended_at is null and u.erased_at is null`,
    [tokenHash, now],
  );

export class PostgresSessionStore extends CachedSessionsAdapter implements SessionStore {
  async start(session: NewSession): Promise<void> {
    const { sessionId, userId, createdAt, authenticatedAt, secondFactorAt, device } = session;
    await this.database.db
      .with('begun', (db) =>
        db.insertInto('session').values({
          session_id: sessionId,
          user_id: userId,
          created_at: createdAt,
          authenticated_at: authenticatedAt,
          second_factor_at: secondFactorAt,
          user_agent: device.userAgent,
          network: device.network,
          country: device.country,
        }),
      )
      .insertInto('session_token')
      .values(tokenRow(sessionId, session))
      .execute();
  }

  findOwner(tokenHash: string, now: Date): Promise<SessionOwner | undefined> {
    return this.memory.find(tokenHash, now, () => this.readOwner(tokenHash, now));
  }

  private async readOwner(tokenHash: string, now: Date): Promise<SessionOwner | undefined> {
    type Row = Omit<SessionOwner, 'user'> & UserRow;
    const { rows } = await this.database.pool.query<Row>(findOwner(tokenHash, now));
    if (!rows[0]) return undefined;
    const { id, email, displayName, avatarKey, roles, ...session } = rows[0];
    return {
      ...session,
      user: userFrom({ id, email, displayName, avatarKey, roles }, session.creatorStatus),
    };
  }

  async rotate(tokenHash: string, next: NewToken): Promise<'rotated' | 'reused' | 'unknown'> {
    let userId: string | undefined;
    const outcome = await this.database.transaction(async (_, db) => {
      // The row lock serializes concurrent renewals of a token: the second one finds that the token was replaced.
      const row = await db
        .selectFrom('session_token as t')
        .innerJoin('session as s', 's.session_id', 't.session_id')
        .select(['t.session_id', 't.replaced_at', 't.expires_at', 's.ended_at', 's.user_id'])
        .where('t.token_hash', '=', tokenHash)
        .forUpdate()
        .executeTakeFirst();
      if (!row) return 'unknown';
      userId = row.user_id;
      if (row.replaced_at) {
        await end(db, next.createdAt).where('session_id', '=', row.session_id).execute();
        return 'reused';
      }
      if (row.expires_at <= next.createdAt || row.ended_at) return 'unknown';
      await db
        .updateTable('session_token')
        .set({ replaced_at: next.createdAt })
        .where('token_hash', '=', tokenHash)
        .execute();
      await db.insertInto('session_token').values(tokenRow(row.session_id, next)).execute();
      await db.selectNoFrom(notifyChange(userId)).execute();
      return 'rotated';
    });
    if (userId !== undefined) this.memory.forget(userId);
    return outcome;
  }

  async authenticated(sessionId: string, now: Date, proof: SessionProof): Promise<void> {
    const changed = await this.database.db
      .updateTable('session')
      .set({ authenticated_at: now, ...(proof === 'second factor' && { second_factor_at: now }) })
      .where('session_id', '=', sessionId)
      .returning(['user_id', notifyChange()])
      .execute();
    this.forget(changed);
  }

  async used(sessionId: string, now: Date, unlessSince: Date): Promise<void> {
    await this.database.db
      .updateTable('session')
      .set({ last_used_at: now })
      .where('session_id', '=', sessionId)
      .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', unlessSince)]))
      .execute();
  }

  open(userId: string, now: Date): Promise<OpenSession[]> {
    const lastUsed = sql<Date>`coalesce(s.last_used_at, t.created_at)`;
    return this.database.db
      .selectFrom('session as s')
      .innerJoin('session_token as t', 't.session_id', 's.session_id')
      .select(['s.session_id as sessionId', 's.user_agent as userAgent', 's.network', 's.country'])
      .select(['s.created_at as startedAt', lastUsed.as('lastUsedAt')])
      .select(({ exists, selectFrom }) =>
        exists(selectFrom('staff_role as r').select('r.role').whereRef('r.user_id', '=', 's.user_id')).as(
          'isStaff',
        ),
      )
      .where('s.user_id', '=', userId)
      .where('s.ended_at', 'is', null)
      .where('t.replaced_at', 'is', null)
      .where('t.expires_at', '>', now)
      .orderBy(lastUsed, 'desc')
      .$narrowType<{ isStaff: boolean }>()
      .execute();
  }

  async end(sessionId: string, now: Date): Promise<void> {
    this.forget(await end(this.database.db, now).where('session_id', '=', sessionId).execute());
  }

  async endOwn(userId: string, sessionId: string, now: Date): Promise<boolean> {
    const ended = await end(this.database.db, now)
      .where('session_id', '=', sessionId)
      .where('user_id', '=', userId)
      .execute();
    this.forget(ended);
    return ended.length === 1;
  }

  async endAll(userId: string, now: Date, options: { exceptSessionId?: string } = {}): Promise<void> {
    await this.database.db.deleteFrom('remembered_browser').where('user_id', '=', userId).execute();
    // No session is kept, so a theft is suspected. The thief may have created access tokens.
    if (options.exceptSessionId === undefined)
      await this.database.db.deleteFrom('access_token').where('user_id', '=', userId).execute();
    const ended = await end(this.database.db, now)
      .where('user_id', '=', userId)
      .where('session_id', 'is distinct from', options.exceptSessionId ?? null)
      .execute();
    this.forget(ended);
  }

  private forget(changed: readonly { user_id: string }[]): void {
    for (const { user_id: userId } of changed) this.memory.forget(userId);
  }

  async isNewBrowser(userId: string, browser: string, now: Date, since: Date): Promise<boolean> {
    const { db } = this.database;
    const known = await db
      .selectFrom('known_browser')
      .select('browser')
      .where('user_id', '=', userId)
      .where('seen_at', '>=', since)
      .execute();
    await db
      .insertInto('known_browser')
      .values({ user_id: userId, browser, seen_at: now })
      .onConflict((conflict) => conflict.columns(['user_id', 'browser']).doUpdateSet({ seen_at: now }))
      .execute();
    return known.length > 0 && !known.some((one) => one.browser === browser);
  }

  async sweep(before: Date): Promise<void> {
    const { db } = this.database;
    // Replaced tokens are kept as long as their session, because the reuse of one reveals a theft.
    await db
      .deleteFrom('session as s')
      .where(({ eb, exists, not, or, selectFrom }) => {
        const valid = selectFrom('session_token as t')
          .select('t.token_hash')
          .whereRef('t.session_id', '=', 's.session_id')
          .where('t.expires_at', '>=', before);
        return or([eb('s.ended_at', '<', before), not(exists(valid))]);
      })
      .execute();
    const tooLongAgo = new Date(before.getTime() - accountPolicy.rememberedBrowserMs);
    await db.deleteFrom('remembered_browser').where('signed_in_at', '<', tooLongAgo).execute();
    for (const table of ['mail_token', 'identity_link', 'pending_sign_in', 'passkey_challenge'] as const)
      await db.deleteFrom(table).where('expires_at', '<', before).execute();
    await db.deleteFrom('idempotent_request').where('started_at', '<', before).execute();
  }
}

export const userFrom = ({ avatarKey, ...user }: UserRow, status: CreatorStatus): User => ({
  ...user,
  avatarUrl: avatarKey === null ? null : avatarUrl(avatarKey),
  isCreator: status === 'approved',
});

const tokenRow = (sessionId: string, { tokenHash, createdAt, expiresAt }: NewToken) => ({
  token_hash: tokenHash,
  session_id: sessionId,
  created_at: createdAt,
  expires_at: expiresAt,
});

/** Ends open sessions and notifies other processes. @returns the users of these sessions */
const end = (db: Queries, now: Date) =>
  db
    .updateTable('session')
    .set({ ended_at: now })
    .where('ended_at', 'is', null)
    .returning(['user_id', notifyChange()]);
