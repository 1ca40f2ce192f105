/** Raw SQL for the catalogue of indexes, which is the server's own. */
import type pg from 'pg';
import type { Database } from './database.js';

/**
 * Indexes on tables that grow with every sale: made without a transaction, so that nobody waits for them, and after
 * the migrations. What was interrupted is made anew.
 */
export const LATER_INDEXES = {
  purchase_request_by_time: 'purchase_request (created_at)',
  receipt_by_time: 'receipt (begun_at)',
} as const;
type LaterIndex = keyof typeof LATER_INDEXES;

/** Any number: whoever holds it makes the indexes. Waiting for it would keep them from being made. */
const LOCK = 7_201_100;

/** Makes what is missing, from one process at a time; the others go on without. */
export async function makeLaterIndexes({ long }: Pick<Database, 'long'>): Promise<void> {
  if ((await missingIn(long)).length === 0) return;
  const client = await long.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK]);
    if (!rows[0]?.mine) return;
    // Nobody waits for it, however large the table is.
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    // Somebody may have made them meanwhile.
    for (const name of await missingIn(client)) {
      await client.query(`drop index concurrently if exists ${name}`);
      await client.query(`create index concurrently ${name} on ${LATER_INDEXES[name]}`);
    }
  } finally {
    // With its connection goes the lock.
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
