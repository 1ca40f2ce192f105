import { sql, type Kysely } from 'kysely';

/**
 * Which creators allow training with their sounds, and since when which licence text is given: what was bought before
 * keeps the text that it was bought with, however late its certificate is written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ai_preference (
      user_id text primary key,
      trains  boolean not null,
      version int not null
    )`.execute(db);
  await sql`
    create table licence (
      version text primary key,
      since   timestamptz not null
    )`.execute(db);
  await sql`insert into licence (version, since) values ('1.0', '-infinity'), ('1.1', now())`.execute(db);
}
