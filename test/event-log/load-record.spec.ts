import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { arrive } from '../../bench/load/arrivals.js';
import type { Bought, ClientMessage, ClientTask } from '../../bench/load/clients.js';
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
  // Without an answer, the buyer was promised nothing.
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

it('[OPS-145] every purchase that buyers made is told to whoever compares, however many they are', async () => {
  /** The keys of the orders. An order that fails or takes too long is repeated. */
  const orders = new Set<unknown>();
  let fails = 1;
  const shop = createServer((request, response) => {
    orders.add(request.headers['idempotency-key']);
    const status = fails-- > 0 ? 503 : 201;
    request.resume().once('end', () => response.writeHead(status).end());
  });
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  const { port } = shop.address() as { port: number };
  const clients = fork('bench/load/clients.ts', {
    execArgv: ['--import', './test/support/typescript.mjs'],
  });
  let bought: Bought[] = [];
  clients.on('message', (message: ClientMessage) => {
    if ('bought' in message) ({ bought } = message);
  });
  clients.send({
    urls: [`http://127.0.0.1:${port}`],
    origin: 'http://localhost',
    rates: { purchase: 2_000, search: 0, page: 0, preview: 0, 'sign-up': 0, upload: 0 },
    durationMs: 2_000,
    // More than a pipe buffers at once.
    buyers: [{ userId: 'u'.repeat(500), token: 't' }],
    sampleIds: Array.from({ length: 10_000 }, (_, n) => `s${n}`),
    paths: [],
    previews: [],
    studio: { token: 't', path: '/', wavBase64: '' },
  } satisfies ClientTask);
  const [[code]] = await Promise.all([once(clients, 'exit'), once(clients, 'disconnect')]);
  shop.close();
  expect([code, bought.length, bought.every(({ acknowledged }) => acknowledged)]).toEqual([
    0,
    orders.size,
    true,
  ]);
  expect(orders.size).toBeGreaterThan(1_000);
});

it('[OPS-145] no call is planned for after the end, even if calls begin slower than planned', async () => {
  let nowMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
    if (nowMs > 10_000) throw new Error('The load does not end');
    return (nowMs += 0.1);
  });
  const planned: number[] = [];
  const rates = { purchase: 1_000, search: 0, page: 0, preview: 0, 'sign-up': 0, upload: 0 };
  await arrive(rates, 100, async (_, plannedAt) => {
    planned.push(plannedAt);
    nowMs += 2;
  }).finally(() => clock.mockRestore());
  expect(planned.length).toBeGreaterThan(20);
  expect(Math.max(...planned)).toBeLessThan(101);
});
