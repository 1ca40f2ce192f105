import { sql, type Kysely } from 'kysely';

/** In earlier events, only the second event of a stream is a drawn cover: each pack is drafted with one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pack add column has_own_cover boolean not null default false`.execute(db);
  await sql`
    update pack set has_own_cover = true
     where exists (select 1 from event where stream = 'pack-' || pack_id and version > 2 and type = 'PackCoverReplaced')
  `.execute(db);
}
