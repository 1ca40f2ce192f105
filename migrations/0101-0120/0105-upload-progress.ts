import { sql, type Kysely } from 'kysely';

/** How far uploads have come, for nodes that do not receive them. Lost with a crash, as the uploads are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table upload_progress (
      user_id    text not null,
      upload_id  text not null,
      phase      text not null,
      share      double precision not null,
      changed_at timestamptz not null,
      primary key (user_id, upload_id)
    )`.execute(db);
  await sql`create index upload_progress_by_time on upload_progress (changed_at)`.execute(db);
}
