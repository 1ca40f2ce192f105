import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  alter table creator_standing drop constraint creator_standing_status_check,
    add constraint creator_standing_status_check
      check (status in ('applied', 'asked', 'approved', 'declined', 'suspended'))`.execute(db);
}
