import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table certified_copy (
    certificate_id text not null,
    sha256         text not null,
    size_bytes     bigint not null,
    made_at        timestamptz not null,
    primary key (certificate_id, sha256)
  )`.execute(db);
}
