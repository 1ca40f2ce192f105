import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { freePort } from '../../adapters/platform/database/embedded/launch.js';
import { startChildProduct, type ChildProduct } from '../support/child-product.js';
import { startChildSimulator, type ChildSimulator } from '../support/child-simulator.js';
import { MARKS, startMarkedStripe, type MarkedStripe } from '../support/marked-stripe.js';
import { keyed, HttpClient } from '../support/http-client.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { stock } from '../support/stock.js';
import { onboard, press } from '../support/stripe.js';
import { valueOnce } from '../support/until.js';
import { wavOf } from '../support/wav.js';

const DAY_MS = 86_400_000;

let store: TestDatabase;
let folder: string;
let simulator: ChildSimulator;
let way: MarkedStripe;
let api: ChildProduct;
let worker: ChildProduct;

beforeAll(async () => {
  store = await startTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'offcut-shared-'));
  const [apiPort, workerPort] = [await freePort(), await freePort()];
  simulator = await startChildSimulator(`http://127.0.0.1:${apiPort}/api/stripe/webhook`);
  const shared = { DATABASE_URL: store.url, DATA_DIR: folder, ...simulator.settings };
  way = await startMarkedStripe(simulator.url);
  const throughIt = { ...shared, STRIPE_API_BASE: way.url };
  api = await startChildProduct({ ...throughIt, ROLE: 'api', PORT: String(apiPort) });
  worker = await startChildProduct({ ...shared, ROLE: 'worker', PORT: String(workerPort) });
});

afterAll(async () => {
  await api?.remove();
  await worker?.remove();
  await way?.close();
  await simulator?.remove();
  await store?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function until<Value>(read: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  try {
    return await valueOnce(read, holds);
  } catch (error) {
    throw new Error(`${api.log()}\n${worker.log()}`, { cause: error });
  }
}

async function subscribed(plan: string): Promise<HttpClient> {
  const listener = await HttpClient.signUp(api.url);
  const { body } = await listener.post('/api/stripe/create-checkout-session', { plan });
  expect(body.url.startsWith(`${simulator.url}/c/pay/`)).toBe(true);
  await press(body.url, { outcome: 'paid' });
  await until(
    () => listener.get('/api/subscription'),
    ({ body }) => body.status === 'active',
  );
  return listener;
}

/** Puts three samples on sale at 50 credits each, with a real file. */
async function onSale(creator: HttpClient): Promise<string[]> {
  await creator.post('/api/creator/application', {});
  const pack = await creator.post('/api/creator/packs', { name: 'Shared', genre: 'Soul', mood: 'Chill' });
  const form = new FormData();
  form.append('meta', JSON.stringify({ name: 'Tone', bpm: 90 }));
  form.append('audio', new Blob([new Uint8Array(wavOf({ seconds: 1, hertz: 440 }))]), 'tone.wav');
  const added = await creator.post(`/api/creator/packs/${pack.body.id}/samples`, undefined, { raw: form });
  expect(added.status).toBe(201);
  const ids = await stock(store.database, 3, {
    creatorId: creator.userId,
    priceCredits: 50,
    prefix: 'shared-',
  });
  await store.database.pool.query(
    `update sample set original_key = (select original_key from sample where sample_id = $1) where sample_id = any($2)`,
    [added.body.sample.id, ids],
  );
  return ids;
}

it('[OPS-41, FIN-40] an API and a worker share one simulator, and one calendar', async () => {
  const creator = await HttpClient.signUp(api.url);
  const samples = await onSale(creator);
  const connected = await creator.post('/api/stripe/connect/create-account', {
    userId: creator.userId,
    email: creator.email,
    country: 'US',
  });
  await onboard(connected.body.url, 'completed');
  const listener = await subscribed('studio');
  await simulator.hook('advance', { days: 20 });
  const soldAt = Date.now() + 20 * DAY_MS;
  for (const sampleId of samples)
    expect((await listener.post('/api/downloads', { sampleId, expectedCredits: 50 }, keyed())).status).toBe(
      201,
    );
  const balance = () => creator.get('/api/creator/balance');
  const held = await until(balance, ({ body }) => body.totalEarningsMicroUsd === 11_993_998);
  expect(held.body).toMatchObject({ availableMicroUsd: 0, heldMicroUsd: 11_993_998 });
  await simulator.restart(2);
  await simulator.hook('advance', { days: 14.5 });
  expect((await until(balance, ({ body }) => body.availableMicroUsd > 0)).body.availableMicroUsd).toBe(
    11_993_998,
  );
  const asked = await creator.post('/api/creator/withdrawals', {}, keyed());
  expect(asked.status).toBe(201);
  await until(
    () => creator.get('/api/creator/statements'),
    ({ body }) => body.items[0]?.status === 'paid',
  );
  // The worker paid it, and both events have the simulator's date.
  const { rows } = await store.database.pool.query(
    `select type, recorded_at from event where stream = $1 order by position`,
    [`payouts-${creator.userId}`],
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const { recorded_at } of rows)
    expect(Math.abs(recorded_at.getTime() - soldAt - 14.5 * DAY_MS)).toBeLessThan(DAY_MS / 2);
});

it('[CRED-31, CRED-46] a process killed before, behind and after the charge: one charge at most, and the worker finishes what it left', async () => {
  const stripe = new Stripe('sk_test_of_the_tests', {
    host: '127.0.0.1',
    port: new URL(simulator.url).port,
    protocol: 'http',
  });
  const charged = async ({ email }: HttpClient) =>
    (await stripe.invoices.list({ status: 'paid', limit: 100 })).data
      .filter(({ customer_email }) => customer_email === email)
      .map(({ amount_paid }) => amount_paid);
  const told = async ({ userId }: HttpClient) => {
    const { rows } = await store.database.pool.query(
      `select type from event where stream = $1 and type like 'PlanChange%' order by position`,
      [`subscription-${userId}`],
    );
    return rows.map(({ type }) => type);
  };
  const left: HttpClient[] = [];
  for (const mark of MARKS) {
    const listener = await subscribed('starter');
    // Without webhooks, only the worker can finish the change.
    await simulator.hook('drop-webhooks', { times: 1_000 });
    const stopped = way.stopAt(mark);
    const cutOff = listener
      .post('/api/subscription/change', { plan: 'studio' }, keyed())
      .catch(() => undefined);
    await stopped;
    await api.kill();
    await cutOff;
    expect(await told(listener)).toEqual(['PlanChangeRequested']);
    expect(await charged(listener)).toEqual(mark === 'reserved' ? [999] : [1999, 999]);
    await api.restart();
    await simulator.hook('drop-webhooks', { times: 0 });
    left.push(listener);
  }
  // Long enough that the requests have ended. A worker sweeps as soon as it starts.
  await simulator.hook('advance', { days: 2 / 1_440 });
  await worker.kill();
  await worker.restart();
  for (const listener of left) {
    const after = await until(
      () => listener.get('/api/subscription'),
      ({ body }) => body.pendingChange === null && body.plan === 'studio',
    );
    expect(after.body).toMatchObject({ status: 'active' });
    expect(await charged(listener)).toEqual([1999, 999]);
    expect(await told(listener)).toEqual(['PlanChangeRequested', 'PlanChangeCompleted']);
  }
});
