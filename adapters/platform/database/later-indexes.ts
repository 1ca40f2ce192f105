/** Raw SQL for the catalogue of indexes, which the server keeps. */
import type pg from 'pg';
import type { Database } from './database.js';

/**
 * Indexes on tables that grow with every sale. They are created after the migrations and outside a transaction, so
 * that no query waits. An interrupted index is dropped and created again.
 */
export const LATER_INDEXES = {
  purchase_request_by_time: 'purchase_request (created_at)',
  receipt_by_time: 'receipt (begun_at)',
} as const;
type LaterIndex = keyof typeof LATER_INDEXES;

/**
 * An arbitrary lock number. The process that holds it creates the indexes. Waiting for it would block the concurrent
 * build.
 */
const LOCK = 7_201_100;

/** Creates missing indexes. Only one process at a time does so; the others skip it. */
export async function makeLaterIndexes({ long }: Pick<Database, 'long'>): Promise<void> {
  if ((await missingIn(long)).length === 0) return;
  const client = await long.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK]);
    if (!rows[0]?.mine) return;
    // No time limit: a large table takes long, and no query waits for it.
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    // Another process may have created them in the meantime.
    for (const name of await missingIn(client)) {
      await client.query(`drop index concurrently if exists ${name}`);
      await client.query(`create index concurrently ${name} on ${LATER_INDEXES[name]}`);
    }
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
  }
}

async function missingIn(asked: pg.Pool | pg.PoolClient): Promise<LaterIndex[]> {
  const names = Object.keys(LATER_INDEXES) as LaterIndex[];
  const { rows } = await asked.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relname = any($1::text[]) and i.indisvalid and pg_table_is_visible(c.oid)`,
    [names],
  );
  return names.filter((name) => !rows.some((row) => row.name === name));
}
