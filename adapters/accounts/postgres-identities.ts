import { Injectable } from '@nestjs/common';
import { IdentityStore, type PendingLink } from '../../application/accounts/identity-store.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresIdentityStore extends IdentityStore {
  constructor(private readonly database: Database) {
    super();
  }

  async findUser(issuer: string, subject: string): Promise<string | undefined> {
    const { rows } = await this.database.pool.query<{ user_id: string }>(
      'select user_id from external_identity where issuer = $1 and subject = $2',
      [issuer, subject],
    );
    return rows[0]?.user_id;
  }

  async link(identity: { issuer: string; subject: string; userId: string; linkedAt: Date }): Promise<void> {
    await this.database.pool.query(
      `insert into external_identity (issuer, subject, user_id, linked_at) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [identity.issuer, identity.subject, identity.userId, identity.linkedAt],
    );
  }

  async keepPending(link: PendingLink): Promise<void> {
    await this.database.pool.query(
      `insert into identity_link (token_hash, issuer, subject, user_id, expires_at)
       values ($1, $2, $3, $4, $5)`,
      [link.tokenHash, link.issuer, link.subject, link.userId, link.expiresAt],
    );
  }

  async linkPending(tokenHash: string, userId: string, now: Date): Promise<void> {
    await this.database.pool.query(
      `with used as (
         delete from identity_link where token_hash = $1 and user_id = $2 returning *
       )
       insert into external_identity (issuer, subject, user_id, linked_at)
       select issuer, subject, user_id, $3 from used where expires_at > $3 on conflict do nothing`,
      [tokenHash, userId, now],
    );
  }
}
