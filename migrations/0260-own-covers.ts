import { sql, type Kysely } from 'kysely';

/**
 * Earlier events do not say whether a cover was drawn by the program. Only the cover in the second event of a pack's
 * stream was, because each new draft got one; later covers are the creator's own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pack add column has_own_cover boolean not null default false`.execute(db);
  await sql`
    update pack set has_own_cover = true
     where exists (select 1 from event where stream = 'pack-' || pack_id and version > 2 and type = 'PackCoverReplaced')
  `.execute(db);
}
