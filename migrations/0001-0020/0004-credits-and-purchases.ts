import { sql, type Kysely } from 'kysely';

/**
 * What a buyer sees next, written with the events that cause it.
 *
 * `credit_account` holds what deciding needs (balance, open lots, stream version), so no purchase folds a
 * stream. Purchases read accounts by key in key order; every table has the one index its reader uses.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table credit_account (
      user_id text primary key,
      version int not null,
      balance int not null check (balance >= 0),
      lots    jsonb not null
    ) with (fillfactor = 70)`.execute(db);

  // Credits come once per fact: an invoice line, a promotion, a returned purchase.
  await sql`
    create table credit_grant (
      lot_id          text primary key,
      user_id         text not null,
      kind            text not null,
      reason          text not null,
      credits         int not null,
      value_micro_usd bigint not null,
      granted_at      timestamptz not null,
      position        bigint not null
    )`.execute(db);
  await sql`create index credit_grant_of_user on credit_grant (user_id, position)`.execute(db);

  // The statement, one line per movement; the position orders it and names its event.
  await sql`
    create table credit_line (
      user_id       text not null,
      position      bigint not null,
      reason        text not null,
      delta         int not null,
      balance_after int not null,
      created_at    timestamptz not null,
      primary key (user_id, position)
    )`.execute(db);

  await sql`
    create table owned_sample (
      buyer_id       text not null,
      sample_id      text not null,
      version        int not null,
      purchase_id    text not null,
      pack_id        text not null,
      creator_id     text not null,
      price_credits  int not null,
      certificate_id text not null,
      audio_version  int not null,
      purchased_at   timestamptz not null,
      primary key (buyer_id, sample_id)
    )`.execute(db);
  // A purchase may name a sample by the address of its file.
  await sql`create index sample_by_original on sample (original_key)`.execute(db);
  await sql`create index owned_sample_newest on owned_sample (buyer_id, purchased_at desc, sample_id)`.execute(
    db,
  );

  // A later fetch of the file: no event, since it gives nothing away that was not given before.
  await sql`
    create table delivery (
      buyer_id     text not null,
      sample_id    text not null,
      delivered_at timestamptz not null,
      primary key (buyer_id, sample_id)
    )`.execute(db);

  // One key, one request, one outcome: written in the purchase's own transaction.
  await sql`
    create table purchase_request (
      user_id      text not null,
      key          text not null,
      request_hash text not null,
      outcome      json not null,
      created_at   timestamptz not null,
      primary key (user_id, key)
    )`.execute(db);

  await sql`
    create table certificate (
      certificate_id text primary key,
      buyer_id       text not null,
      sample_id      text not null,
      document       json not null,
      signature      text not null
    )`.execute(db);
}
