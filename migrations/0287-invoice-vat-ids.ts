import { sql, type Kysely } from 'kysely';

/** The VAT ids of the firm that an invoice names. Null for consumers, and for invoices before this column. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stripe_invoice add column vat_ids text[]`.execute(db);
}
