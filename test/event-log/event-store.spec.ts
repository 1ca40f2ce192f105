import { SystemClock } from '../../application/shared/clock.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { Database } from '../../adapters/platform/database/database.js';
import { pgbouncer, startPooler } from '../support/pooler.js';
import { startTestDatabase } from '../support/postgres.js';
import { eventStoreContract } from './event-store.contract.js';

eventStoreContract('the event store in memory', async () => ({
  make: async (upcasters) => new InMemoryEventStore(undefined, upcasters),
  close: async () => {},
}));

eventStoreContract('the event store in PostgreSQL', async () => {
  const { database, close } = await startTestDatabase();
  return {
    make: async (upcasters) => {
      await emptyTheLog(database);
      return new PostgresEventStore(database, new SystemClock(), [], upcasters);
    },
    close,
  };
});

// Without PgBouncer, the test run itself reports the missing tests.
if (pgbouncer)
  eventStoreContract('[OPS-102] the event store behind PgBouncer in transaction mode', async () => {
    const test = await startTestDatabase();
    const pooler = await startPooler(test.url, 2);
    const database = new Database(pooler.url, { directUrl: test.url });
    return {
      make: async (upcasters) => {
        await emptyTheLog(test.database);
        return new PostgresEventStore(database, new SystemClock(), [], upcasters);
      },
      close: async () => {
        await database.close();
        await pooler.stop();
        await test.close();
      },
    };
  });

/** Only the owner of a test database may do this, and must first disable the trigger. */
async function emptyTheLog({
  pool,
}: Awaited<ReturnType<typeof startTestDatabase>>['database']): Promise<void> {
  await pool.query(`alter table event disable trigger user`);
  await pool.query(`truncate event`);
  await pool.query(`alter table event enable trigger user`);
  await pool.query(`delete from log_end where position > 0`);
}
