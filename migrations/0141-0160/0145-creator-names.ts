import { sql, type Kysely } from 'kysely';
import { isReservedName, skeletonOf } from '../../domain/accounts/display-name.js';

/**
 * The names of creators, unique by their skeletons. Of creators with one name the oldest account has it; the others
 * keep theirs without a skeleton, and cannot be verified. `former_name` is a verified name before a rename that staff have
 * not reviewed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table creator_name (
      user_id       text primary key,
      skeleton      text unique,
      verified_name text,
      former_name   text
    )`.execute(db);
  await sql`
    create constraint trigger page_change after insert or update or delete on creator_name
      deferrable initially deferred for each row execute function count_page_change()`.execute(db);
  const { rows } = await sql<{ id: string; name: string }>`
    select a.user_id as id, a.display_name as name
      from creator_standing c join user_account a using (user_id)
     where c.status <> 'declined' and a.erased_at is null order by a.created_at, a.user_id`.execute(db);
  const owners = new Map<string, string>();
  for (const { id, name } of rows) {
    const skeleton = skeletonOf(name);
    if (!isReservedName(name) && !owners.has(skeleton)) owners.set(skeleton, id);
  }
  const ids = rows.map(({ id }) => id);
  await sql`insert into creator_name (user_id) select unnest(${ids}::text[])`.execute(db);
  await sql`
    update creator_name set skeleton = o.skeleton
      from unnest(${[...owners.values()]}::text[], ${[...owners.keys()]}::text[]) as o(user_id, skeleton)
     where creator_name.user_id = o.user_id`.execute(db);
}
