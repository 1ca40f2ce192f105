import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Metrics } from '../../adapters/platform/observability/metrics.js';
import { StorageUnavailable } from '../../application/storage/object-storage.js';
import type { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';

const BYTES = Buffer.from('RIFF the very bytes of the original');

describe('buying and downloading over HTTP', () => {
  let product: TestProduct;
  let creator: HttpClient;
  let ada: HttpClient;
  let samples: string[];
  let round = 0;

  beforeAll(async () => {
    product = await startTestProduct();
    creator = await product.signedUp();
  });
  afterAll(() => product.stop());
  beforeEach(async () => {
    round += 1;
    const { database, storage } = product.resources;
    samples = await stock(database, 5, { prefix: `r${round}-`, creatorId: creator.userId, priceCredits: 2 });
    for (const id of samples) await storage.put(`Users/x/${id}`, BYTES, { contentType: 'audio/wav' });
    ada = await product.signedUp();
    await credit(ada, 5);
  });

  const credit = (who: HttpClient, credits: number) =>
    product.resources.creditExecutor.grantPromotion(
      { userId: who.userId, grantId: randomUUID(), credits, grantedAt: new Date() },
      { correlationId: 'test' },
    );
  const sample = (n = 0) => samples[n] as string;
  const buy = (who: HttpClient, sampleId: string, expectedCredits = 2, key: string = randomUUID()) =>
    who.post('/api/downloads', { sampleId, expectedCredits }, { headers: { 'idempotency-key': key } });
  const balance = async (who: HttpClient) => (await who.get('/api/credits')).body.balance;
  const bytesAt = async (url: string, init?: RequestInit) =>
    Buffer.from(await (await fetch(url, init)).arrayBuffer());

  it('[DL-17] charges, answers what was charged, and delivers the very bytes', async () => {
    const { status, body } = await buy(ada, sample());
    expect(status).toBe(201);
    expect(body).toEqual({
      charged: 2,
      balance: 3,
      download: {
        url: expect.any(String),
        filename: expect.stringMatching(/ - r\d+-0\.wav$/),
        expiresAt: expect.any(String),
      },
      attached: [],
      certificateId: expect.any(String),
      leftOut: [],
    });
    expect((await bytesAt(body.download.url)).equals(BYTES)).toBe(true);
    const answer = await fetch(body.download.url);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  it('[OPS-81] is told of by the name of its command, done or refused', async () => {
    const counted = async (outcome: string) => {
      const metrics = await product.app.get(Metrics).registry.metrics();
      const line = `command_duration_seconds_count{command="BuySamples",outcome="${outcome}"} `;
      return Number(
        metrics
          .split('\n')
          .find((each) => each.startsWith(line))
          ?.slice(line.length) ?? 0,
      );
    };
    const before = [await counted('done'), await counted('refused')] as const;
    await buy(ada, sample());
    await buy(ada, sample(1), 1);
    expect([await counted('done'), await counted('refused')]).toEqual([before[0] + 1, before[1] + 1]);
  });

  it('[DL-04] hands what is owned out again free', async () => {
    const first = await buy(ada, sample());
    const { status, body } = await buy(ada, sample(), 2);
    expect([status, body.charged, body.balance, body.certificateId]).toEqual([
      200,
      0,
      3,
      first.body.certificateId,
    ]);
  });

  it('[OPS-173] sells what was sold lately while the storage is away, asking for nothing else', async () => {
    await buy(ada, sample());
    const bob = await product.signedUp();
    await credit(bob, 5);
    const head = jest
      .spyOn(product.resources.storage, 'head')
      .mockRejectedValue(new StorageUnavailable('away'));
    try {
      expect((await buy(bob, sample())).status).toBe(201);
      expect(head).not.toHaveBeenCalled();
      expectLog(/^error \[Http\].*"path":"\/api\/downloads".*"status":503/);
      const { status, headers } = await buy(bob, sample(1));
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    } finally {
      head.mockRestore();
    }
    expect(await balance(bob)).toBe(3);
  });

  it('[DL-05, API-11] answers a repeated key with the first answer', async () => {
    const key = randomUUID();
    const first = await buy(ada, sample(), 2, key);
    const again = await buy(ada, sample(), 2, key);
    expect([again.status, again.body.charged, again.body.balance]).toEqual([first.status, 2, 3]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect((await buy(ada, sample(1), 2, key)).status).toBe(422);
    expect(await balance(ada)).toBe(3);
  });

  it('[API-11] needs a key', async () => {
    const { status, body } = await ada.post('/api/downloads', { sampleId: sample(), expectedCredits: 2 });
    expect([status, body.code]).toEqual([400, 'IdempotencyKeyMissing']);
  });

  it('[DL-07] answers 402 with balance and what is missing, and changes nothing', async () => {
    await buy(ada, sample(0));
    await buy(ada, sample(1));
    const { status, body } = await buy(ada, sample(2));
    expect([status, body.code, body.balance, body.missing]).toEqual([402, 'InsufficientCredits', 1, 1]);
    expect(body.nextBillingDate).toBeUndefined();
    expect(await balance(ada)).toBe(1);
  });

  it('[DL-08] answers 409 with the price as it is now', async () => {
    const { status, body } = await buy(ada, sample(), 1);
    expect([status, body.code, body.priceCredits]).toEqual([409, 'PriceChanged', 2]);
    expect(await balance(ada)).toBe(5);
  });

  it('[DL-01] charges nothing for a file that is not there', async () => {
    await product.resources.storage.delete(`Users/x/${sample()}`);
    const { status, body } = await buy(ada, sample());
    expect([status, body.code]).toEqual([404, 'DownloadUnavailable']);
    expect(await balance(ada)).toBe(5);
  });

  it('[ROLE-01] refuses visitors', async () => {
    const visitor = product.browser();
    expect((await buy(visitor, sample())).status).toBe(401);
    expect((await visitor.get('/api/credits')).status).toBe(401);
    expect((await visitor.get('/api/library/downloads')).status).toBe(401);
  });

  it.each([
    ['an unknown field', { expectedCredits: 2, credits: 0 }],
    ['a text for a number', { expectedCredits: '2' }],
    ['a negative price', { expectedCredits: -1 }],
    ['a fraction', { expectedCredits: 1.5 }],
    ['a huge number', { expectedCredits: 1e18 }],
    ['a path for an id', { sampleId: '../../etc/passwd', expectedCredits: 2 }],
  ])('refuses %s with 400', async (_, fields) => {
    const body = { sampleId: sample(), ...fields };
    const answer = await ada.post('/api/downloads', body, { headers: { 'idempotency-key': randomUUID() } });
    expect([answer.status, answer.body.code]).toEqual([400, 'InvalidRequest']);
    expect(await balance(ada)).toBe(5);
  });

  it('answers 404 for a sample nobody offers', async () => {
    expect((await buy(ada, 'nothing')).body.code).toBe('SampleNotAvailable');
  });

  it('[DL-13] lets an original leave only by a signed URL, unaltered and in time', async () => {
    const { body } = await buy(ada, sample());
    const signed = new URL(body.download.url);
    const other = new URL(signed);
    other.pathname = other.pathname.replace(sample(), sample(1));
    expect((await fetch(other)).status).toBe(403);
    const unsigned = new URL(signed);
    unsigned.search = '';
    expect((await fetch(unsigned)).status).toBeGreaterThanOrEqual(400);
    const guess = `${product.url}/media/previews/${sample()}`;
    expect((await fetch(guess)).status).toBeGreaterThanOrEqual(400);
  });

  it('[DL-14] gives creators their own free', async () => {
    const { status, body } = await buy(creator, sample());
    expect([status, body.charged]).toEqual([200, 0]);
    expect((await bytesAt(body.download.url)).equals(BYTES)).toBe(true);
  });

  it('[DL-15] buys the rest of a pack, all or nothing', async () => {
    await buy(ada, sample());
    const pack = (expectedCredits: number, who = ada) =>
      who.post(
        `/api/packs/pack-of-r${round}-/downloads`,
        { expectedCredits },
        { headers: { 'idempotency-key': randomUUID() } },
      );
    expect((await pack(8)).status).toBe(402);
    expect(await balance(ada)).toBe(3);
    await credit(ada, 10);
    expect((await pack(10)).body).toMatchObject({ code: 'PriceChanged', priceCredits: 8 });
    const { status, body } = await pack(8);
    expect([status, body.charged, body.balance, body.items.length]).toEqual([201, 8, 5, 5]);
    expect((await pack(0)).body.charged).toBe(0);
    expect(
      (
        await ada.post(
          '/api/packs/none/downloads',
          { expectedCredits: 0 },
          { headers: { 'idempotency-key': randomUUID() } },
        )
      ).status,
    ).toBe(404);
  });

  it('[DL-31] answers a repeated key of a pack with the first answer, whatever became of the pack', async () => {
    await credit(ada, 10);
    const key = randomUUID();
    const pack = `pack-of-r${round}-`;
    const order = (expectedCredits = 10) =>
      ada.post(`/api/packs/${pack}/downloads`, { expectedCredits }, { headers: { 'idempotency-key': key } });
    const first = await order();
    expect([first.status, first.body.charged, first.body.items.length]).toEqual([201, 10, 5]);
    const { pool } = product.resources.database;
    const told = ({ body }: typeof first) =>
      body.items.map(({ sampleId, certificateId }: Record<string, string>) => [sampleId, certificateId]);
    const repeated = async () => {
      const again = await order();
      expect([again.status, again.body.charged, again.body.balance]).toEqual([201, 10, 5]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(told(again)).toEqual(told(first));
      for (const { download } of again.body.items)
        expect((await bytesAt(download.url)).equals(BYTES)).toBe(true);
    };
    await pool.query('update sample set available = false where sample_id = $1', [sample(1)]);
    await repeated();
    await pool.query(`update pack set status = 'unpublished' where pack_id = $1`, [pack]);
    await repeated();
    expect((await order(9)).body.code).toBe('IdempotencyKeyReused');
    // A sample that was taken down is not delivered, even if the request was answered before.
    await pool.query('update sample set taken_down = true where sample_id = $1', [sample(2)]);
    expect(await order()).toMatchObject({ status: 410, body: { code: 'Gone' } });
    expect(await balance(ada)).toBe(5);
  });

  describe('picked samples', () => {
    const several = (sampleIds: string[], expectedCredits: number, key: string = randomUUID()) =>
      ada.post(
        '/api/samples/downloads',
        { sampleIds, expectedCredits },
        { headers: { 'idempotency-key': key } },
      );

    it('[DL-720] are bought all or nothing at the price that the buyer saw, without those that are owned', async () => {
      await buy(ada, sample());
      const picked = [sample(0), sample(2)];
      expect(await several([...picked, sample(3)], 4)).toMatchObject({
        status: 402,
        body: { code: 'InsufficientCredits', balance: 3, missing: 1 },
      });
      expect((await several(picked, 4)).body).toMatchObject({ code: 'PriceChanged', priceCredits: 2 });
      expect(await balance(ada)).toBe(3);
      const { status, body } = await several(picked, 2);
      expect([status, body.charged, body.balance]).toEqual([201, 2, 1]);
      expect(
        body.items.map((item: { sampleId: string; charged: number }) => [item.sampleId, item.charged]),
      ).toEqual([
        [sample(0), 0],
        [sample(2), 2],
      ]);
      const again = await several(picked, 0);
      expect([again.status, again.body.charged, again.body.balance]).toEqual([200, 0, 1]);
    });

    it('[DL-720] are charged once, whether a key is repeated or two presses race', async () => {
      const picked = [sample(0), sample(1)];
      const key = randomUUID();
      const answers = await Promise.all([several(picked, 4, key), several(picked, 4), several(picked, 4)]);
      expect(answers.map(({ body }) => body.charged).sort()).toEqual([0, 0, 4]);
      const repeated = await several(picked, 4, key);
      expect(repeated.headers.get('idempotency-replayed')).toBe('true');
      expect(repeated.body.charged).toBe(answers[0]?.body.charged);
      expect((await several([sample(0)], 4, key)).body.code).toBe('IdempotencyKeyReused');
      expect(await balance(ada)).toBe(1);
    });

    it('[DL-720] are refused together, naming those that cannot be had', async () => {
      const { pool } = product.resources.database;
      await pool.query('update sample set available = false where sample_id = $1', [sample(1)]);
      await product.resources.storage.delete(`Users/x/${sample(2)}`);
      expect(await several([sample(0), sample(1), 'none'], 4)).toMatchObject({
        status: 404,
        body: { code: 'SampleNotAvailable', sampleIds: ['none'] },
      });
      expect(await several([sample(0), sample(1)], 4)).toMatchObject({
        status: 404,
        body: { code: 'SampleNotAvailable', sampleIds: [sample(1)] },
      });
      expect(await several([sample(0), sample(2)], 4)).toMatchObject({
        status: 404,
        body: { code: 'DownloadUnavailable', sampleIds: [sample(2)] },
      });
      expect((await several([sample(0), sample(0)], 4)).body.code).toBe('InvalidRequest');
      expect((await several([], 0)).body.code).toBe('InvalidRequest');
      expect(await balance(ada)).toBe(5);
      expect((await ada.get('/api/library/downloads')).body.items).toEqual([]);
    });
  });

  describe('the purchase call of earlier clients', () => {
    const call = (fields: object, who = ada) =>
      who.post(
        '/api/credits/purchase',
        {
          buyerId: ada.userId,
          sampleId: sample(),
          creatorId: creator.userId,
          credits: 2,
          currency: 'usd',
          ...fields,
        },
        { headers: { 'idempotency-key': randomUUID() } },
      );

    it('[API-02] buys by id or by the address of the file', async () => {
      expect(await call({})).toMatchObject({ status: 200, body: { success: true } });
      const sampleId = `https://files.example/Sounds/Users/x/${sample(1)}?token=1`;
      expect(await call({ sampleId })).toMatchObject({ status: 200, body: { success: true } });
      expect(await balance(ada)).toBe(1);
    });

    it('[API-03] believes neither buyer, creator nor price', async () => {
      expect((await call({ buyerId: creator.userId })).status).toBe(403);
      expect((await call({ creatorId: ada.userId })).status).toBe(409);
      expect((await call({ credits: 1 })).status).toBe(409);
      expect(await balance(ada)).toBe(5);
    });
  });

  it('[CRED-11] [SET-420] shows balance, lots, and a statement newest first', async () => {
    await buy(ada, sample(0));
    await buy(ada, sample(1));
    const { body } = await ada.get('/api/credits');
    expect(body.balance).toBe(1);
    expect(body.lots).toEqual([
      expect.objectContaining({ source: 'promotion', creditsGranted: 5, creditsLeft: 1, valueMicroUsd: 0 }),
    ]);
    const ledger = (await ada.get('/api/credits/ledger?limit=2')).body;
    expect(
      ledger.items.map((line: { reason: string; delta: number; balanceAfter: number }) => [
        line.reason,
        line.delta,
        line.balanceAfter,
      ]),
    ).toEqual([
      ['download', -2, 1],
      ['download', -2, 3],
    ]);
    const rest = (await ada.get(`/api/credits/ledger?limit=2&cursor=${ledger.nextCursor}`)).body;
    expect(rest.items.map((line: { reason: string }) => line.reason)).toEqual(['promotion']);
    expect(ledger.items.map((line: { sample: { id: string } }) => line.sample.id)).toEqual([
      sample(1),
      sample(0),
    ]);
    expect(ledger.items[0].sample).toMatchObject({ genre: expect.any(String), artworkUrl: null });
    expect(rest.items[0].sample).toBeNull();
    expect(rest.nextCursor).toBeNull();
  });

  it('[LIB-04] lists one’s own downloads, newest first, page by page', async () => {
    await buy(ada, sample(0));
    await buy(ada, sample(1));
    await buy(creator, sample(2));
    const first = (await ada.get('/api/library/downloads?limit=1')).body;
    expect(first.items).toHaveLength(1);
    const second = (await ada.get(`/api/library/downloads?limit=1&cursor=${first.nextCursor}`)).body;
    const ids = [...first.items, ...second.items].map((row: { sampleId: string }) => row.sampleId);
    expect(ids).toEqual([sample(1), sample(0)]);
    expect(second.nextCursor).toBeNull();
    await buy(ada, sample(0));
    expect((await ada.get('/api/library/downloads')).body.items[0].sampleId).toBe(sample(0));
  });

  describe('the licence certificate', () => {
    it('[CERT-01] says who may use what, of which bytes, and only its holder reads it', async () => {
      const { certificateId } = (await buy(ada, sample())).body;
      const { status, body } = await ada.get(`/api/certificates/${certificateId}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        id: certificateId,
        sample: { id: sample(), title: sample() },
        creator: { id: creator.userId },
        licensee: { id: ada.userId },
        licenceVersion: '1.1',
        aiTraining: false,
        fileSha256: 'a'.repeat(64),
      });
      expect((await creator.get(`/api/certificates/${certificateId}`)).status).toBe(404);
      expect((await product.browser().get(`/api/certificates/${certificateId}`)).status).toBe(401);
    });

    it('[CERT-02] verifies as issued, and fails when any field is changed', async () => {
      const { certificateId } = (await buy(ada, sample())).body;
      const certificate = (await ada.get(`/api/certificates/${certificateId}`)).body;
      const verify = async (body: object) =>
        (await product.browser().post('/api/certificates/verify', body)).body.valid;
      expect(await verify(certificate)).toBe(true);
      const changes = [
        { id: randomUUID() },
        { sample: { ...certificate.sample, title: 'Another' } },
        { creator: { ...certificate.creator, displayName: 'Somebody' } },
        { licensee: { ...certificate.licensee, id: creator.userId } },
        { licenceVersion: '2.0' },
        { issuedAt: '2020-01-01T00:00:00.000Z' },
        { fileSha256: 'b'.repeat(64) },
      ];
      for (const change of changes) expect(await verify({ ...certificate, ...change })).toBe(false);
    });

    it('[CERT-03] outlives what it is about', async () => {
      const { certificateId } = (await buy(ada, sample())).body;
      const before = (await ada.get(`/api/certificates/${certificateId}`)).body;
      await product.resources.database.pool.query(
        `update sample set title = 'Renamed', available = false, taken_down = true where sample_id = $1`,
        [sample()],
      );
      expect((await ada.get(`/api/certificates/${certificateId}`)).body).toEqual(before);
      expect((await buy(ada, sample())).status).toBe(410);
    });
  });
});
