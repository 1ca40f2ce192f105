import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table access_token (
    token_id     text primary key,
    token_hash   text not null unique,
    user_id      text not null references user_account on delete cascade,
    name         text not null,
    scopes       text[] not null,
    created_at   timestamptz not null,
    -- Absent: until it is revoked.
    expires_at   timestamptz,
    last_used_at timestamptz
  )`.execute(db);
  await sql`create index access_token_of_user on access_token (user_id)`.execute(db);
}
