/**
 * Measures certificates, which follow purchases: one at a time, a page of the log at a time, and compared to 150
 * purchases a second. Each variant starts from the first purchase again.
 *
 *   npm run bench -- bench/certificates.ts [purchases, 5,000 by default]
 */
import { Database } from '../adapters/platform/database/database.js';
import { PostgresEventStore } from '../adapters/platform/event-log/postgres-event-store.js';
import { ReactorRunner } from '../adapters/platform/event-log/reactor-runner.js';
import { PostgresCertificates } from '../adapters/purchases/postgres-certificates.js';
import { PostgresSecrets } from '../adapters/platform/database/postgres-secrets.js';
import { SystemClock } from '../application/shared/clock.js';
import type { Reactor } from '../application/shared/event-store.js';
import { NO_KEYS, SigningKeys } from '../application/shared/keys/signing-keys.js';
import { Certificates } from '../application/purchases/certificates.js';
import { theExecutor } from './support/credit-executor.js';
import { withServer } from './support/with-server.js';

const PURCHASES = Number(process.argv[2] ?? 5_000);
const NEEDED = 150;

await withServer(async ({ url }) => {
  await theExecutor(url, PURCHASES);
  const database = new Database(url);
  const store = new PostgresEventStore(database, new SystemClock());
  const certificates = new Certificates(
    new PostgresCertificates(database),
    new SigningKeys(new PostgresSecrets(database), NO_KEYS),
    new SystemClock(),
  );
  const together: Reactor = certificates;
  const { name, types } = certificates;
  const alone: Reactor = { name, types, handle: (event) => together.handle(event) };
  const log = { warn: console.error, error: console.error };
  for (let round = 1; round <= 3; round += 1) {
    for (const [way, reactor] of [
      ['each by itself', alone],
      ['a page at a time', certificates],
    ] as const) {
      await database.pool.query('truncate certificate');
      await database.pool.query('delete from checkpoint where name = $1', [name]);
      const runner = new ReactorRunner(database, store, reactor, log);
      const startedAt = performance.now();
      while ((await runner.step(() => false)).more);
      const { rows } = await database.pool.query('select count(*)::int as written from certificate');
      const { written } = rows[0] as { written: number };
      const perSecond = written / ((performance.now() - startedAt) / 1_000);
      console.log(
        `${way.padEnd(18)} ${Math.round(perSecond).toLocaleString('en').padStart(8)}/s  ×${(perSecond / NEEDED).toFixed(1)} of ${NEEDED} purchases a second`,
      );
    }
  }
  await database.close();
});
