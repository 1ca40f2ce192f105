import { Injectable } from '@nestjs/common';
import {
  IdentityStore,
  type PendingLink,
} from '../../application/accounts/external-sign-in/identity-store.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresIdentityStore implements IdentityStore {
  constructor(private readonly database: Database) {}

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
