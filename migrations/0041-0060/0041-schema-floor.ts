import { sql, type Kysely } from 'kysely';

/**
 * Which versions of the program may work with this schema: those that know the migration named here. A migration that
 * only adds leaves it alone, so nodes of the version before go on beside new ones. One that takes away or renames what
 * former versions use puts here the migration that the first version without that use came with.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table schema_floor (
      only_row  boolean primary key default true check (only_row),
      migration text not null
    )`.execute(db);
  await sql`insert into schema_floor (migration) values ('0041-schema-floor')`.execute(db);
}
