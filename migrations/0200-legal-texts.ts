import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table legal_text (
    document text not null,
    version text not null,
    text text not null,
    since timestamptz not null,
    primary key (document, version)
  )`.execute(db);
}
