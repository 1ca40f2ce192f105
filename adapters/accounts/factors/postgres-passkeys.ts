import { Injectable } from '@nestjs/common';
import type { Selectable } from 'kysely';
import { PasskeyStore, type Passkey } from '../../../application/accounts/factors/factor-stores.js';
import { notifyChange } from '../../platform/http/session/session-changes.js';
import { Database } from '../../platform/database/database.js';
import { SessionMemory } from '../session-memory.js';
import type { Passkey as Row } from '../../platform/database/schema.js';

@Injectable()
export class PostgresPasskeyStore implements PasskeyStore {
  constructor(
    private readonly database: Database,
    private readonly memory: SessionMemory,
  ) {}

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
    return this.database.db.selectFrom('passkey').selectAll();
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
      // Passkeys that are synced between devices keep their counter at 0.
      .where(({ and, eb, or, val }) =>
        or([eb('counter', '<', counter), and([eb('counter', '=', 0), eb(val(counter), '=', 0)])]),
      )
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
}

const passkeyIn = (row: Selectable<Row>): Passkey => ({
  credentialId: row.credential_id,
  userId: row.user_id,
  publicKey: new Uint8Array(row.public_key),
  counter: row.counter,
  transports: row.transports,
  backedUp: row.backed_up,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});
