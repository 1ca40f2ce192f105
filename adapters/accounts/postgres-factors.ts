import { PasskeyStore, CodeStore, type Passkey } from '../../application/accounts/factors/factor-stores.js';
import { notifyChange } from '../platform/http/session/session-changes.js';
import { CachedSessionsAdapter } from './session-memory.js';

export class PostgresPasskeyStore extends CachedSessionsAdapter implements PasskeyStore {
  async keepChallenge(challenge: string, purpose: string, expiresAt: Date): Promise<void> {
    await this.database.db
      .insertInto('passkey_challenge')
      .values({ challenge, purpose, expires_at: expiresAt })
      .execute();
  }

  async useChallenge(challenge: string, purpose: string, now: Date): Promise<boolean> {
    const used = await this.database.db
      .deleteFrom('passkey_challenge')
      .where('challenge', '=', challenge)
      .returning(['purpose', 'expires_at as expiresAt'])
      .executeTakeFirst();
    return used?.purpose === purpose && used.expiresAt > now;
  }

  async of(userId: string): Promise<Passkey[]> {
    return (await this.rows().where('user_id', '=', userId).orderBy('created_at').execute()).map(passkeyIn);
  }

  async find(credentialId: string): Promise<Passkey | undefined> {
    const row = await this.rows().where('credential_id', '=', credentialId).executeTakeFirst();
    return row && passkeyIn(row);
  }

  private rows() {
    return this.database.db
      .selectFrom('passkey')
      .select(['credential_id as credentialId', 'user_id as userId', 'public_key', 'counter', 'transports'])
      .select(['backed_up as backedUp', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt']);
  }

  async add(passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
    const added = await this.database.db
      .insertInto('passkey')
      .values({
        credential_id: passkey.credentialId,
        user_id: passkey.userId,
        public_key: Buffer.from(passkey.publicKey),
        counter: passkey.counter,
        transports: passkey.transports,
        backed_up: passkey.backedUp,
        name: passkey.name,
        created_at: passkey.createdAt,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['user_id', notifyChange()])
      .execute();
    this.memory.forget(passkey.userId);
    return added.length === 1;
  }

  async rename(userId: string, credentialId: string, name: string): Promise<boolean> {
    const { numUpdatedRows } = await this.database.db
      .updateTable('passkey')
      .set({ name })
      .where('user_id', '=', userId)
      .where('credential_id', '=', credentialId)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async remove(userId: string, credentialId: string): Promise<boolean> {
    const removed = await this.database.db
      .deleteFrom('passkey')
      .where('user_id', '=', userId)
      .where('credential_id', '=', credentialId)
      .returning(['user_id', notifyChange()])
      .execute();
    this.memory.forget(userId);
    return removed.length === 1;
  }

  async used(credentialId: string, counter: number, now: Date): Promise<boolean> {
    const { numUpdatedRows } = await this.database.db
      .updateTable('passkey')
      .set({ counter, last_used_at: now })
      .where('credential_id', '=', credentialId)
      // The counter must increase. Passkeys that are synced between devices always have counter 0.
      .where(({ and, eb, or, val }) =>
        or([eb('counter', '<', counter), and([eb('counter', '=', 0), eb(val(counter), '=', 0)])]),
      )
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
}

const passkeyIn = ({ public_key, ...row }: Omit<Passkey, 'publicKey'> & { public_key: Buffer }): Passkey => ({
  ...row,
  publicKey: new Uint8Array(public_key),
});

export class PostgresCodeStore extends CachedSessionsAdapter implements CodeStore {
  async keepApp(userId: string, sealedSecret: Buffer, now: Date): Promise<void> {
    const app = { sealed_secret: sealedSecret, created_at: now };
    await this.database.db
      .insertInto('authenticator_app')
      .values({ user_id: userId, confirmed: false, ...app })
      .onConflict((conflict) => conflict.columns(['user_id', 'confirmed']).doUpdateSet(app))
      .execute();
  }

  app(userId: string, state: 'waiting' | 'confirmed') {
    return this.database.db
      .selectFrom('authenticator_app')
      .select(['sealed_secret as sealedSecret', 'created_at as createdAt'])
      .where('user_id', '=', userId)
      .where('confirmed', '=', state === 'confirmed')
      .executeTakeFirst();
  }

  async resealApp(userId: string, from: Buffer, to: Buffer): Promise<void> {
    await this.database.db
      .updateTable('authenticator_app')
      .set({ sealed_secret: to })
      .where('user_id', '=', userId)
      .where('sealed_secret', '=', from)
      .execute();
  }

  async confirmApp(userId: string, step: number): Promise<void> {
    await this.database.transaction(async (_, db) => {
      // The row lock serializes concurrent confirmations: the second one finds no waiting app.
      const waiting = await db
        .selectFrom('authenticator_app')
        .select('user_id')
        .where('user_id', '=', userId)
        .where('confirmed', '=', false)
        .forUpdate()
        .executeTakeFirst();
      if (!waiting) return;
      await db
        .deleteFrom('authenticator_app')
        .where('user_id', '=', userId)
        .where('confirmed', '=', true)
        .execute();
      await db
        .updateTable('authenticator_app')
        .set({ confirmed: true, last_step: step })
        .where('user_id', '=', userId)
        .returning(['user_id', notifyChange()])
        .execute();
    });
    this.memory.forget(userId);
  }

  async useStep(userId: string, step: number): Promise<boolean> {
    const { numUpdatedRows } = await this.database.db
      .updateTable('authenticator_app')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('confirmed', '=', true)
      .where('last_step', '<', step)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async removeApp(userId: string): Promise<boolean> {
    const removed = await this.database.db
      .deleteFrom('authenticator_app')
      .where('user_id', '=', userId)
      .returning(['user_id', 'confirmed', notifyChange()])
      .execute();
    this.memory.forget(userId);
    return removed.some(({ confirmed }) => confirmed);
  }

  async replaceRecoveryCodes(userId: string, hashes: readonly string[], now: Date): Promise<void> {
    await this.database.transaction(async (_, db) => {
      await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
      await db
        .insertInto('recovery_code')
        .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash, created_at: now })))
        .execute();
    });
  }

  async useRecoveryCode(userId: string, hash: string, now: Date): Promise<number | undefined> {
    const { numUpdatedRows } = await this.database.db
      .updateTable('recovery_code')
      .set({ used_at: now })
      .where('user_id', '=', userId)
      .where('code_hash', '=', hash)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n ? ((await this.recoveryCodes(userId))?.left ?? 0) : undefined;
  }

  async recoveryCodes(userId: string): Promise<{ left: number; createdAt: Date } | undefined> {
    const rows = await this.database.db
      .selectFrom('recovery_code')
      .select(['created_at as createdAt', 'used_at as usedAt'])
      .where('user_id', '=', userId)
      .execute();
    const [first] = rows;
    return first && { left: rows.filter(({ usedAt }) => !usedAt).length, createdAt: first.createdAt };
  }

  async removeAll(userId: string): Promise<void> {
    await this.database.transaction(async (_, db) => {
      for (const table of ['passkey', 'authenticator_app', 'recovery_code'] as const)
        await db.deleteFrom(table).where('user_id', '=', userId).execute();
      await db.selectNoFrom(notifyChange(userId)).execute();
    });
    this.memory.forget(userId);
  }
}
