import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { CreatorSalesQueries } from '../../adapters/payouts/creator-sales.js';
import { PostgresReach } from '../../adapters/catalogue/postgres-reach.js';
import type { ReachedSample, SoldGroup } from '../../application/payouts/contract.js';
import { recordPack } from '../support/catalogue.js';
import { paidInvoice } from '../support/books.js';
import type { HttpClient } from '../support/http-client.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';
import { grantRoles } from '../support/staff.js';

const DAY_MS = 86_400_000;
const SHARE = 119_880;

describe('what a creator sold', () => {
  let product: TestProduct;
  let junie: HttpClient;
  let ada: HttpClient;
  let nameless: HttpClient;
  let samples: string[];

  const buy = async (who: HttpClient, n: number) => {
    const body = { sampleId: samples[n], expectedCredits: 1 };
    const { status } = await who.post('/api/downloads', body, {
      headers: { 'idempotency-key': randomUUID() },
    });
    expect(status).toBe(201);
  };
  const counted = async () => {
    const { logSubscriptions, eventStore } = product.resources;
    expect(await logSubscriptions.caughtUp((await eventStore.head()).position, 10_000, ['earnings'])).toBe(
      true,
    );
  };
  /** Moves the rows of past sales back in time, because the clock continues for later sales. */
  const ageSales = (days: number) =>
    product.resources.database.pool.query(`update earning set at = at - make_interval(days => $1::int)`, [
      days,
    ]);
  const sales = async (query = '') => (await junie.get(`/api/creator/sales${query}`)).body;
  const dashboard = async (who = junie) => (await who.get('/api/creator/dashboard')).body;

  beforeAll(async () => {
    product = await startTestProduct();
    [junie, ada, nameless] = [await product.signedUp(), await product.signedUp(), await product.signedUp()];
    await junie.post('/api/creator/application', {});
    const { database, storage, creditExecutor } = product.resources;
    breaksBooks(database, 'sales are aged in their read model', ['earnings']);
    samples = await stock(database, 12, { creatorId: junie.userId });
    for (const id of samples)
      await storage.put(`Users/x/${id}`, Buffer.from('x'), { contentType: 'audio/wav' });
    await ada.patch('/api/me', { displayName: 'Ada Loop' });
    await database.pool.query(`update user_account set display_name = ' ' where user_id = $1`, [
      nameless.userId,
    ]);
    for (const buyer of [ada, nameless])
      await creditExecutor.grantInvoice(paidInvoice(buyer.userId), { correlationId: 'c' });
  });
  afterAll(() => product.stop());

  it('starts at nothing: every day of the period is there, and no sale', async () => {
    for (const [period, days] of Object.entries({ week: 7, month: 30, '3months': 90, year: 365 })) {
      const { points, items, totalEarningsMicroUsd } = await sales(`?period=${period}`);
      expect(points).toHaveLength(days);
      expect(points.at(-1)).toEqual({
        date: new Date().toISOString().slice(0, 10),
        downloads: 0,
        revenueMicroUsd: 0,
      });
      expect([items, totalEarningsMicroUsd]).toEqual([[], 0]);
    }
    expect((await sales()).points).toHaveLength(7);
    expect((await junie.get('/api/creator/sales?period=decade')).status).toBe(400);
  });

  it('[SALE-06] tells a sale with its buyer by name, or by the start of the id', async () => {
    await buy(ada, 0);
    await buy(nameless, 0);
    await counted();
    const { items, points } = await sales();
    expect(items).toEqual([
      {
        id: expect.any(String),
        buyerName: `User ${nameless.userId.slice(0, 8)}`,
        createdAt: expect.stringMatching(/Z$/),
        sampleId: samples[0],
        packTitle: 'Pack',
        country: null,
        sampleTitle: samples[0],
        creditsUsed: 1,
        amountMicroUsd: SHARE,
        heldUntil: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ buyerName: 'Ada L.' }),
    ]);
    expect(points.at(-1)).toMatchObject({ downloads: 2, revenueMicroUsd: 2 * SHARE });
  });

  it('[SALE-751] shows no name of a buyer who hides it', async () => {
    const names = async () =>
      ((await sales()).items as { buyerName: string }[]).map(({ buyerName }) => buyerName);
    expect((await ada.get('/api/me/buyer-name')).body).toEqual({ isHidden: false });
    expect((await ada.put('/api/me/buyer-name', { isHidden: true })).body).toEqual({ isHidden: true });
    expect(await names()).toContain(`User ${ada.userId.slice(0, 8)}`);
    expect((await ada.put('/api/me/buyer-name', { isHidden: false })).status).toBe(200);
    expect(await names()).toContain('Ada L.');
    expect((await product.browser().put('/api/me/buyer-name', { isHidden: true })).status).toBe(401);
  });

  it('[PAY-07] holds a share for 14 days, then it is available', async () => {
    const sum = { totalEarningsMicroUsd: 2 * SHARE };
    expect(await sales()).toMatchObject({ ...sum, availableMicroUsd: 0, heldMicroUsd: 2 * SHARE });
    const held = async () =>
      (await sales()).items.filter(({ heldUntil }: { heldUntil: string | null }) => heldUntil);
    await ageSales(13);
    expect(await sales()).toMatchObject({ ...sum, availableMicroUsd: 0, heldMicroUsd: 2 * SHARE });
    expect(await held()).toHaveLength(2);
    await ageSales(2);
    expect(await sales()).toMatchObject({ ...sum, availableMicroUsd: 2 * SHARE, heldMicroUsd: 0 });
    expect(await held()).toEqual([]);
  });

  it('[DASH-04] compares the last 30 days with the 30 before', async () => {
    await ageSales(25); // 40 days ago now
    for (const n of [1, 2, 3]) await buy(ada, n);
    await counted();
    const seen = await dashboard();
    expect(seen).toMatchObject({
      salesMicroUsd: { current: 3 * SHARE, previous: 2 * SHARE },
      downloads: { current: 3, previous: 2 },
      creditsUsed: { current: 3, previous: 2 },
      availableMicroUsd: 2 * SHARE,
    });
    expect(seen.points).toHaveLength(30);
    expect(seen.activity.map(({ sampleId }: { sampleId: string }) => sampleId)).toEqual(
      [3, 2, 1, 0, 0].map((n) => samples[n]),
    );
    await ageSales(30);
    expect((await dashboard()).downloads).toEqual({ current: 0, previous: 3 });
  });

  it('[DASH-04] counts packs that are published, and that were 30 days ago', async () => {
    const { database, eventStore } = product.resources;
    await recordPack(eventStore, { packId: randomUUID(), creatorId: junie.userId }, [
      { sampleId: randomUUID() },
    ]);
    await recordPack(eventStore, { packId: randomUUID(), creatorId: junie.userId }, [], { draft: true });
    expect((await dashboard()).activePacks).toEqual({ current: 2, previous: 0 });
    const reader = new CreatorSalesQueries(database);
    const later = new Date(Date.now() + 31 * DAY_MS);
    expect((await reader.compared(junie.userId, 30, later)).activePacks).toEqual({ current: 2, previous: 1 });
  });

  it('[RIGHT-760] counts samples by origin and licences, one’s own only', async () => {
    const { pool } = product.resources.database;
    await pool.query(`update sample set origin = 'recorded' where sample_id = $1`, [samples[0]]);
    const { rows } = await pool.query<{ held: number }>(
      `select count(*)::int as held from owned_sample where creator_id = $1 and returned_at is null`,
      [junie.userId],
    );
    const { origins, licences } = (await junie.get('/api/creator/rights')).body;
    expect(origins).toContainEqual({ origin: 'recorded', samples: 1 });
    expect(origins.length).toBeGreaterThan(1);
    expect(licences).toBe(rows[0]?.held);
    expect(licences).toBeGreaterThan(0);
    expect((await ada.get('/api/creator/rights')).body).toEqual({ origins: [], licences: 0 });
  });

  it('[SALE-750] sums by sample, pack and day, beside an equally long earlier period, and as a file', async () => {
    const { pool } = product.resources.database;
    const [now, earlier] = ['2026-03-10', '2026-02-10'];
    // Three sales of this year's March, and two of the February before: of the same sample, as is one of the three.
    await pool.query(
      `update earning set at = (case when sample_id = $1 then $2 else $3 end || ' 23:30+00')::timestamptz`,
      [samples[0], earlier, now],
    );
    await pool.query(`update earning set at = '2026-03-09 00:10+00' where sample_id = $1`, [samples[3]]);
    await ada.post('/api/library/saved', { id: samples[1], type: 'sample' });
    const report = async (search: string, who = junie) => who.get(`/api/creator/sales/report?${search}`);
    const days = 'from=2026-03-09&to=2026-03-10&before=2026-02-09';
    const bySample = (await report(`${days}&by=sample`)).body;
    expect(
      bySample.items.map(({ id, downloads, shareMicroUsd, previous }: SoldGroup) => [
        id,
        downloads,
        shareMicroUsd,
        previous?.downloads,
      ]),
    ).toEqual([
      ...[samples[1], samples[2], samples[3]].sort().map((id) => [id, 1, SHARE, 0]),
      [samples[0], 0, 0, 2],
    ]);
    expect(bySample.totals).toEqual({
      downloads: 3,
      creditsUsed: 3,
      shareMicroUsd: 3 * SHARE,
      previous: { downloads: 2, creditsUsed: 2, shareMicroUsd: 2 * SHARE },
    });
    const first = (await report(`${days}&limit=3`)).body;
    const rest = (await report(`${days}&limit=3&cursor=${first.nextCursor}`)).body;
    expect([...first.items, ...rest.items]).toEqual(bySample.items);
    expect([rest.totals, rest.nextCursor]).toEqual([bySample.totals, null]);
    const byDay = (await report(`${days}&by=day`)).body.items as SoldGroup[];
    expect(byDay.map(({ title, downloads, previous }) => [title, downloads, previous?.downloads])).toEqual([
      ['2026-03-09', 1, 0],
      ['2026-03-10', 2, 2],
    ]);
    const alone = (await report('from=2026-03-10&to=2026-03-10&by=pack')).body;
    expect(alone).toMatchObject({
      items: [{ title: 'Pack', downloads: 2, previous: null, heardBy: null }],
      totals: { downloads: 2, previous: null },
    });
    const file = await junie.get(`/api/creator/sales/report.csv?${days}&by=day`);
    expect(file.body.split('\r\n').slice(0, 2)).toEqual([
      'day,title,pack,sold,credits,share_usd,sold_before,credits_before,share_usd_before,heard_by,saved_by',
      '2026-03-09,2026-03-09,,1,1,0.119880,0,0,0.000000,,',
    ]);
    expect((await report('from=2026-03-10&to=2026-03-09')).status).toBe(400);
    expect((await report('from=2025-03-01&to=2026-03-10')).status).toBe(400);
    await pool.query(`update earning set at = now() - interval '70 days'`);
  });

  it('[STAT-800] counts views, plays, saves and sales per sample, one’s own not, and pages them', async () => {
    const { pool } = product.resources.database;
    const reach = product.app.get(PostgresReach, { strict: false });
    await reach.write();
    await pool.query('delete from sample_reach');
    const [first, second] = samples as [string, string];
    for (const who of [ada, nameless, product.browser(), junie]) await who.get(`/api/samples/${first}`);
    await ada.get(`/api/samples/${second}`);
    expect(
      (await ada.post('/api/library/history', { id: first, title: 'A', artist: 'Junie' })).status,
    ).toBeLessThan(300);
    // Saving it again is no second save.
    for (let time = 0; time < 2; time += 1)
      expect((await ada.put(`/api/library/saved/${first}`, { type: 'sample' })).status).toBeLessThan(300);
    const { rows } = await pool.query('select count(*)::int as rows from sample_reach');
    expect(rows).toEqual([{ rows: 0 }]);
    await reach.write();
    await reach.write();
    const today = new Date(product.resources.clock.now()).toISOString().slice(0, 10);
    const days = `from=${today}&to=${today}`;
    const read = async (more = '', who = junie) =>
      (await who.get(`/api/creator/sales/reach?${days}${more}`)).body;
    const whole = await read();
    const steps = (id: string) =>
      whole.items.flatMap(({ id: of, views, plays, saves }: ReachedSample) =>
        of === id ? [[views, plays, saves]] : [],
      );
    expect([steps(first), steps(second)]).toEqual([[[3, 1, 1]], [[1, 0, 0]]]);
    const page = await read('&limit=1');
    const next = await read(`&limit=1&cursor=${page.nextCursor}`);
    expect([...page.items, ...next.items]).toEqual(whole.items.slice(0, 2));
    const file = (await junie.get(`/api/creator/sales/reach.csv?${days}`)).body as string;
    expect(file.split('\r\n')[0]).toBe('sample,title,pack,views,plays,saves,sold');
    expect(file).toContain(`${first},`);
    expect((await junie.get(`/api/creator/sales/reach?from=${today}&to=2020-01-01`)).status).toBe(400);
    expect((await product.browser().get(`/api/creator/sales/reach?${days}`)).status).toBe(401);
    // The sales of the test before count, too. They are 70 days old.
    const dayAgo = (days: number) =>
      new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
    const before = `from=${dayAgo(71)}&to=${dayAgo(69)}`;
    const sold = (await junie.get(`/api/creator/sales/reach?${before}`)).body;
    expect(sold.items[0].downloads).toBeGreaterThan(0);
  });

  it('[STAT-801] names a search once it found a creator three times, and nothing that may name a person', async () => {
    const reach = product.app.get(PostgresReach, { strict: false });
    const sounds = samples.slice(0, 2).map((id) => ({ id, creatorId: junie.userId }));
    const search = (words: string, times: number, by?: string) => {
      for (let time = 0; time < times; time += 1) reach.shown(sounds, by, words);
    };
    search('  Dusty   BREAK ', 2);
    search('dusty break', 1);
    search('rare words', 2);
    search('ada@example.com', 5);
    search('mine', 5, junie.userId);
    await reach.write();
    const today = new Date(product.resources.clock.now()).toISOString().slice(0, 10);
    const found = await junie.get(`/api/creator/sales/searches?from=${today}&to=${today}`);
    expect(found.body).toEqual({ items: [{ term: 'dusty break', finds: 3 }] });
  });

  it('leaves out sales that were undone', async () => {
    const admin = await product.signedUp();
    await grantRoles(product.resources.database, admin.userId, 'admin');
    const before = await sales('?period=year');
    await buy(ada, 5);
    await admin.post('/api/admin/defects', { sampleId: samples[5], reason: 'Only silence' });
    await counted();
    expect(await sales('?period=year')).toEqual(before);
  });

  it('pages through the sales, newest first', async () => {
    await buy(ada, 6);
    await counted();
    const first = await sales('?limit=2');
    const second = await sales(`?limit=2&cursor=${first.nextCursor}`);
    const all = (await sales()).items;
    expect([...first.items, ...second.items]).toEqual(all.slice(0, 4));
    expect(all[0].sampleId).toBe(samples[6]);
  });

  it('[DASH-08] shows nobody else’s figures, and nothing to visitors', async () => {
    expect(await dashboard(ada)).toMatchObject({ downloads: { current: 0, previous: 0 }, activity: [] });
    expect((await product.browser().get('/api/creator/dashboard')).status).toBe(401);
    expect((await ada.get('/api/creator/sales')).status).toBe(403);
    await ada.post('/api/creator/application', {});
    expect((await ada.get('/api/creator/sales')).body).toMatchObject({ totalEarningsMicroUsd: 0, items: [] });
  });
});
