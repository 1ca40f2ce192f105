import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table project (
    user_id        text not null references user_account on delete cascade,
    -- Chosen by the caller, so that two people may have projects with the same id.
    project_id     text not null,
    name           text not null,
    -- In BPM.
    tempo          double precision not null,
    key            text,
    time_signature text not null,
    created_at     timestamptz not null,
    primary key (user_id, project_id)
  )`.execute(db);
}
