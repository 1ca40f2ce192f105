import { sql, type Kysely } from 'kysely';

/** `split`: an offer to share a creator's earnings from a pack. `shared_pack`: how the next sale is shared. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
  create table split (
    split_id    text primary key,
    pack_id     text not null,
    owner_id    text not null,
    creator_id  text not null,
    bps         int not null check (bps between 1 and 9999),
    status      text not null check (status in ('proposed', 'accepted', 'declined', 'ended')),
    version     int not null,
    proposed_at timestamptz not null,
    changed_at  timestamptz not null
  );
  create index split_of_creator on split (creator_id, proposed_at, split_id);
  create index split_of_owner on split (owner_id, proposed_at, split_id);
  create table shared_pack (
    pack_id text primary key,
    parts   jsonb not null,
    version int not null
  )`.execute(db);
}
