import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { compare } from '../../bench/load/record.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { executorOn, purchaseOf, stock } from '../support/stock.js';

let test: TestDatabase;
beforeAll(async () => void (test = await startTestDatabase()));
afterAll(() => test.close());

it('[OPS-145] the load finds what buyers were told and the log lacks, has twice, or has for nobody', async () => {
  breaksBooks(test.database, 'one purchase is written twice');
  const { executor, eventStore } = executorOn(test.database);
  const samples = await stock(test.database, 3);
  const grant = { userId: 'ada', grantId: randomUUID(), credits: 3, grantedAt: new Date() };
  await executor.grantPromotion(grant, { correlationId: 'test' });
  const { position: since } = await eventStore.head();
  for (const sampleId of samples) await executor.buy(purchaseOf('ada', [sampleId]));
  const told = samples.map((sampleId) => ({ buyerId: 'ada', sampleId, acknowledged: true }));
  expect(await compare(test.database, told, since)).toEqual({ lost: 0, doubled: 0, unasked: 0 });
  // Without an answer nobody was told anything.
  const unsure = { buyerId: 'bo', sampleId: 's0', acknowledged: false };
  expect(await compare(test.database, [...told, unsure], since)).toMatchObject({ lost: 0 });
  expect(await compare(test.database, [...told, { ...unsure, acknowledged: true }], since)).toMatchObject({
    lost: 1,
  });
  expect(await compare(test.database, told.slice(1), since)).toMatchObject({ unasked: 1 });
  await test.database.pool.query('alter table event disable trigger user');
  await test.database.pool.query(
    `insert into event (position, stream, version, type, data, metadata, recorded_at, hash)
     select position + 1000, stream || '-again', version, type, data, metadata, recorded_at, hash
       from event where type = 'SamplePurchased' and position > $1 limit 1`,
    [since],
  );
  expect(await compare(test.database, told, since)).toMatchObject({ doubled: 1 });
});
