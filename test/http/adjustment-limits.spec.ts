import { beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { randomUUID } from 'node:crypto';
import { RequestAdjustment } from '../../application/administration/request-money.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { paidInvoice } from '../support/books.js';
import { balance, comesTo } from '../support/money-back.js';
import { Office } from '../support/office.js';
import { stock } from '../support/stock.js';
import { until } from '../support/until.js';

const office = Office.forTests();

describe('adjustments of credits', () => {
  // An administrator's limits last a day, longer than a test, so each test has a new one.
  beforeEach(async () => {
    office.pia = await office.withRole('admin');
  });

  it('[ADM-06] are worth at most what a plan asks for them, and nothing as goodwill', async () => {
    const mint = await office.adjust(1, { valueUsdCents: 10_000_000 });
    expect([mint.status, mint.body.code]).toEqual([422, 'CreditsWorthTooMuch']);
    expect(mint.body.mostMicroUsd).toBe(239_600);
    expect((await office.adjust(10, { valueUsdCents: 100 })).body.code).toBe('NothingToMakeGood');
    const theirs = { valueUsdCents: 100, makesGood: 'somebody-elses-lot' };
    expect((await office.adjust(10, theirs)).body.code).toBe('NothingToMakeGood');
    const makesGood = await office.spentLot();
    expect((await office.adjust(10)).status).toBe(201);
    expect((await office.adjust(10, { valueUsdCents: 199, makesGood })).status).toBe(201);
    const listed = (await office.adjustments('decided')).filter(
      ({ beneficiary }: { beneficiary: string }) => beneficiary === office.ada.userId,
    );
    expect(listed).toMatchObject([
      { work: { credits: 10, valueMicroUsd: 1_990_000, makesGood }, status: 'carried out', decidedBy: null },
      { work: { credits: 10, valueMicroUsd: 0 }, status: 'carried out', decidedBy: null },
    ]);
    expect(listed[1].work).not.toHaveProperty('makesGood');
    const history = await office.product.resources.eventStore.readStream(`credits-${office.ada.userId}`);
    expect(history.at(-1)?.data.adjustment).toMatchObject({ makesGood });
    expect(await office.broken()).toEqual([]);
  });

  it('[ADM-06] count together for a day, whomever they are for and however many are made at once', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => office.product.signedUp()));
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, index) => office.adjust(500, { userId: users[index % 4]?.userId })),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(202)]);
    const balances = await Promise.all(users.map(balance));
    expect(balances.reduce((sum, each) => sum + each, 0)).toBe(500);
    expect((await office.adjust(-1)).status).toBe(202);
  });

  it('[ADM-06] count for a day and no longer', async () => {
    const counted = (hoursAgo: number, credits: number) => {
      const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
      const data = { adjustmentId: randomUUID(), by: office.pia.userId, at, credits, valueMicroUsd: 0 };
      return { type: 'AdjustmentCounted', data };
    };
    const events = [counted(25, 9_000), counted(23, 100)];
    await office.product.resources.eventStore.append(
      [{ stream: `adjuster-${office.pia.userId}`, expectedVersion: 0, events }],
      { actor: office.pia.userId, correlationId: 'c' },
    );
    const { id } = (await office.adjust(401)).body;
    expect((await office.decide(office.quinn, id, 'decline')).status).toBe(200);
    // A declined adjustment no longer counts.
    expect((await office.adjust(400)).status).toBe(201);
  });

  it('[ADM-06] are booked by a worker where the server died after deciding, once', async () => {
    const approvalId = randomUUID();
    const at = new Date().toISOString();
    const by = office.pia.userId as string;
    const adjustment = { userId: office.ada.userId as string, credits: 7, valueMicroUsd: 0 };
    const asked = { approvalId, by, reason: 'Sorry' };
    const work = { kind: 'adjustment', ...adjustment };
    const data = { ...asked, work, beneficiary: adjustment.userId, at, lapsesAt: at };
    await office.product.resources.eventStore.append(
      [
        {
          stream: `approval-${approvalId}`,
          expectedVersion: 0,
          events: [
            { type: 'ApprovalRequested', data },
            { type: 'ApprovalNotNeeded', data: { approvalId, by, at } },
          ],
        },
      ],
      { actor: by, correlationId: approvalId },
    );
    await until(async () => (await balance(office.ada)) > 0);
    await office.product.app
      .get(CommandBus, { strict: false })
      .execute(new RequestAdjustment({ ...asked, ...adjustment }));
    expect(await balance(office.ada)).toBe(7);
  });

  it('[ADM-06] above 50 dollars a day wait too', async () => {
    const makesGood = await office.spentLot({
      credits: 500,
      netMicroUsd: 99_900_000,
      grossMicroUsd: 99_900_000,
    });
    expect((await office.adjust(125, { valueUsdCents: 2_497, makesGood })).status).toBe(201);
    expect((await office.adjust(126, { valueUsdCents: 2_504, makesGood })).status).toBe(202);
    expect((await office.adjust(126, { valueUsdCents: 2_503, makesGood })).status).toBe(202);
    expect(await balance(office.ada)).toBe(125);
  });

  describe('[ADM-30] make a lot or a purchase good once', () => {
    const worth = (valueUsdCents: number, makesGood: string, who = office.pia) =>
      who.post(
        '/api/admin/adjustments',
        { userId: office.ada.userId, credits: 300, valueUsdCents, makesGood, reason: 'The sound was broken' },
        keyed(),
      );

    it('up to what was spent of the lot, all administrators together', async () => {
      const unspent = await office.paidLot();
      expect((await worth(1, unspent)).body).toMatchObject({ code: 'MadeGoodAlready', mostMicroUsd: 0 });
      office.ada = await office.product.signedUp();
      const makesGood = await office.spentLot();
      const tooMuch = await worth(5_000, makesGood);
      expect(tooMuch).toMatchObject({ status: 409, body: { code: 'MadeGoodAlready' } });
      expect(tooMuch.body.mostMicroUsd).toBe(9_990_000);
      const admins = await Promise.all(Array.from({ length: 8 }, () => office.withRole('admin')));
      const answers = await Promise.all(admins.map((admin) => worth(250, makesGood, admin)));
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array(3).fill(201),
        ...Array(5).fill(409),
      ]);
      expect((await worth(250, makesGood)).body.mostMicroUsd).toBe(2_490_000);
      expect((await worth(249, makesGood)).status).toBe(201);
      expect((await worth(1, makesGood)).body.mostMicroUsd).toBe(0);
      expect(await office.broken()).toEqual([]);
    });

    it('what was declined leaves room again', async () => {
      const makesGood = await office.spentLot();
      const waiting = await office.adjust(501, { valueUsdCents: 999, makesGood });
      expect(waiting.status).toBe(202);
      expect((await worth(1, makesGood, office.quinn)).status).toBe(409);
      await office.decide(office.quinn, waiting.body.id, 'decline');
      expect((await worth(999, makesGood, await office.withRole('admin'))).status).toBe(201);
    });

    it('also where the credits given, and what was bought with them, are named in turn', async () => {
      const first = await worth(999, await office.spentLot(), office.quinn);
      const given = `adjustment-${first.body.id}`;
      expect((await worth(1, given)).body).toMatchObject({ code: 'MadeGoodAlready', mostMicroUsd: 0 });
    });
  });

  it('[ADM-06] are never for oneself, nor for who bought from oneself in the last 30 days', async () => {
    const own = await office.adjust(1, { userId: office.pia.userId });
    expect([own.status, own.body.code]).toEqual([403, 'OwnInterest']);
    const { userId } = office.quinn;
    const forQuinn = await office.adjust(501, { userId });
    expect((await office.decide(office.quinn, forQuinn.body.id, 'approve')).body.code).toBe('OwnInterest');
    const creator = await office.withRole('admin');
    const [sample] = await stock(office.product.resources.database, 1, {
      prefix: `o${office.round}-`,
      creatorId: creator.userId,
    });
    await office.store([sample as string]);
    const asked = await office.adjust(501);
    await office.product.resources.creditExecutor.grantInvoice(paidInvoice(office.ada.userId), {
      correlationId: 'c',
    });
    await office.buy(office.ada, sample as string);
    const body = { userId: office.ada.userId, credits: 1, reason: 'A friend' };
    expect((await creator.post('/api/admin/adjustments', body, keyed())).body.code).toBe('OwnInterest');
    const approves = () => office.decide(creator, asked.body.id, 'approve');
    expect((await approves()).body.code).toBe('OwnInterest');
    const longAgo = (sign: '-' | '+') =>
      office.product.resources.database.pool.query(
        `update owned_sample set purchased_at = purchased_at ${sign} interval '31 days' where buyer_id = $1`,
        [office.ada.userId],
      );
    await longAgo('-');
    expect((await approves()).status).toBe(200);
    await longAgo('+');
  });

  it('[ADM-480] above 2,000 dollars of two people in 30 days are approved by finance, and finance is mailed each that costs money', async () => {
    const { eventStore } = office.product.resources;
    const asked = await office.adjust(501, { valueUsdCents: 999, makesGood: await office.spentLot() });
    const [by, approvedBy] = [office.pia.userId as string, office.quinn.userId as string];
    const at = new Date(Date.now() - 86_400_000).toISOString();
    const data = {
      adjustmentId: randomUUID(),
      by: approvedBy,
      approvedBy: by,
      valueMicroUsd: 1_990_010_001,
      at,
    };
    await eventStore.append(
      [
        {
          stream: `adjusters-${[by, approvedBy].sort().join('.')}`,
          expectedVersion: 0,
          events: [{ type: 'AgreementCounted', data }],
        },
      ],
      { actor: approvedBy, correlationId: 'c' },
    );
    const agree = (who: HttpClient, house: string) => office.decide(who, asked.body.id, 'approve', house);
    expect((await agree(office.quinn, 'admin')).body.code).toBe('FinanceNeeded');
    expect(await balance(office.ada)).toBe(0);
    const waiting = (await office.petra.get('/api/finance/approvals?state=waiting')).body.items;
    expect(waiting.map(({ id }: { id: string }) => id)).toContain(asked.body.id);
    expect((await office.petra.get(`/api/finance/approvals/${asked.body.id}`)).status).toBe(200);
    expect((await agree(office.petra, 'finance')).body.status).toBe('carried out');
    expect(await balance(office.ada)).toBe(501);
    const mailed = async () => {
      const mails = (await office.product.browser().get('/dev/mailbox?format=json')).body;
      return mails.filter(
        ({ to, subject }: { to: string; subject: string }) =>
          to === office.petra.email && subject === 'Goodwill of 9.99 USD, given by two people',
      ).length;
    };
    await comesTo(mailed, 1);
    // Adjustments without value are decided by administrators only, and are not mailed.
    const free = await office.adjust(501);
    expect((await office.decide(office.petra, free.body.id, 'approve', 'finance')).status).toBe(403);
    expect((await office.petra.get(`/api/finance/approvals/${free.body.id}`)).status).toBe(404);
  });

  it('[FIN-11] of funded credits cost us a promotion and pay creators, unfunded ones pay nothing', async () => {
    const creator = await office.product.signedUp();
    const samples = await stock(office.product.resources.database, 3, {
      prefix: `f${office.round}-`,
      creatorId: creator.userId,
    });
    await office.store(samples);
    await office.adjust(1);
    await office.buy(office.ada, samples[0] as string);
    expect(await office.accountBalance(`creator:${creator.userId}`)).toBe(0);
    await office.paidLot();
    await office.buy(office.ada, samples[1] as string);
    expect(await office.accountBalance(`creator:${creator.userId}`)).toBe(-119_880);
    const before = await office.accountBalance('promotions');
    const purchaseOf = async (sampleId: string) =>
      (
        await office.product.resources.database.pool.query(
          'select purchase_id from owned_sample where buyer_id = $1 and sample_id = $2',
          [office.ada.userId, sampleId],
        )
      ).rows[0].purchase_id as string;
    const free = await office.adjust(1, {
      valueUsdCents: 1,
      makesGood: await purchaseOf(samples[0] as string),
    });
    expect(free.body).toMatchObject({ code: 'MadeGoodAlready', mostMicroUsd: 0 });
    const makesGood = await purchaseOf(samples[1] as string);
    expect((await office.adjust(1, { valueUsdCents: 19, makesGood })).status).toBe(201);
    expect((await office.adjust(1, { valueUsdCents: 1, makesGood })).body.mostMicroUsd).toBe(9_800);
    expect((await office.accountBalance('promotions')) - before).toBe(190_000);
    await office.buy(office.ada, samples[2] as string);
    expect(await office.accountBalance(`creator:${creator.userId}`)).toBe(-119_880 - 114_000);
    expect(await office.broken()).toEqual([]);
  });
});
