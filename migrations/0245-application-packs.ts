import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table application_pack (
    user_id    text primary key,
    -- A draft, which holds the sounds of the application.
    pack_id    text not null unique,
    created_at timestamptz not null
  )`.execute(db);
  // 'none' stands for a withdrawn application.
  await sql`
  alter table creator_standing drop constraint creator_standing_status_check,
    add constraint creator_standing_status_check
      check (status in ('none', 'applied', 'asked', 'approved', 'declined', 'suspended'))`.execute(db);
}
