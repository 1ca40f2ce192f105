import { sql, type Kysely } from 'kysely';

/** Which mail a token was made for: the mail gets it when it is sent, unless it has ended until then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail_token add column order_id text`.execute(db);
  await sql`create unique index mail_token_order on mail_token (order_id)`.execute(db);
}
