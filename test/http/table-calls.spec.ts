import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';

let product: TestProduct;
let samples: string[];

beforeAll(async () => {
  product = await startTestProduct({ AUTO_APPROVE_CREATORS: 'off' });
  samples = await stock(product.resources.database, 3, { prefix: 't-' });
  for (const id of samples)
    await product.resources.storage.put(`Users/x/${id}`, Buffer.from('RIFF'), { contentType: 'audio/wav' });
});
afterAll(() => product?.stop());

const sql = (text: string, values: unknown[]) => product.resources.database.pool.query(text, values);
const buy = (who: HttpClient, sampleId: string) =>
  who.post('/api/downloads', { sampleId, expectedCredits: 1 }, keyed());
const credit = (who: HttpClient, credits: number) =>
  product.resources.creditExecutor.grantPromotion(
    { userId: who.userId, grantId: randomUUID(), credits, grantedAt: new Date() },
    { correlationId: 'test' },
  );

describe('the calls that clients made to tables', () => {
  it.each([
    ['profiles', 'GET /api/auth/session', 'PATCH /api/me'],
    ['creator_profiles', 'GET /api/creators/:handle', 'GET /api/creator/profile', 'PUT /api/creator/profile'],
    ['subscriptions', 'GET /api/subscription'],
    ['credit_balance, get_user_credit_balance', 'GET /api/credits'],
    ['credit_ledger', 'GET /api/credits/ledger'],
    ['credit_transfers', 'GET /api/creator/sales'],
    ['downloads', 'GET /api/library/downloads', 'POST /api/library/downloads/import'],
    [
      'saved',
      'GET /api/library/saved',
      'PUT /api/library/saved/:itemId',
      'DELETE /api/library/saved/:itemId',
    ],
    ['deduct_credits', 'POST /api/credits/purchase', 'POST /api/downloads'],
  ])('[API-08] %s have REST routes', (_, ...wanted) => {
    const keys: string[] = ENDPOINTS.map(({ key }) => key);
    expect(wanted.filter((route) => !keys.includes(route))).toEqual([]);
  });

  it('[API-08] none of the writing routes sets a balance, verified or is_creator', async () => {
    const eve = await product.signedUp();
    const claims = {
      balance: 999,
      credits: 999,
      credit_balance: 999,
      verified: true,
      isCreator: true,
      is_creator: true,
      status: 'approved',
      roles: ['admin', 'finance'],
    };
    const plausible = {
      displayName: 'Eve',
      name: 'Eve',
      bio: '',
      type: 'sample',
      title: 'x',
      items: [],
      email: eve.email,
    };
    const writes = ENDPOINTS.filter(
      ({ method, path }) =>
        method !== 'GET' &&
        !/\/auth\/|stripe\/webhook|mailing-list|media/.test(path) &&
        !(method === 'DELETE' && path === '/api/me'),
    );
    expect(writes.length).toBeGreaterThan(30);
    for (const { method, path } of writes) {
      const at = path.replaceAll(/:\w+/g, eve.userId);
      for (const body of [claims, { ...plausible, ...claims }]) await eve.call(method, at, body, keyed());
      await eve.call(
        method,
        `${at}?${new URLSearchParams({ balance: '999', is_creator: 'true' })}`,
        plausible,
        keyed(),
      );
    }
    const { user } = (await eve.get('/api/auth/session')).body;
    expect([user.isCreator, user.roles]).toEqual([false, []]);
    expect((await eve.get('/api/credits')).body.balance).toBe(0);
    expect((await eve.get('/api/creator')).body.status).not.toBe('approved');
    const lines = await sql('select 1 from credit_line where user_id = $1', [eve.userId]);
    expect(lines.rowCount).toBe(0);
  });
});

describe('somebody who is signed in', () => {
  it('[ROLE-02] may save, remove, download with credits, subscribe, use library and settings', async () => {
    const noor = await product.signedUp();
    await credit(noor, 2);
    const item = `/api/library/saved/${samples[0]}`;
    const calls: [string, Promise<{ status: number }>][] = [
      ['save', noor.put(item, { type: 'sample', title: 'x' })],
      ['library', noor.get('/api/library/saved')],
      ['download', buy(noor, samples[0] as string)],
      ['downloads', noor.get('/api/library/downloads')],
      ['history', noor.post('/api/library/history', { id: 'a', title: 'a', artist: 'a' })],
      ['subscribe', noor.post('/api/stripe/create-checkout-session', { plan: 'starter' })],
      ['settings', noor.patch('/api/me', { displayName: 'Noor' })],
      ['subscription', noor.get('/api/subscription')],
      ['credits', noor.get('/api/credits/ledger')],
    ];
    for (const [what, call] of calls)
      expect([what, Math.floor((await call).status / 100)]).toEqual([what, 2]);
    expect((await noor.delete(item)).status).toBe(204);
  });

  it('[ROLE-02] has a profile from the first look-up on, and is no creator', async () => {
    const noor = await product.signedUp();
    const { user } = (await noor.get('/api/auth/session')).body;
    expect(user).toMatchObject({
      id: noor.userId,
      displayName: expect.any(String),
      isCreator: false,
      roles: [],
    });
    expect((await noor.get('/api/creator')).body.status).toBe('none');
    const statuses = await sql('select 1 from creator_standing where user_id = $1', [noor.userId]);
    expect(statuses.rowCount).toBe(0);
  });
});

describe('the list of downloads', () => {
  it('[DL-11] has one row a sample: a further download refreshes it', async () => {
    const noor = await product.signedUp();
    await credit(noor, 2);
    for (const id of [samples[1], samples[2]]) await buy(noor, id as string);
    const rows = async () => (await noor.get('/api/library/downloads')).body.items;
    const before = await rows();
    expect(before.map((row: { sampleId: string }) => row.sampleId)).toEqual([samples[2], samples[1]]);
    expect((await buy(noor, samples[1] as string)).body.charged).toBe(0);
    const after = await rows();
    expect(after.map((row: { sampleId: string }) => row.sampleId)).toEqual([samples[1], samples[2]]);
    expect(after[0].id).toBe(before[1].id);
    expect(after[0].createdAt > before[1].createdAt).toBe(true);
  });

  it('[DL-11] has no row for what was refused', async () => {
    const poor = await product.signedUp();
    expect((await buy(poor, samples[0] as string)).status).toBe(402);
    expect((await poor.get('/api/library/downloads')).body.items).toEqual([]);
  });
});
