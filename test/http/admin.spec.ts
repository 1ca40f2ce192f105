import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { randomUUID } from 'node:crypto';
import { RequestAdjustment } from '../../application/credits/commands.js';
import type { CreatorEvent } from '../../domain/publishing/creator-access.js';
import { ReturnPurchases } from '../../application/administration/return-purchases.js';
import type { Mail } from '../../application/mail/mailer.js';
import { CreatorMails } from '../../application/publishing/creator-mails.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { recordPack } from '../support/catalogue.js';
import { paidInvoice } from '../support/books.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';
import { grantRoles } from '../support/staff.js';

describe('administration', () => {
  let product: TestProduct;
  let pia: HttpClient;
  let quinn: HttpClient;
  let petra: HttpClient;
  let ada: HttpClient;
  let round = 0;

  const withRole = async (role: 'finance' | 'admin') => {
    const client = await product.signedUp();
    await grantRoles(product.resources.database, client.userId, role);
    return client;
  };
  const keyed = (key: string = randomUUID()) => ({ headers: { 'idempotency-key': key } });
  const balance = async (who: HttpClient) => (await who.get('/api/credits')).body.balance;
  const lines = async (who: HttpClient) =>
    (await who.get('/api/credits/ledger')).body.items.map(
      ({ reason, delta }: { reason: string; delta: number }) => `${reason} ${delta}`,
    );
  const adjust = (credits: number, more: object = {}, key?: string) =>
    pia.post(
      '/api/admin/adjustments',
      { userId: ada.userId, credits, reason: 'Sorry for the wait', ...more },
      keyed(key),
    );
  const accountBalance = async (account: string) =>
    (await petra.get(`/api/finance/accounts/${account}`)).body.balanceMicroUsd;
  /** The rules of money; the shop was stocked by hand, so its own read models differ from the log. */
  const broken = async () => {
    const { invariants } = await product.app.get(Reconcile, { strict: false }).run();
    return invariants.filter(
      ({ holds, number, detail = '' }) =>
        !holds && (number !== 18 || /credits|owned|journal|adjust/.test(detail)),
    );
  };

  beforeAll(async () => {
    product = await startTestProduct({ AUTO_APPROVE_CREATORS: 'off' });
    [pia, quinn, petra] = [await withRole('admin'), await withRole('admin'), await withRole('finance')];
  }, 60_000);
  afterAll(() => product.stop());
  beforeEach(async () => {
    round += 1;
    ada = await product.signedUp();
  });

  it('[ADM-03] finds people by e-mail address, name, handle and id, whole matches first', async () => {
    const { pool } = product.resources.database;
    const named = async (name: string) => {
      const client = await product.signedUp();
      await client.patch('/api/me', { displayName: name });
      return client;
    };
    const [exact, longer, other] = [await named('Zoë'), await named('Zoë Zander'), await named('100%_Wolf')];
    await pool.query(
      `insert into creator_profile (user_id, handle, updated_at) values ($1, 'Wolfgang_M', now())
                      on conflict (user_id) do update set handle = excluded.handle`,
      [other.userId],
    );
    const found = async (q: string) =>
      (await pia.get(`/api/admin/people?q=${encodeURIComponent(q)}`)).body.items.map(
        ({ id }: { id: string }) => id,
      );
    expect(await found('zoë')).toEqual([exact.userId, longer.userId]);
    expect(await found('ZANDER')).toEqual([longer.userId]);
    expect(await found(longer.email.toUpperCase())).toEqual([longer.userId]);
    expect(await found('wolfgang')).toEqual([other.userId]);
    expect(await found(exact.userId)).toEqual([exact.userId]);
    // Signs of SQL patterns are letters like any other.
    expect(await found('100%_')).toEqual([other.userId]);
    expect(await found('%%')).toEqual([]);
    expect((await pia.get('/api/admin/people?q=z')).status).toBe(400);
    expect((await pia.get('/api/admin/people?q=wolfgang')).body.items).toEqual([
      { id: other.userId, displayName: '100%_Wolf', email: other.email, handle: 'Wolfgang_M' },
    ]);
  });

  it.each([
    ['GET', 'creator-applications'],
    ['POST', 'creator-applications/x/approve'],
    ['POST', 'creator-applications/x/decline'],
    ['POST', 'creators/x/suspend'],
    ['POST', 'takedowns'],
    ['POST', 'defects'],
    ['GET', 'adjustments'],
    ['GET', 'people?q=somebody'],
    ['GET', 'people/x/invoices'],
    ['POST', 'adjustments'],
    ['POST', 'adjustments/x/approve'],
  ])('[ROLE-04] %s %s needs the role', async (method, path) => {
    const body = method === 'GET' ? undefined : {};
    expect((await product.browser().call(method, `/api/admin/${path}`, body, keyed())).status).toBe(401);
    expect((await ada.call(method, `/api/admin/${path}`, body, keyed())).status).toBe(403);
    expect((await petra.call(method, `/api/admin/${path}`, body, keyed())).status).toBe(403);
    expect((await pia.call(method, `/api/admin/${path}`, body, keyed())).status).not.toBe(403);
  });

  describe('creator applications', () => {
    const apply = () => ada.post('/api/creator/application', {});
    const state = async () => (await ada.get('/api/creator')).body.status;
    const listed = async (status = 'applied') =>
      (await pia.get(`/api/admin/creator-applications?status=${status}&limit=100`)).body.items.map(
        ({ id }: { id: string }) => id,
      );

    it('[ADM-01, ACC-03] are listed and approved', async () => {
      await apply();
      expect(await listed()).toContain(ada.userId);
      const answer = await pia.post(`/api/admin/creator-applications/${ada.userId}/approve`, {});
      expect([answer.status, answer.body]).toEqual([200, { id: ada.userId, status: 'approved' }]);
      expect(await state()).toBe('approved');
      expect(await listed()).not.toContain(ada.userId);
      expect(await listed('approved')).toContain(ada.userId);
    });

    it('[ADM-01, ACC-03] are declined with a reason, and creators suspended and reinstated', async () => {
      await apply();
      expect((await pia.post(`/api/admin/creator-applications/${ada.userId}/decline`, {})).status).toBe(400);
      await pia.post(`/api/admin/creator-applications/${ada.userId}/decline`, { reason: 'No sounds yet' });
      expect(await state()).toBe('declined');
      expect((await ada.get('/api/creator')).body.reason).toBe('No sounds yet');
      await pia.post(`/api/admin/creator-applications/${ada.userId}/approve`, {});
      const suspended = await pia.post(`/api/admin/creators/${ada.userId}/suspend`, {
        reason: 'Stolen loops',
      });
      expect(suspended.body.status).toBe('suspended');
      expect(await state()).toBe('suspended');
      expect((await ada.get('/api/creator')).body.reason).toBe('Stolen loops');
      expect((await pia.post(`/api/admin/creators/${ada.userId}/reinstate`, {})).body.status).toBe(
        'approved',
      );
      expect((await ada.get('/api/creator')).body.reason).toBeNull();
      expect((await pia.post('/api/admin/creators/nobody/suspend', { reason: 'Who?' })).status).toBe(404);
    });

    it('[ADM-20] tell the creator by mail of each step, once, with its reason', async () => {
      await apply();
      const decide = (path: string, body: object = {}) => pia.post(`/api/admin/${path}`, body);
      await decide(`creator-applications/${ada.userId}/decline`, { reason: 'No sounds yet' });
      await decide(`creator-applications/${ada.userId}/approve`);
      await decide(`creators/${ada.userId}/suspend`, { reason: 'Stolen loops' });
      await decide(`creators/${ada.userId}/reinstate`);
      const { eventStore, logSubscriptions } = product.resources;
      const { position } = await eventStore.head();
      expect(await logSubscriptions.caughtUp(position, 10_000, ['creator-mails'])).toBe(true);
      for (const event of await eventStore.readStream<CreatorEvent>(`creator-${ada.userId}`))
        await product.app.get(CreatorMails, { strict: false }).handle(event);
      const mails = (await product.browser().get('/dev/mailbox?format=json')).body as Mail[];
      const told = mails
        .filter(({ to, subject }) => to === ada.email && !subject.startsWith('Confirm'))
        .map(({ subject, text }) => [subject, text]);
      expect(told.map(([subject]) => subject).sort()).toEqual([
        'We have your application',
        'You can publish on Offcut',
        'Your application was declined',
        'Your creator access is back',
        'Your creator access is suspended',
      ]);
      const textOf = new Map(told as [string, string][]);
      expect(textOf.get('Your application was declined')).toContain('No sounds yet');
      expect(textOf.get('Your creator access is suspended')).toContain('Stolen loops');
    });
  });

  describe('adjustments', () => {
    // The limits of an administrator are of a day, longer than a test.
    beforeEach(async () => {
      pia = await withRole('admin');
    });
    const all = async () => (await quinn.get('/api/admin/adjustments?limit=100')).body.items;
    const paidLot = async (more: object = {}) => {
      const invoice = { ...paidInvoice(ada.userId), ...more };
      await product.resources.creditExecutor.grantInvoice(invoice, { correlationId: 'c' });
      const { rows } = await product.resources.database.pool.query(
        `select lot_id from credit_grant where user_id = $1 and kind = 'paid'`,
        [ada.userId],
      );
      return rows[0].lot_id as string;
    };

    it('[ADM-03, FIN-11] give and take credits with a reason, shown as admin_adjustment', async () => {
      const given = await adjust(380);
      expect([given.status, given.body]).toEqual([
        201,
        { id: expect.any(String), status: 'applied', balance: 380 },
      ]);
      expect((await adjust(-120)).body.balance).toBe(260);
      expect(await lines(ada)).toEqual(['admin_adjustment -120', 'admin_adjustment 380']);
      const [event] = (await petra.get(`/api/finance/events?stream=credits-${ada.userId}`)).body.items;
      expect(event.data.adjustment).toMatchObject({ by: pia.userId, explanation: 'Sorry for the wait' });
      const forward = (await petra.get(`/api/finance/credit-rollforward?userId=${ada.userId}`)).body;
      expect(forward).toMatchObject({ granted: 0, revoked: 0, adjusted: 260, closing: 260 });
    });

    it.each([
      ['no reason', { reason: ' ' }],
      ['no credits', { credits: 0 }],
      ['half a credit', { credits: 1.5 }],
      ['too many', { credits: 2_000_000 }],
    ])('are refused with %s', async (_, wrong) => {
      expect((await adjust(1, wrong)).status).toBe(400);
    });

    it('are refused for nobody, and without a key', async () => {
      expect((await adjust(5, { userId: 'nobody' })).status).toBe(404);
      const body = { userId: ada.userId, credits: 5, reason: 'Because' };
      expect((await pia.post('/api/admin/adjustments', body)).status).toBe(400);
    });

    it('[ADM-03, FIN-11] never take more than is unspent', async () => {
      await adjust(10);
      const refused = await adjust(-11);
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({ code: 'RevocationTooLarge', balance: 10, missing: 1 });
      expect(await balance(ada)).toBe(10);
    });

    it('[ADM-03] happen once a key, also when clicked five times at once', async () => {
      const key = randomUUID();
      await Promise.all(Array.from({ length: 5 }, () => adjust(7, {}, key)));
      expect((await adjust(7, {}, key)).headers.get('idempotency-replayed')).toBe('true');
      expect(await balance(ada)).toBe(7);
    });

    it('[ADM-03] happen once a key, also when the server died before it kept its answer', async () => {
      const key = randomUUID();
      const first = await adjust(7, {}, key);
      await product.resources.database.pool.query(
        `update idempotent_request set status = null, answer = null, started_at = now() - interval '2 minutes' where key = $1`,
        [key],
      );
      expect((await adjust(7, {}, key)).body).toEqual(first.body);
      expect(await balance(ada)).toBe(7);
    });

    it('[ADM-03] above 500 wait for a second person, who is not the first', async () => {
      const asked = await adjust(501);
      expect([asked.status, asked.body.status]).toEqual([202, 'waiting']);
      expect(await balance(ada)).toBe(0);
      const { items } = (await quinn.get('/api/admin/adjustments')).body;
      expect(items[0]).toMatchObject({
        id: asked.body.id,
        userId: ada.userId,
        credits: 501,
        requestedBy: pia.userId,
        requestedByName: expect.any(String),
        valueMicroUsd: 0,
        status: 'waiting',
      });
      const path = `/api/admin/adjustments/${asked.body.id}`;
      const alone = await pia.post(`${path}/approve`, {});
      expect([alone.status, alone.body.code]).toEqual([403, 'SecondPersonNeeded']);
      const approved = await Promise.all([1, 2, 3].map(() => quinn.post(`${path}/approve`, {})));
      expect(approved.map(({ status, body }) => [status, body.status, body.balance])).toEqual(
        Array(3).fill([200, 'applied', 501]),
      );
      expect(await lines(ada)).toEqual(['admin_adjustment 501']);
      expect((await quinn.post(`${path}/decline`, {})).body).toMatchObject({
        code: 'AlreadyDecided',
        status: 409,
        state: 'approved',
      });
    });

    it('[ADM-03] may be declined, and fail when the credits are gone by then', async () => {
      const declined = await adjust(900);
      await quinn.post(`/api/admin/adjustments/${declined.body.id}/decline`, {});
      expect((await quinn.post(`/api/admin/adjustments/${declined.body.id}/approve`, {})).status).toBe(409);
      await adjust(500);
      const tooMuch = await adjust(-501);
      expect(tooMuch.status).toBe(202);
      expect((await quinn.post(`/api/admin/adjustments/${tooMuch.body.id}/approve`, {})).status).toBe(422);
      const { items } = (await pia.get('/api/admin/adjustments?limit=100')).body;
      const status = (id: string) => items.find((each: { id: string }) => each.id === id).status;
      expect([status(declined.body.id), status(tooMuch.body.id)]).toEqual(['declined', 'failed']);
      expect(await balance(ada)).toBe(500);
    });

    it('[ADM-06] are worth at most what a plan asks for them, and nothing as goodwill', async () => {
      const mint = await adjust(1, { valueUsdCents: 10_000_000 });
      expect([mint.status, mint.body.code]).toEqual([422, 'CreditsWorthTooMuch']);
      expect(mint.body.mostMicroUsd).toBe(199_800);
      expect((await adjust(10, { valueUsdCents: 100 })).body.code).toBe('NothingToMakeGood');
      const theirs = { valueUsdCents: 100, makesGood: 'somebody-elses-lot' };
      expect((await adjust(10, theirs)).body.code).toBe('NothingToMakeGood');
      expect((await adjust(10)).status).toBe(201);
      const makesGood = await paidLot();
      expect((await adjust(10, { valueUsdCents: 199, makesGood })).status).toBe(201);
      const listed = (await all()).filter(({ userId }: { userId: string }) => userId === ada.userId);
      expect(listed).toMatchObject([
        { credits: 10, valueMicroUsd: 1_990_000, makesGood, status: 'applied', decidedBy: null },
        { credits: 10, valueMicroUsd: 0, makesGood: null, status: 'applied', decidedBy: null },
      ]);
      const history = await product.resources.eventStore.readStream(`credits-${ada.userId}`);
      expect(history.at(-1)?.data.adjustment).toMatchObject({ makesGood });
      expect(await broken()).toEqual([]);
    });

    it('[ADM-06] count together for a day, whomever they are for and however many are made at once', async () => {
      const users = await Promise.all(Array.from({ length: 4 }, () => product.signedUp()));
      const asked = await Promise.all(
        Array.from({ length: 20 }, (_, index) => adjust(500, { userId: users[index % 4]?.userId })),
      );
      expect(asked.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(202)]);
      const balances = await Promise.all(users.map(balance));
      expect(balances.reduce((sum, each) => sum + each, 0)).toBe(500);
      expect((await adjust(-1)).status).toBe(202);
    });

    it('[ADM-06] count for a day and no longer', async () => {
      const counted = (hoursAgo: number, credits: number) => {
        const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
        const data = { adjustmentId: randomUUID(), by: pia.userId, at, credits, valueMicroUsd: 0 };
        return { type: 'AdjustmentCounted', data };
      };
      const events = [counted(25, 9_000), counted(23, 100)];
      await product.resources.eventStore.append(
        [{ stream: `adjuster-${pia.userId}`, expectedVersion: 0, events }],
        { actor: pia.userId, correlationId: 'c' },
      );
      expect((await adjust(401)).status).toBe(202);
      expect((await quinn.post(`/api/admin/adjustments/${(await all())[0].id}/decline`, {})).status).toBe(
        200,
      );
      // What was declined leaves room again.
      expect((await adjust(400)).status).toBe(201);
    });

    it('[ADM-06] are booked by a worker where the server died after deciding, once', async () => {
      const adjustmentId = randomUUID();
      const at = new Date().toISOString();
      const by = pia.userId;
      const asked = {
        adjustmentId,
        userId: ada.userId,
        credits: 7,
        valueMicroUsd: 0,
        explanation: 'Sorry',
        by,
        at,
      };
      await product.resources.eventStore.append(
        [
          {
            stream: `adjustment-${adjustmentId}`,
            expectedVersion: 0,
            events: [
              { type: 'AdjustmentRequested', data: asked },
              { type: 'AdjustmentMadeAlone', data: { adjustmentId, by, at } },
            ],
          },
        ],
        { actor: by, correlationId: adjustmentId },
      );
      for (let tries = 0; (await balance(ada)) === 0; tries += 1) {
        expect(tries).toBeLessThan(400);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await product.app.get(CommandBus, { strict: false }).execute(new RequestAdjustment({ ...asked }));
      expect(await balance(ada)).toBe(7);
    });

    it('[ADM-06] above 50 dollars a day wait too', async () => {
      const makesGood = await paidLot({ credits: 500, netMicroUsd: 99_900_000, grossMicroUsd: 99_900_000 });
      expect((await adjust(125, { valueUsdCents: 2_497, makesGood })).status).toBe(201);
      expect((await adjust(126, { valueUsdCents: 2_504, makesGood })).status).toBe(202);
      expect((await adjust(126, { valueUsdCents: 2_503, makesGood })).status).toBe(202);
      expect(await balance(ada)).toBe(625);
    });

    describe('[ADM-30] make a lot or a purchase good once', () => {
      const worth = (valueUsdCents: number, makesGood: string, who = pia) =>
        who.post(
          '/api/admin/adjustments',
          { userId: ada.userId, credits: 300, valueUsdCents, makesGood, reason: 'The sound was broken' },
          keyed(),
        );

      it('up to what the lot was worth, all administrators together', async () => {
        const makesGood = await paidLot();
        const tooMuch = await worth(5_000, makesGood);
        expect(tooMuch).toMatchObject({ status: 409, body: { code: 'MadeGoodAlready' } });
        expect(tooMuch.body.mostMicroUsd).toBe(9_990_000);
        const admins = await Promise.all(Array.from({ length: 8 }, () => withRole('admin')));
        const answers = await Promise.all(admins.map((admin) => worth(250, makesGood, admin)));
        expect(answers.map(({ status }) => status).sort()).toEqual([
          ...Array(3).fill(201),
          ...Array(5).fill(409),
        ]);
        expect((await worth(250, makesGood)).body.mostMicroUsd).toBe(2_490_000);
        expect((await worth(249, makesGood)).status).toBe(201);
        expect((await worth(1, makesGood)).body.mostMicroUsd).toBe(0);
        expect(await broken()).toEqual([]);
      });

      it('what was declined leaves room again', async () => {
        const makesGood = await paidLot();
        const waiting = await adjust(501, { valueUsdCents: 999, makesGood });
        expect(waiting.status).toBe(202);
        expect((await worth(1, makesGood, quinn)).status).toBe(409);
        await quinn.post(`/api/admin/adjustments/${waiting.body.id}/decline`, {});
        expect((await worth(999, makesGood, await withRole('admin'))).status).toBe(201);
      });

      it('also where the credits given, and what was bought with them, are named in turn', async () => {
        const first = await worth(999, await paidLot(), quinn);
        const given = `adjustment-${first.body.id}`;
        expect((await worth(1, given)).body).toMatchObject({ code: 'MadeGoodAlready', mostMicroUsd: 0 });
      });
    });

    it('[ADM-06] are never for oneself, nor for who bought from oneself in the last 30 days', async () => {
      const own = await adjust(1, { userId: pia.userId });
      expect([own.status, own.body.code]).toEqual([403, 'OwnInterest']);
      const { userId } = quinn;
      const forQuinn = await adjust(501, { userId });
      expect((await quinn.post(`/api/admin/adjustments/${forQuinn.body.id}/approve`, {})).body.code).toBe(
        'OwnInterest',
      );
      const creator = await withRole('admin');
      const [sample] = await stock(product.resources.database, 1, {
        prefix: `o${round}-`,
        creatorId: creator.userId,
      });
      await store([sample as string]);
      const asked = await adjust(501);
      await product.resources.creditExecutor.grantInvoice(paidInvoice(ada.userId), { correlationId: 'c' });
      await buy(ada, sample as string);
      const body = { userId: ada.userId, credits: 1, reason: 'A friend' };
      expect((await creator.post('/api/admin/adjustments', body, keyed())).body.code).toBe('OwnInterest');
      const path = `/api/admin/adjustments/${asked.body.id}`;
      expect((await creator.post(`${path}/approve`, {})).body.code).toBe('OwnInterest');
      const longAgo = (sign: '-' | '+') =>
        product.resources.database.pool.query(
          `update owned_sample set purchased_at = purchased_at ${sign} interval '31 days' where buyer_id = $1`,
          [ada.userId],
        );
      await longAgo('-');
      expect((await creator.post(`${path}/approve`, {})).status).toBe(200);
      await longAgo('+');
    });

    it('[FIN-11] of funded credits cost us a promotion and pay creators, unfunded ones pay nothing', async () => {
      const creator = await product.signedUp();
      const samples = await stock(product.resources.database, 3, {
        prefix: `f${round}-`,
        creatorId: creator.userId,
      });
      await store(samples);
      await adjust(1);
      await buy(ada, samples[0] as string);
      expect(await accountBalance(`creator:${creator.userId}`)).toBe(0);
      await paidLot();
      await buy(ada, samples[1] as string);
      expect(await accountBalance(`creator:${creator.userId}`)).toBe(-119_880);
      const before = await accountBalance('promotions');
      const purchaseOf = async (sampleId: string) =>
        (
          await product.resources.database.pool.query(
            'select purchase_id from owned_sample where buyer_id = $1 and sample_id = $2',
            [ada.userId, sampleId],
          )
        ).rows[0].purchase_id as string;
      const free = await adjust(1, { valueUsdCents: 1, makesGood: await purchaseOf(samples[0] as string) });
      expect(free.body).toMatchObject({ code: 'MadeGoodAlready', mostMicroUsd: 0 });
      const makesGood = await purchaseOf(samples[1] as string);
      expect((await adjust(1, { valueUsdCents: 19, makesGood })).status).toBe(201);
      expect((await adjust(1, { valueUsdCents: 1, makesGood })).body.mostMicroUsd).toBe(9_800);
      expect((await accountBalance('promotions')) - before).toBe(190_000);
      await buy(ada, samples[2] as string);
      expect(await accountBalance(`creator:${creator.userId}`)).toBe(-119_880 - 114_000);
      expect(await broken()).toEqual([]);
    });
  });

  const store = async (samples: string[]) => {
    const { database, storage } = product.resources;
    for (const id of samples)
      await storage.put(`Users/x/${id}`, Buffer.from('x'), { contentType: 'audio/wav' });
    await database.pool.query(`update sample set original_sha256 = encode(sha256('x'), 'hex')`);
  };
  const buy = (who: HttpClient, sampleId: string) =>
    who.post('/api/downloads', { sampleId, expectedCredits: 1 }, keyed());

  describe('credits returned', () => {
    let creator: HttpClient;
    let samples: string[];
    const paidAt = new Date('2026-10-05T00:00:00.000Z');

    beforeEach(async () => {
      creator = await product.signedUp();
      const { database, creditExecutor } = product.resources;
      samples = await stock(database, 3, { prefix: `t${round}-`, creatorId: creator.userId });
      await store(samples);
      await creditExecutor.grantInvoice(paidInvoice(ada.userId, { paidAt }), { correlationId: 'c' });
      for (const sample of samples) await buy(ada, sample);
    });

    it('[ADM-02, FIN-06] a defective sample gives back exactly what it took, once, and may be bought again', async () => {
      const income = await accountBalance('credits');
      const deferred = (await petra.get('/api/finance/trial-balance?grouped=true')).body;
      const sampleId = samples[1] as string;
      const answers = await Promise.all(
        [1, 2].map(() => pia.post('/api/admin/defects', { sampleId, reason: 'Only silence' })),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(
        (await pia.post('/api/admin/defects', { sampleId, reason: 'Only silence' })).body.purchasesReturned,
      ).toBe(0);
      expect(await balance(ada)).toBe(48);
      expect(await lines(ada)).toEqual([
        'refund 1',
        'download -1',
        'download -1',
        'download -1',
        'monthly_grant 50',
      ]);
      const { lots } = (await petra.get(`/api/finance/proof/${ada.userId}`)).body;
      expect(lots.find(({ lotId }: { lotId: string }) => lotId.startsWith('return-'))).toMatchObject({
        kind: 'paid',
        remainingCredits: 1,
        grantedAt: paidAt.toISOString(),
      });
      expect((await accountBalance('credits')) - income).toBe(199_800);
      expect(await accountBalance(`creator:${creator.userId}`)).toBe(-2 * 119_880);
      const after = (await petra.get('/api/finance/trial-balance?grouped=true')).body;
      const sum = (of: typeof after) =>
        of.accounts.find(({ account }: { account: string }) => account === 'deferred:*').creditMicroUsd;
      expect(sum(after) - sum(deferred)).toBe(199_800);
      expect((await petra.get(`/api/finance/credit-rollforward?userId=${ada.userId}`)).body).toMatchObject({
        granted: 50,
        spent: 3,
        returned: 1,
        closing: 48,
      });
      expect(await broken()).toEqual([]);
      expect((await buy(ada, sampleId)).body).toMatchObject({ charged: 1, balance: 47 });
      expect(await broken()).toEqual([]);
    });

    it('[FIN-18] returned and bought again, read models are what a refold gives', async () => {
      await pia.post('/api/admin/defects', { sampleId: samples[0], reason: 'Only silence' });
      const downloads = (await ada.get('/api/library/downloads')).body.items;
      expect(downloads).toHaveLength(2);
      await buy(ada, samples[0] as string);
      expect((await ada.get('/api/library/downloads')).body.items).toHaveLength(3);
      expect(await broken()).toEqual([]);
    });

    it('[ADM-02] a takedown blocks the bytes, keeps certificates and gives every buyer the credits back, once', async () => {
      const { database, eventStore, storage, creditExecutor } = product.resources;
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
      const ben = await product.signedUp();
      await creditExecutor.grantInvoice(paidInvoice(ben.userId), { correlationId: 'c' });
      const bought = await buy(ada, ids[0] as string);
      for (const id of ids) await buy(ben, id);
      const income = await accountBalance('credits');

      const answer = await pia.post('/api/admin/takedowns', { packId, reason: 'Not theirs to sell' });
      expect([answer.status, answer.body]).toEqual([
        201,
        { packId, status: 'taken_down', purchasesReturned: 3, purchasesWaiting: 0 },
      ]);
      expect([await balance(ada), await balance(ben)]).toEqual([47, 50]);
      const again = await pia.post('/api/admin/takedowns', { packId, reason: 'Not theirs to sell' });
      expect([again.status, again.body.purchasesReturned]).toEqual([201, 0]);
      expect([await balance(ada), await balance(ben)]).toEqual([47, 50]);
      expect((await accountBalance('credits')) - income).toBe(3 * 199_800);

      expect((await buy(ada, ids[0] as string)).status).toBe(410);
      expect((await ada.get(`/api/certificates/${bought.body.certificateId}`)).status).toBe(200);
      for (const path of [`/api/samples/${ids[0]}`, `/api/samples/${ids[0]}/similar`])
        expect(await ada.get(path)).toMatchObject({ status: 410, body: { code: 'TakenDown' } });
      const gone = (
        await database.pool.query(
          `select handle, slug, cover_key, preview_key from pack left join creator_profile on user_id = creator_id
             join sample using (pack_id) where pack_id = $1 limit 1`,
          [packId],
        )
      ).rows[0];
      const visitor = product.browser();
      for (const path of [`/${gone.preview_key}`])
        expect([path, await visitor.get(path)]).toMatchObject([
          path,
          { status: 410, body: { code: 'TakenDown' } },
        ]);
      expect(await broken()).toEqual([]);
    });

    it('[ADM-02] a purchase made in the moment of a takedown is undone by the sweep', async () => {
      await product.resources.database.pool.query(
        `update sample set taken_down = true where sample_id = $1`,
        [samples[2]],
      );
      const returns = product.app.get(ReturnPurchases, { strict: false });
      expect([await returns.sweep(), await balance(ada)]).toEqual([1, 48]);
      expect([await returns.sweep(), await balance(ada)]).toEqual([0, 48]);
    });

    it('[ADM-02] a takedown is refused for a pack that is not there, and without a reason', async () => {
      expect((await pia.post('/api/admin/takedowns', { packId: 'nothing', reason: 'Whatever' })).status).toBe(
        404,
      );
      expect((await pia.post('/api/admin/takedowns', { packId: 'nothing' })).status).toBe(400);
    });
  });

  it('[ADM-05] users report, administrators read', async () => {
    expect((await product.browser().post('/api/reports', {})).status).toBe(401);
    const filed = await ada.post('/api/reports', {
      kind: 'sample',
      id: 's1',
      reason: 'copyright',
      detail: 'Mine',
    });
    expect(filed.status).toBe(201);
    expect((await ada.get('/api/reports')).status).toBe(403);
    const { items } = (await pia.get('/api/reports')).body;
    expect(items).toContainEqual(
      expect.objectContaining({ id: filed.body.id, reporterId: ada.userId, detail: 'Mine' }),
    );
  });
});
