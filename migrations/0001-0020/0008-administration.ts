import { sql, type Kysely } from 'kysely';

/** Purchases that were undone, and adjustments of credits that one person alone may not make. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The row stays: the certificate outlives the return, and buying again goes on in the same stream.
  await sql`alter table owned_sample add column returned_at timestamptz`.execute(db);
  // A takedown looks for everybody who bought from the pack.
  await sql`create index owned_sample_of_pack on owned_sample (pack_id, buyer_id, sample_id)`.execute(db);

  // Inline projection of adjustment-{id}: what waits for a second person, and what became of it.
  await sql`
    create table adjustment (
      adjustment_id text primary key,
      user_id       text not null,
      credits       int not null,
      value_micro_usd bigint not null,
      explanation   text not null,
      status        text not null check (status in ('waiting', 'approved', 'declined', 'failed')),
      requested_by  text not null,
      requested_at  timestamptz not null,
      decided_by    text,
      decided_at    timestamptz
    )`.execute(db);
  await sql`create index adjustment_newest on adjustment (requested_at desc, adjustment_id desc)`.execute(db);
}
