import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table gift (
    gift_id    text primary key,
    -- The payer.
    user_id    text not null,
    product    text not null,
    quantity   int not null,
    -- Gets the code by mail. Null: only the payer gets it.
    email      text,
    -- The code itself is derived from the id, and stored nowhere.
    code_hash  text not null unique,
    valid_days int not null,
    created_at timestamptz not null
  )`.execute(db);
  await sql`create index gift_user_id on gift (user_id, created_at)`.execute(db);
  await sql`alter table stripe_invoice add column gift_id text`.execute(db);
}
