import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table file_name_template (
    user_id  text primary key references user_account on delete cascade,
    template text not null
  )`.execute(db);
}
