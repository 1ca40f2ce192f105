import { sql, type Kysely } from 'kysely';

/** What people prove beside their password, and sign-ins that wait for it. Plain tables: secrets gain nothing from history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session add column second_factor_at timestamptz`.execute(db);

  await sql`
    create table passkey (
      credential_id text primary key,
      user_id text not null references user_account on delete cascade,
      public_key bytea not null,
      -- As the authenticator counts; one that goes back was copied.
      counter bigint not null,
      transports text[] not null,
      backed_up boolean not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index passkey_of_user on passkey (user_id)`.execute(db);
  await sql`
    create table passkey_challenge (
      challenge text primary key,
      -- What it may prove: each session and each waiting sign-in has its own.
      purpose text not null,
      expires_at timestamptz not null
    )`.execute(db);

  await sql`
    create table authenticator_app (
      user_id text not null references user_account on delete cascade,
      -- A new one waits beside the old one until a code of it was given.
      confirmed boolean not null,
      sealed_secret bytea not null,
      created_at timestamptz not null,
      -- Of 30 seconds; a code counts once.
      last_step bigint not null default 0,
      primary key (user_id, confirmed)
    )`.execute(db);
  await sql`
    create table recovery_code (
      user_id text not null references user_account on delete cascade,
      code_hash text not null,
      created_at timestamptz not null,
      used_at timestamptz,
      primary key (user_id, code_hash)
    )`.execute(db);

  await sql`
    create table pending_sign_in (
      token_hash text primary key,
      user_id text not null references user_account on delete cascade,
      -- When the first proof was given; null: now.
      authenticated_at timestamptz,
      attempts int not null default 0,
      expires_at timestamptz not null
    )`.execute(db);
}
