import { randomBytes } from 'node:crypto';
import { Secrets } from '../../../application/shared/keys/signing-keys.js';
import { DatabaseAdapter } from './database.js';

export class PostgresSecrets extends DatabaseAdapter implements Secrets {
  async get(name: string): Promise<Buffer> {
    // Two nodes may create a secret at once: both then use the bytes that were stored first.
    const { db } = this.database;
    await db
      .insertInto('secret')
      .values({ name, value: randomBytes(32) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const found = await db
      .selectFrom('secret')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return found.value;
  }
}
