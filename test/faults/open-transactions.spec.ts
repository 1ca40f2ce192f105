import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { OutgoingCalls } from '../../adapters/platform/observability/call-durations.js';
import { ObjectSweep } from '../../application/storage/object-sweep.js';
import type { ObjectStorage } from '../../application/storage/object-storage.js';
import { PaymentSweep } from '../../application/subscriptions/follow-subscription.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { MailServer } from '../support/mail-server.js';
import { balance, refundBy, comesTo } from '../support/money-back.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { draftPack, upload, wav } from '../support/publishing.js';
import { sellTo } from '../support/sales.js';
import { signedUpAs } from '../support/staff.js';
import { onboard, press } from '../support/stripe.js';
import { LIMIT_MS } from '../support/until.js';

/** How often `hold` checks whether earlier transactions have ended. */
const LOOKS = 1_000;
const LOOK_MS = 20;

const mails = new MailServer();
let behind: TestDatabase;
let product: TestProduct;

/** Calls that were delayed, with the statements whose transactions stayed open meanwhile. */
const held = new Map<string, string[]>();

/** Delays a call until every transaction that is open and idle now has ended. */
async function hold(what: string): Promise<void> {
  const left = held.get(what) ?? [];
  held.set(what, left);
  const { pool } = behind.database;
  const since = (await pool.query<{ now: string }>('select clock_timestamp()::text as now')).rows[0]?.now;
  let open: { query: string }[] = [];
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const found = await pool.query<{ query: string }>(
      `select query from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%' and xact_start < $1`,
      [since],
    );
    open = found.rows;
    if (open.length === 0) return;
    await pause(LOOK_MS);
  }
  left.push(...open.map(({ query }) => query));
}

beforeAll(async () => {
  // Set before any client exists: all calls of Stripe and the mail server go through these.
  const { to } = OutgoingCalls.prototype;
  jest.spyOn(OutgoingCalls.prototype, 'to').mockImplementation(function (this: OutgoingCalls, service) {
    const observe = to.call(this, service);
    return (operation, call, statusOf) =>
      observe(operation, () => hold(`${service} ${operation}`).then(call), statusOf);
  });
  behind = await startTestDatabase();
  const started = await startTestProduct({
    DATABASE_URL: behind.url,
    SMTP_URL: await mails.start(),
    // A delayed call must not time out.
    STRIPE_TIMEOUT_MS: '60000',
    STRIPE_PAYMENT_TIMEOUT_MS: '60000',
  });
  product = { ...started, signedUp: () => signedUp(started) };
  const { storage } = product.resources;
  for (const name of ['put', 'get', 'head', 'list', 'copy', 'delete'] as const) {
    const ask = storage[name].bind(storage) as (...given: unknown[]) => Promise<never>;
    jest
      .spyOn(storage as ObjectStorage, name)
      .mockImplementation(async (...given: unknown[]) => (await hold(`storage ${name}`), ask(...given)));
  }
});
afterAll(async () => {
  await product?.stop();
  await mails.stop();
  await behind?.close();
  jest.restoreAllMocks();
});

/** Signs up through the link in the mail, because there is a mail server. */
async function signedUp({ browser }: TestProduct): Promise<HttpClient> {
  const client = browser();
  const [email, password] = [`${randomUUID()}@example.com`, 'a fine pass phrase'];
  expect(
    (await client.post('/api/auth/sign-up', { email, password, displayName: email.slice(0, 8) })).status,
  ).toBe(201);
  const mail = () => mails.mails.find((each) => each.includes(`To: ${email}`));
  await comesTo(async () => mail() !== undefined, true);
  const token = /verify=3D([\w-]+(?:=\n[\w-]+)*)/.exec(mail() ?? '')?.[1]?.replaceAll('=\n', '');
  expect((await client.post('/api/auth/verify-email', { token })).status).toBe(204);
  const { body } = await client.post('/api/auth/sign-in', { email, password });
  return Object.assign(client, { email, userId: body.user.id as string });
}

const followed = async () => {
  const { eventStore, logSubscriptions } = product.resources;
  expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
};
const creator = async (): Promise<HttpClient> => {
  const client = await product.signedUp();
  expect((await client.post('/api/creator/application')).status).toBe(201);
  return client;
};

it('[OPS-315] no transaction stays open while Stripe, the storage or the mail server is asked', async () => {
  // Subscribes, changes the plan up and down, cancels and gets a refund.
  const listener = await product.signedUp();
  const { body } = await listener.post('/api/stripe/create-checkout-session', { plan: 'starter' });
  await press(body.url, { outcome: 'paid' });
  await comesTo(() => balance(listener), 50);
  const change = (path: string, what: object) => listener.post(`/api/subscription/${path}`, what, keyed());
  for (const [path, what] of [
    ['change', { plan: 'studio' }],
    ['change', { plan: 'starter' }],
    ['pending/withdraw', {}],
    ['cancel', {}],
  ] as const)
    expect([path, (await change(path, what)).status]).toEqual([path, 200]);
  await comesTo(() => balance(listener), 200);
  await product.app.get(PaymentSweep, { strict: false }).run();
  const pia = await signedUpAs(product, 'admin');
  const { rows } = await behind.database.pool.query<{ id: string }>(
    `select data->'invoice'->>'invoiceId' as id from event where type = 'CreditsGranted' and stream = $1
      order by position limit 1`,
    [`credits-${listener.userId}`],
  );
  expect((await refundBy(pia, rows[0]?.id as string)).status).toBe(201);

  // Pays out.
  const seller = await creator();
  const account = { userId: seller.userId, email: seller.email, country: 'US' };
  const onboarding = await seller.post('/api/stripe/connect/create-account', account);
  await onboard(onboarding.body.url, 'completed');
  expect((await seller.get(`/api/stripe/connect/status/${seller.userId}`)).status).toBe(200);
  await sellTo(product, seller);
  await product.resources.stripeSimulator?.advance(20);
  expect((await seller.post('/api/creator/withdrawals', {}, keyed())).status).toBe(201);
  await followed();

  // Uploads, publishes, downloads, replaces, removes and sweeps.
  const studio = await creator();
  const { id } = await draftPack(studio);
  const samples = `/api/creator/packs/${id}/samples`;
  const added = await upload(studio, samples, { bytes: wav(), name: 'Hum.wav' });
  expect(added.status).toBe(201);
  expect((await studio.post(`/api/creator/packs/${id}/publish`, {})).status).toBeLessThan(300);
  const sampleId = added.body.sample.id as string;
  const fetched = await studio.post('/api/downloads', { sampleId, expectedCredits: 0 }, keyed(randomUUID()));
  expect(fetched.status).toBeLessThan(300);
  expect((await fetch(product.url + added.body.sample.previewUrl)).status).toBe(200);
  expect((await studio.post('/api/me/exports')).status).toBe(202);
  await comesTo(async () => (await studio.get('/api/me/exports')).body.items[0].state, 'ready');
  expect((await studio.delete(`/api/creator/packs/${id}`)).status).toBeLessThan(300);
  await product.app.get(ObjectSweep, { strict: false }).run();
  await followed();
  await comesTo(async () => mails.mails.some((mail) => /copy of your data/i.test(mail)), true);

  const stored = ['delete', 'get', 'head', 'list', 'put'].map((what) => `storage ${what}`);
  const paid = ['accounts', 'checkout/sessions', 'refunds', 'transfers'].map(
    (what) => `stripe POST /v1/${what}`,
  );
  expect(['smtp send', ...stored, ...paid].filter((what) => !held.has(what))).toEqual([]);
  expect([...held].filter(([, statements]) => statements.length > 0)).toEqual([]);
});
