import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PlanChanges } from '../../application/subscriptions/plan-changes.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { wavOf } from '../support/wav.js';

let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct();
}, 60_000);

afterAll(() => product?.stop());

async function until<Value>(
  read: () => Promise<Value>,
  holds: (value: Value) => boolean,
  limitMs = 10_000,
): Promise<Value> {
  for (const end = Date.now() + limitMs; ; await pause(50)) {
    const value = await read();
    if (holds(value) || Date.now() > end) return value;
  }
}

it('[SET-09] erasing a person ends their plan, takes their packs off sale and keeps the books', async () => {
  const ada = await product.signedUp('ada@example.com');
  await ada.patch('/api/me', { displayName: 'Ada Lovelace' });
  await ada.post('/api/creator/application', {});
  const packId = (await ada.post('/api/creator/packs', { name: 'Kicks', genre: 'Trap', mood: 'Dark' })).body
    .id;
  const form = new FormData();
  form.set('meta', JSON.stringify({ name: 'Kick', bpm: 120 }));
  form.set(
    'audio',
    new Blob([new Uint8Array(wavOf({ seconds: 1, hertz: 440, rateHz: 8_000 }))]),
    'Kick_120bpm.wav',
  );
  const uploaded = await ada.post(`/api/creator/packs/${packId}/samples`, undefined, { raw: form });
  expect(uploaded.status).toBe(201);
  expect((await ada.post(`/api/creator/packs/${packId}/publish`, {})).status).toBeLessThan(300);
  const sampleId = uploaded.body.sample.id;
  expect((await product.browser().get(`/api/samples/${sampleId}`)).status).toBe(200);

  const checkout = await ada.post('/api/stripe/create-checkout-session', { plan: 'starter' });
  await fetch(checkout.body.url, { method: 'POST', body: new URLSearchParams({ outcome: 'paid' }) });
  const subscription = () => ada.get('/api/subscription');
  const paid = await until(subscription, ({ body }) => body.status === 'active');
  expect(paid.body.status).toBe('active');

  // A plan that is just being changed cannot be ended; nobody is erased while it would be billed on.
  const changes = product.app.get(PlanChanges, { strict: false });
  await changes.reserve(ada.userId, { type: 'ChangePlan', plan: 'studio' }, 'a change');
  expect(await ada.delete('/api/me')).toMatchObject({ status: 409, body: { code: 'ChangePending' } });
  await changes.sweep(0);

  expect((await ada.delete('/api/me')).status).toBe(204);
  const { pool } = product.resources.database;
  const canceled = await pool.query(
    `select type from event where stream = $1 and type ~ 'Cancel' order by position`,
    [`subscription-${ada.userId}`],
  );
  expect(canceled.rowCount).toBeGreaterThan(0);
  const shelf = await until(
    () => product.browser().get(`/api/samples/${sampleId}`),
    ({ status }) => status === 404,
  );
  expect(shelf.status).toBe(404);
  const books = await pool.query('select data::text || metadata::text as text from event');
  expect(books.rows.some(({ text }) => text.includes(ada.userId))).toBe(true);
  expect(books.rows.some(({ text }) => /ada@example\.com|lovelace/i.test(text))).toBe(false);
}, 60_000);
