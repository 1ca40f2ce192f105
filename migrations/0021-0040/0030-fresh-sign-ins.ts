import { sql, type Kysely } from 'kysely';

/**
 * When somebody last proved in a session who they are, the link that takes an account back after its address was
 * changed, and names for those who never chose one: they were called by the private part of their address.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session add column authenticated_at timestamptz`.execute(db);
  await sql`update session set authenticated_at = created_at`.execute(db);
  await sql`alter table session alter column authenticated_at set not null`.execute(db);

  await sql`alter table mail_token drop constraint mail_token_purpose_check`.execute(db);
  await sql`
    alter table mail_token add constraint mail_token_purpose_check
      check (purpose in ('verify-email', 'reset-password', 'undo-email'))`.execute(db);
  await sql`create index mail_token_undo on mail_token (lower(email)) where purpose = 'undo-email'`.execute(
    db,
  );

  // Creators are left as they are: listeners know them by that name, and they see it on every page of theirs.
  await sql`
    update user_account a set display_name = 'Listener ' || (1000 + floor(random() * 9000))::int
     where erased_at is null and display_name = left(split_part(email, '@', 1), 80)
       and not exists (select 1 from creator_profile p where p.user_id = a.user_id)`.execute(db);
}
