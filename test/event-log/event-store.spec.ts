import { SystemClock } from '../../application/shared/clock.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
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

/** Only a test's owner may do this, and only by taking the guard off first. */
async function emptyTheLog({
  pool,
}: Awaited<ReturnType<typeof startTestDatabase>>['database']): Promise<void> {
  await pool.query(`alter table event disable trigger user`);
  await pool.query(`truncate event`);
  await pool.query(`alter table event enable trigger user`);
  await pool.query(`delete from log_end where position > 0`);
}
