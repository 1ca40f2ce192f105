import { sql, type Kysely } from 'kysely';

/**
 * People and what proves who they are. Plain tables: passwords gain nothing from history, and a person can
 * ask to be erased; the event log names user ids only. Secrets (session tokens, mailed tokens) are kept as
 * SHA-256, so that a copy of the database opens no session.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_account (
      user_id text primary key,
      -- Null once the person was erased; the id stays because the books name it.
      email text,
      -- Null for accounts that sign in elsewhere only.
      password_hash text,
      display_name text not null,
      avatar_key text,
      email_verified_at timestamptz,
      roles text[] not null default '{}' check (roles <@ array['admin', 'finance']),
      created_at timestamptz not null,
      erased_at timestamptz,
      check ((erased_at is null) = (email is not null))
    )`.execute(db);
  // One account an address, however it is capitalised.
  await sql`create unique index user_account_email on user_account (lower(email))`.execute(db);

  await sql`
    create table session (
      session_id text primary key,
      user_id text not null references user_account on delete cascade,
      created_at timestamptz not null,
      ended_at timestamptz
    )`.execute(db);
  await sql`create index session_of_user on session (user_id)`.execute(db);
  await sql`
    create table session_token (
      token_hash text primary key,
      session_id text not null references session on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      -- Set when a renewal replaced it; seeing it again ends the session.
      replaced_at timestamptz
    )`.execute(db);
  await sql`create index session_token_session on session_token (session_id)`.execute(db);

  // Keyed by what the provider never changes: its own id of the person, not the address.
  await sql`
    create table external_identity (
      issuer text not null,
      subject text not null,
      user_id text not null references user_account on delete cascade,
      linked_at timestamptz not null,
      primary key (issuer, subject)
    )`.execute(db);
  await sql`create index external_identity_user on external_identity (user_id)`.execute(db);
  // An identity whose address belongs to an account with a password, until that password is given.
  await sql`
    create table identity_link (
      token_hash text primary key,
      issuer text not null,
      subject text not null,
      user_id text not null references user_account on delete cascade,
      expires_at timestamptz not null
    )`.execute(db);

  await sql`
    create table mail_token (
      token_hash text primary key,
      purpose text not null check (purpose in ('verify-email', 'reset-password')),
      user_id text not null references user_account on delete cascade,
      -- The address it was sent to: a token proves that address, not the one the account has later.
      email text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index mail_token_user on mail_token (user_id, purpose)`.execute(db);

  await sql`
    create table creator_profile (
      user_id text primary key references user_account on delete cascade,
      handle text not null unique,
      bio text not null default '',
      socials jsonb not null default '{}',
      updated_at timestamptz not null
    )`.execute(db);
  // Every handle ever given, the current ones too: it leads to its person for ever, so links keep working and
  // nobody inherits them. Told apart without regard to case.
  await sql`
    create table handle_history (
      handle_lower text primary key,
      user_id text not null references user_account on delete cascade,
      given_at timestamptz not null
    )`.execute(db);
  await sql`create index handle_history_user on handle_history (user_id)`.execute(db);

  await sql`
    create table idempotent_request (
      user_id text not null,
      key text not null,
      route text not null,
      request_hash text not null,
      started_at timestamptz not null,
      -- Null while the first request runs.
      status int,
      answer jsonb,
      primary key (user_id, key)
    )`.execute(db);

  await sql`
    create table mailbox (
      mail_id bigint generated always as identity primary key,
      recipient text not null,
      subject text not null,
      text text not null,
      links text[] not null,
      sent_at timestamptz not null
    )`.execute(db);

  // Shared by all API nodes; losing it in a crash only forgives attempts.
  await sql`
    create unlogged table rate_limit (
      key text primary key,
      hits int not null,
      resets_at timestamptz not null
    )`.execute(db);
}
