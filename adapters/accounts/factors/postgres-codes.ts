import { Injectable } from '@nestjs/common';
import { CodeStore } from '../../../application/accounts/factors/factor-stores.js';
import { notifyChange } from '../../platform/http/session/session-changes.js';
import { Database } from '../../platform/database/database.js';
import { SessionMemory } from '../session-memory.js';

@Injectable()
export class PostgresCodeStore implements CodeStore {
  constructor(
    private readonly database: Database,
    private readonly memory: SessionMemory,
  ) {}

  async keepApp(userId: string, sealedSecret: Buffer, now: Date): Promise<void> {
    const app = { sealed_secret: sealedSecret, created_at: now };
    await this.database.db
      .insertInto('authenticator_app')
      .values({ user_id: userId, confirmed: false, ...app })
      .onConflict((conflict) => conflict.columns(['user_id', 'confirmed']).doUpdateSet(app))
      .execute();
  }

  app(
    userId: string,
    state: 'waiting' | 'confirmed',
  ): Promise<{ sealedSecret: Buffer; createdAt: Date } | undefined> {
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
      // Serializes two confirmations: the second finds no waiting app.
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
