import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table own_collection (
    collection_id    text primary key,
    -- The owner.
    user_id          text not null references user_account on delete cascade,
    name             text not null,
    description      text not null,
    -- The secret parts of links, which the owner sees again. Null: there is no such link.
    share_token      text unique,
    invitation_token text unique,
    collaborator_id  text references user_account on delete set null,
    created_at       timestamptz not null,
    updated_at       timestamptz not null
  )`.execute(db);
  await sql`create index own_collection_of_owner on own_collection (user_id)`.execute(db);
  await sql`create index own_collection_of_collaborator on own_collection (collaborator_id)
    where collaborator_id is not null`.execute(db);
  await sql`
  create table own_collection_sample (
    collection_id text not null references own_collection on delete cascade,
    sample_id     text not null,
    -- Orders the samples. Removals leave gaps.
    place         int not null,
    -- Null: the account was erased.
    added_by      text references user_account on delete set null,
    added_at      timestamptz not null,
    primary key (collection_id, sample_id)
  )`.execute(db);
  await sql`create index own_collection_sample_by_adder on own_collection_sample (added_by)`.execute(db);
}
