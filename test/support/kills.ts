import { expect } from '@jest/globals';
import { PostgresEventStore } from '../../adapters/postgres/event-store.js';
import { Projector } from '../../adapters/postgres/projector.js';
import { PostgresBooks } from '../../adapters/postgres/read-models/books.js';
import { credits } from '../../adapters/postgres/read-models/credits.js';
import { journal } from '../../adapters/postgres/read-models/journal.js';
import { ownedSamples } from '../../adapters/postgres/read-models/owned-samples.js';
import type { Database } from '../../adapters/postgres/database.js';
import { LogAudit } from '../../application/finance/audit-log.js';
import { verifyChain } from '../../application/operations/verify-chain.js';
import { SystemClock } from '../../application/ports/clock.js';
import { BUYERS, CREDITS, orderOf } from './kill-orders.js';

/** Every answered order is in the log, none is there twice, and everything that is counted agrees. */
export async function expectBooksToAgree(database: Database, answered: ReadonlySet<number>): Promise<void> {
  const store = new PostgresEventStore(database, new SystemClock());
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
  const audit = new LogAudit();
  expect(await verifyChain(store, { witness: audit.witness })).toMatchObject({ verified: true });
  expect(audit.finish()).toEqual([]);
  const projector = new Projector(database, store);
  const drift = [...(await projector.drift(credits)), ...(await projector.drift(ownedSamples))];
  expect(drift.filter((table) => table.rows > 0)).toEqual([]);
  while ((await projector.advance(journal)) === 'behind');
  const { totals } = await new PostgresBooks(database).trialBalance({ asOf: new Date(), grouped: true });
  expect(totals.debitMicroUsd).toBe(totals.creditMicroUsd);
  const { rows: sums } = await database.pool.query(
    `select (select sum(balance) from credit_account)::int as left_over, (select count(*) from purchase_request)::int as outcomes`,
  );
  expect(sums).toEqual([{ left_over: BUYERS * CREDITS - sold.size, outcomes: sold.size }]);
}
