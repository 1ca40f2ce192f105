import { sql, type Kysely } from 'kysely';

/**
 * The log as SQL can read it.
 *
 * `json` keeps texts with NUL (`\u0000`) or half a character (`\ud800`), but raises an error as soon as any field
 * of such a row is asked for. The store refuses them; rows from before, which nobody may change, are read with
 * U+FFFD in those places.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function readable_json(value json) returns json language sql immutable parallel safe as $$
      select case when strpos(value::text, '\\u') = 0 then value
                  else regexp_replace(value::text, '(?<!\\\\)((\\\\\\\\)*)\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\1\\\\ufffd', 'g')::json end
    $$`.execute(db);
  await sql`
    create view readable_event as
      select position, stream, version, type, readable_json(data) as data, metadata, credit_delta, recorded_at, hash from event`.execute(
    db,
  );
}
