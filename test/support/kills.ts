import { expect } from '@jest/globals';
import type { Database } from '../../adapters/platform/database/database.js';
import { expectBooksToHold } from './invariants.js';
import { BUYERS, CREDITS, orderOf } from './kill-orders.js';
import { comesTo } from './money-back.js';

/** A server process may still commit what a node sent before it was killed. */
const othersAtWork = (database: Database) => async (): Promise<number> => {
  const { rows } = await database.pool.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and state <> 'idle'
       and pid <> pg_backend_pid()`,
  );
  return (rows as [{ count: number }])[0].count;
};

/** Checks that every answered order is in the log exactly once and that all counters agree. */
export async function expectBooksToAgree(database: Database, answered: ReadonlySet<number>): Promise<void> {
  await comesTo(othersAtWork(database), 0);
  const { rows } = await database.pool.query(
    `select stream, count(*)::int as sales from event where type = 'SamplePurchased' group by stream`,
  );
  const sold = new Map((rows as { stream: string; sales: number }[]).map((row) => [row.stream, row.sales]));
  const missing = [...answered].filter((n) => {
    const { buyerId, sampleId } = orderOf(n);
    return !sold.has(`purchase-${buyerId}.${sampleId}`);
  });
  expect(missing).toEqual([]);
  expect([...sold].filter(([, sales]) => sales > 1)).toEqual([]);
  await expectBooksToHold(database);
  const { rows: sums } = await database.pool.query(
    `select (select sum(balance) from credit_account)::int as left_over, (select count(*) from purchase_request)::int as outcomes`,
  );
  expect(sums).toEqual([{ left_over: BUYERS * CREDITS - sold.size, outcomes: sold.size }]);
}
