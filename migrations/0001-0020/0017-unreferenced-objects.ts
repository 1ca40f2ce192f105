import { sql, type Kysely } from 'kysely';

/** Stored objects that nothing refers to: noted when first seen so, removed when they are so a day later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unreferenced_object (
      key        text primary key,
      size_bytes bigint not null,
      noted_at   timestamptz not null
    )`.execute(db);
  await sql`create table object_sweep (name text primary key, turn_at timestamptz not null)`.execute(db);
}
