import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PostgresCatalogueVersionQueries } from '../../adapters/catalogue/postgres-catalogue-version.js';
import { catalogueSearch } from '../../adapters/catalogue/search/catalogue-search.js';
import { ensureCheckpoint } from '../../adapters/platform/event-log/checkpoints.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { SystemClock } from '../../application/shared/clock.js';
import { recordPurchases } from '../support/catalogue.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await startTestDatabase();
});
afterAll(() => test?.close());

it('[PAGE-07] a sale changes what is counted alone, though the log knows of no pack yet', async () => {
  const eventStore = new PostgresEventStore(test.database, new SystemClock());
  const version = new PostgresCatalogueVersionQueries(test.database);
  await ensureCheckpoint(test.database.pool, catalogueSearch);
  const before = await version.current();
  breaksBooks(test.database, 'what is counted was sold without credits', [5, 7, 'owned-samples']);
  await recordPurchases(eventStore, { sampleId: 's', packId: 'p', creatorId: 'c' }, ['a']);
  await new Projector(test.database, eventStore).step(catalogueSearch);
  const after = await version.current();
  expect(after.structure).toBe(before.structure);
  expect(after.popularity).not.toBe(before.popularity);
});
