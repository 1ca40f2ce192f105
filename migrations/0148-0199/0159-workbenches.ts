import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table workbench (
    user_id        text not null references user_account on delete cascade,
    -- Chosen by the caller, so that two people may have workbenches with the same id.
    workbench_id   text not null,
    name           text not null,
    -- In BPM.
    tempo          double precision not null,
    key            text,
    time_signature text not null,
    -- An array of at most eight lanes, in their order.
    lanes          jsonb not null,
    version        int not null,
    -- The secret part of the link for visitors. Null: there is no link.
    share_token    text unique,
    created_at     timestamptz not null,
    updated_at     timestamptz not null,
    primary key (user_id, workbench_id)
  )`.execute(db);
}
