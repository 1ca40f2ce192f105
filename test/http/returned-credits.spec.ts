import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ReturnPurchases } from '../../application/purchases/return-purchases.js';
import { recordPack } from '../support/catalogue.js';
import { paidInvoice } from '../support/books.js';
import type { HttpClient } from '../support/http-client.js';
import { balance, linesOf } from '../support/money-back.js';
import { Office } from '../support/office.js';
import { stock } from '../support/stock.js';

const office = Office.forTests();

describe('credits returned', () => {
  let creator: HttpClient;
  let samples: string[];
  const paidAt = new Date('2026-10-05T00:00:00.000Z');

  beforeEach(async () => {
    creator = await office.product.signedUp();
    const { database, creditExecutor } = office.product.resources;
    samples = await stock(database, 3, { prefix: `t${office.round}-`, creatorId: creator.userId });
    await office.store(samples);
    await creditExecutor.grantInvoice(paidInvoice(office.ada.userId, { paidAt }), { correlationId: 'c' });
    for (const sample of samples) await office.buy(office.ada, sample);
  });

  it('[ADM-30, FIN-480] of a purchase that was made good do not come back, and its creator loses the share', async () => {
    const { rows } = await office.product.resources.database.pool.query<{ purchase_id: string }>(
      'select purchase_id from owned_sample where buyer_id = $1 and sample_id = $2',
      [office.ada.userId, samples[1]],
    );
    const makesGood = rows[0]?.purchase_id;
    expect((await office.adjust(1, { valueUsdCents: 19, makesGood })).status).toBe(201);
    expect(await balance(office.ada)).toBe(48);
    await office.pia.post('/api/admin/defects', { sampleId: samples[1], reason: 'Only silence' });
    expect(await balance(office.ada)).toBe(48);
    expect(await office.accountBalance(`creator:${creator.userId}`)).toBe(-2 * 119_880);
    const again = await office.adjust(1, { valueUsdCents: 1, makesGood });
    expect(again.body).toMatchObject({ code: 'MadeGoodAlready', mostMicroUsd: 9_800 });
    expect(await office.broken()).toEqual([]);
  });

  it('[ADM-02, FIN-06] a defective sample gives back exactly what it took, once, and may be bought again', async () => {
    const income = await office.accountBalance('credits');
    const deferred = (await office.petra.get('/api/finance/trial-balance?grouped=true')).body;
    const sampleId = samples[1] as string;
    const answers = await Promise.all(
      [1, 2].map(() => office.pia.post('/api/admin/defects', { sampleId, reason: 'Only silence' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(
      (await office.pia.post('/api/admin/defects', { sampleId, reason: 'Only silence' })).body
        .purchasesReturned,
    ).toBe(0);
    expect(await balance(office.ada)).toBe(48);
    expect(await linesOf(office.ada)).toEqual([
      'refund 1',
      'download -1',
      'download -1',
      'download -1',
      'monthly_grant 50',
    ]);
    const { lots } = (await office.petra.get(`/api/finance/proof/${office.ada.userId}`)).body;
    expect(lots.find(({ lotId }: { lotId: string }) => lotId.startsWith('return-'))).toMatchObject({
      kind: 'paid',
      remainingCredits: 1,
      grantedAt: paidAt.toISOString(),
    });
    expect((await office.accountBalance('credits')) - income).toBe(199_800);
    expect(await office.accountBalance(`creator:${creator.userId}`)).toBe(-2 * 119_880);
    const after = (await office.petra.get('/api/finance/trial-balance?grouped=true')).body;
    const sum = (of: typeof after) =>
      of.accounts.find(({ account }: { account: string }) => account === 'deferred:*').creditMicroUsd;
    expect(sum(after) - sum(deferred)).toBe(199_800);
    expect(
      (await office.petra.get(`/api/finance/credit-rollforward?userId=${office.ada.userId}`)).body,
    ).toMatchObject({
      granted: 50,
      spent: 3,
      returned: 1,
      closing: 48,
    });
    expect(await office.broken()).toEqual([]);
    expect((await office.buy(office.ada, sampleId)).body).toMatchObject({ charged: 1, balance: 47 });
    expect(await office.broken()).toEqual([]);
  });

  it('[FIN-18] returned and bought again, read models are what a refold gives', async () => {
    await office.pia.post('/api/admin/defects', { sampleId: samples[0], reason: 'Only silence' });
    const downloads = (await office.ada.get('/api/library/downloads')).body.items;
    expect(downloads).toHaveLength(2);
    await office.buy(office.ada, samples[0] as string);
    expect((await office.ada.get('/api/library/downloads')).body.items).toHaveLength(3);
    expect(await office.broken()).toEqual([]);
  });

  it('[ADM-02] a takedown blocks the bytes, keeps certificates and gives every buyer the credits back, once', async () => {
    const { database, eventStore, storage, creditExecutor } = office.product.resources;
    const packId = randomUUID();
    const ids = [randomUUID(), randomUUID()];
    await recordPack(
      eventStore,
      { packId, creatorId: creator.userId },
      ids.map((sampleId) => ({ sampleId })),
    );
    const { rows } = await database.pool.query(`select original_key from sample where pack_id = $1`, [
      packId,
    ]);
    for (const { original_key } of rows)
      await storage.put(original_key, Buffer.from('x'), { contentType: 'audio/wav' });
    await database.pool.query(
      `update sample set original_bytes = 1, original_sha256 = encode(sha256('x'), 'hex') where pack_id = $1`,
      [packId],
    );
    const ben = await office.product.signedUp();
    await creditExecutor.grantInvoice(paidInvoice(ben.userId), { correlationId: 'c' });
    const bought = await office.buy(office.ada, ids[0] as string);
    for (const id of ids) await office.buy(ben, id);
    const income = await office.accountBalance('credits');

    const answer = await office.pia.post('/api/admin/takedowns', { packId, reason: 'Not theirs to sell' });
    expect([answer.status, answer.body]).toEqual([
      201,
      { packId, status: 'taken_down', purchasesReturned: 3, purchasesWaiting: 0 },
    ]);
    expect([await balance(office.ada), await balance(ben)]).toEqual([47, 50]);
    const again = await office.pia.post('/api/admin/takedowns', { packId, reason: 'Not theirs to sell' });
    expect([again.status, again.body.purchasesReturned]).toEqual([201, 0]);
    expect([await balance(office.ada), await balance(ben)]).toEqual([47, 50]);
    expect((await office.accountBalance('credits')) - income).toBe(3 * 199_800);

    expect((await office.buy(office.ada, ids[0] as string)).status).toBe(410);
    expect((await office.ada.get(`/api/certificates/${bought.body.certificateId}`)).status).toBe(200);
    for (const path of [`/api/samples/${ids[0]}`, `/api/samples/${ids[0]}/similar`])
      expect(await office.ada.get(path)).toMatchObject({ status: 410, body: { code: 'TakenDown' } });
    const gone = (
      await database.pool.query(
        `select handle, slug, cover_key, preview_key from pack left join creator_profile on user_id = creator_id
           join sample using (pack_id) where pack_id = $1 limit 1`,
        [packId],
      )
    ).rows[0];
    const visitor = office.product.browser();
    for (const path of [`/${gone.preview_key}`])
      expect([path, await visitor.get(path)]).toMatchObject([
        path,
        { status: 410, body: { code: 'TakenDown' } },
      ]);
    expect(await office.broken()).toEqual([]);
  });

  it('[ADM-02] a purchase made in the moment of a takedown is undone by the sweep', async () => {
    await office.product.resources.database.pool.query(
      `update sample set taken_down = true where sample_id = $1`,
      [samples[2]],
    );
    const returns = office.product.app.get(ReturnPurchases, { strict: false });
    expect([await returns.sweep(), await balance(office.ada)]).toEqual([1, 48]);
    expect([await returns.sweep(), await balance(office.ada)]).toEqual([0, 48]);
  });

  it('[ADM-02] a takedown is refused for a pack that is not there, and without a reason', async () => {
    expect(
      (await office.pia.post('/api/admin/takedowns', { packId: 'nothing', reason: 'Whatever' })).status,
    ).toBe(404);
    expect((await office.pia.post('/api/admin/takedowns', { packId: 'nothing' })).status).toBe(400);
  });
});
