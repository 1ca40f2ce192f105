import { sql, type Kysely } from 'kysely';

/** Which remarks an event was found to name: those are not looked for again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table remark add column named boolean not null default false`.execute(db);
  await sql`drop index remark_by_age`.execute(db);
  await sql`create index remark_not_named on remark (said_at) where not named`.execute(db);
}
