import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { paidInvoice } from '../support/books.js';
import { recordPack } from '../support/catalogue.js';
import type { HttpClient } from '../support/http-client.js';
import { caughtUp, startTestProduct, type TestProduct } from '../support/product.js';
import { grantRoles } from '../support/staff.js';
import { purchaseOf } from '../support/stock.js';
import { LIMIT_MS } from '../support/until.js';

const SHARE = 119_880;
const PACK = 'duo';

describe('a split of a pack', () => {
  let product: TestProduct;
  let junie: HttpClient;
  let otto: HttpClient;
  let mira: HttpClient;
  let ada: HttpClient;

  const keyed = (key: string = randomUUID()) => ({ headers: { 'idempotency-key': key } });
  const propose = (body: object, { by = junie, pack = PACK, key = randomUUID() as string } = {}) =>
    by.post(`/api/creator/packs/${pack}/splits`, body, keyed(key));
  const answer = (who: HttpClient, id: string, what: string) =>
    who.post(`/api/splits/${id}/${what}`, undefined, keyed());
  const handleOf = async ({ userId }: HttpClient): Promise<string> => {
    const { pool } = product.resources.database;
    const { rows } = await pool.query('select handle from creator_profile where user_id = $1', [userId]);
    return (rows[0] as { handle: string }).handle;
  };
  /** Sells a sample, and returns what each of the three creators earned in all. */
  const sell = async (n: number) => {
    const { creditExecutor, eventStore, logSubscriptions } = product.resources;
    const { outcome } = await creditExecutor.buy(purchaseOf(ada.userId, [`${PACK}-${n}`]));
    expect(outcome.status).toBe('bought');
    const { position } = await eventStore.head();
    expect(await logSubscriptions.caughtUp(position, LIMIT_MS)).toBe(true);
    return earned();
  };
  const earned = async () => {
    const balances = await Promise.all([junie, otto, mira].map((each) => each.get('/api/creator/balance')));
    return balances.map(({ body }) => body.totalEarningsMicroUsd as number);
  };

  beforeAll(async () => {
    product = await startTestProduct();
    const { eventStore, creditExecutor, database } = product.resources;
    [junie, otto, mira, ada] = [
      await product.signedUp(),
      await product.signedUp(),
      await product.signedUp(),
      await product.signedUp(),
    ];
    for (const each of [junie, otto, mira]) await each.post('/api/creator/application', {});
    await database.pool.query(`update user_account set email_verified_at = now() where user_id = $1`, [
      mira.userId,
    ]);
    await recordPack(
      eventStore,
      { packId: PACK, creatorId: junie.userId },
      Array.from({ length: 7 }, () => ({ priceCredits: 1 })),
    );
    await creditExecutor.grantInvoice(paidInvoice(ada.userId), { correlationId: 'c' });
  });
  afterAll(() => product?.stop());

  it('[SPLIT-703] counts from the first sale after its acceptance, never before, and ends with what was earned', async () => {
    expect(await sell(0)).toEqual([SHARE, 0, 0]);
    const offered = await propose({ creator: `@${await handleOf(otto)}`, bps: 3_333 });
    expect(offered).toMatchObject({
      status: 201,
      body: { packTitle: PACK, bps: 3_333, status: 'proposed', collaborator: { id: otto.userId } },
    });
    expect(await sell(1)).toEqual([2 * SHARE, 0, 0]);
    expect(await answer(otto, offered.body.id, 'accept')).toMatchObject({
      status: 200,
      body: { status: 'accepted' },
    });
    const part = Math.floor((SHARE * 3_333) / 10_000);
    expect(await sell(2)).toEqual([3 * SHARE - part, part, 0]);
    const sales = (await otto.get('/api/creator/sales')).body.items;
    expect(sales).toMatchObject([{ sampleId: `${PACK}-2`, amountMicroUsd: part }]);
    expect((await mira.get('/api/creator/sales')).body.items).toEqual([]);
    expect((await answer(otto, offered.body.id, 'end')).body.status).toBe('ended');
    expect(await sell(3)).toEqual([4 * SHARE - part, part, 0]);
  });

  it('[SPLIT-711] leaves the creator of the pack in the certificate of a shared sale, which is valid', async () => {
    const { rows } = await product.resources.database.pool.query(
      'select certificate_id as id from owned_sample where buyer_id = $1 and sample_id = $2',
      [ada.userId, `${PACK}-2`],
    );
    const { id } = rows[0] as { id: string };
    expect((await product.browser().get(`/api/certificates/${id}/verification`)).body).toMatchObject({
      valid: true,
      certificate: { creator: { id: junie.userId } },
    });
  });

  it('[SPLIT-704] is answered by its collaborator and ended by either side; others find nothing', async () => {
    const offered = await propose({ creator: mira.email, bps: 5_000 });
    expect(offered.body).toMatchObject({ collaborator: { id: mira.userId } });
    const { id } = offered.body;
    for (const [who, what] of [
      [junie, 'accept'],
      [junie, 'decline'],
      [otto, 'accept'],
      [otto, 'end'],
    ] as const)
      expect(await answer(who, id, what)).toMatchObject({ status: 404, body: { code: 'NotFound' } });
    expect((await answer(mira, id, 'decline')).body.status).toBe('declined');
    expect((await answer(mira, id, 'decline')).status).toBe(200);
    expect(await answer(mira, id, 'accept')).toMatchObject({
      status: 409,
      body: { code: 'SplitClosed', state: 'declined' },
    });
    const again = (await propose({ creator: mira.email, bps: 1 })).body;
    expect((await answer(junie, again.id, 'end')).body.status).toBe('ended');
    expect((await answer(mira, again.id, 'accept')).status).toBe(409);
    const { items } = (await mira.get('/api/splits')).body;
    expect(items.map((split: { id: string }) => split.id)).toEqual([again.id, id]);
    const first = (await mira.get('/api/splits?limit=1')).body;
    expect((await mira.get(`/api/splits?limit=1&cursor=${first.nextCursor}`)).body.items).toEqual([items[1]]);
    expect((await junie.get(`/api/splits?packId=${PACK}`)).body.items).toHaveLength(3);
    expect((await junie.get('/api/splits?packId=other')).body.items).toEqual([]);
    expect((await ada.get('/api/splits')).status).toBe(403);
  });

  it('[SPLIT-705] is proposed once per key, to a known creator, while the parts sum to the whole', async () => {
    const key = randomUUID();
    const body = { creator: mira.email, bps: 6_000 };
    const [one, two] = [await propose(body, { key }), await propose(body, { key })];
    expect([one.status, two.status, two.body.id]).toEqual([201, 201, one.body.id]);
    expect(await propose({ ...body, bps: 1 }, { key })).toMatchObject({
      body: { code: 'IdempotencyKeyReused' },
    });
    const refused = async (asked: object, by?: object) => (await propose(asked, by)).body.code;
    expect(await refused(body)).toBe('AlreadyShared');
    expect(await refused({ creator: otto.email, bps: 100 })).toBe('CollaboratorUnknown');
    const creator = await handleOf(otto);
    expect(await propose({ creator, bps: 4_000 })).toMatchObject({
      status: 422,
      body: { code: 'SharesExceedWhole', leftBps: 3_999 },
    });
    expect(await refused({ creator: await handleOf(junie), bps: 1 })).toBe('SplitWithSelf');
    expect(await refused({ creator: 'unknown-creator', bps: 1 })).toBe('CollaboratorUnknown');
    expect(await refused({ creator, bps: 1 }, { by: otto })).toBe('NotFound');
    expect(await refused({ creator, bps: 1 }, { by: ada })).toBe('CreatorAccessRequired');
    for (const bps of [0, 10_000, 0.5]) expect(await refused({ creator, bps })).toBe('InvalidRequest');
    await product.resources.database.pool.query(
      `update session set authenticated_at = now() - interval '11 minutes' where user_id = $1`,
      [junie.userId],
    );
    expect(await refused({ creator, bps: 1 })).toBe('FreshSignInRequired');
  });

  it('[SPLIT-706] takes each share back when a shared sale is undone', async () => {
    const { database, eventStore, logSubscriptions } = product.resources;
    const { rows } = await database.pool.query(`select split_id from split where status = 'proposed'`);
    await answer(mira, (rows[0] as { split_id: string }).split_id, 'accept');
    const before = await earned();
    const part = Math.floor((SHARE * 6_000) / 10_000);
    expect(await sell(4)).toEqual([before[0]! + SHARE - part, before[1], before[2]! + part]);
    const admin = await product.signedUp();
    await grantRoles(database, admin.userId, 'admin');
    await admin.post('/api/admin/defects', { sampleId: `${PACK}-4`, reason: 'Only silence' });
    expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
    expect(await earned()).toEqual(before);
  });

  it('[SPLIT-707] adds a notice to the inbox of the other side', async () => {
    await caughtUp(product);
    const subjects = async (who: HttpClient) =>
      (await who.get('/api/inbox')).body.items.map(({ text }: { text: string }) => text);
    expect(await subjects(junie)).toContainEqual(
      expect.stringMatching(/accepted 60 % of the share of “duo”$/),
    );
    expect(await subjects(mira)).toContainEqual(
      expect.stringMatching(/^The split of 0.01 % of “duo” ended; what was earned stays$/),
    );
  });

  it('[BOOK-817] keeps its part of each sale for a collaborator who is suspended, and in the claim of a deleted account', async () => {
    const part = Math.floor((SHARE * 6_000) / 10_000);
    const [junies = 0, , miras = 0] = await earned();
    const admin = await product.signedUp();
    await grantRoles(product.resources.database, admin.userId, 'admin', 'finance');
    const suspended = await admin.post(`/api/admin/creators/${mira.userId}/suspend`, { reason: 'A copy' });
    expect(suspended.status).toBeLessThan(300);
    expect((await sell(5))[2]).toBe(miras + part);
    const erased = await mira.delete('/api/me', { claimPayout: true });
    expect(erased).toMatchObject({ status: 200, body: { claim: { owedMicroUsd: miras + part } } });
    expect((await sell(6))[0]).toBe(junies + 2 * (SHARE - part));
    expect((await admin.get('/api/finance/claims')).body.items).toMatchObject([
      { creatorId: mira.userId, owedMicroUsd: miras + 2 * part },
    ]);
  });
});
