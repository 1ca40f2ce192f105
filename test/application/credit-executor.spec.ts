import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { credits } from '../../adapters/credits/credits.js';
import { ownedSamples } from '../../adapters/purchases/owned-samples.js';
import { UnstorableText } from '../../application/shared/event-store.js';
import type { PurchaseAnswer } from '../../application/credits/credit-batch.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { executorOn, grantPromotional, purchaseOf, stock } from '../support/stock.js';

const codeOf = ({ outcome }: PurchaseAnswer) =>
  outcome.status === 'bought' ? `charged ${outcome.charged}` : outcome.rejection.code;
const tally = (answers: PurchaseAnswer[]) => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[codeOf(answer)] = (counts[codeOf(answer)] ?? 0) + 1;
  return counts;
};

describe('the batched executor', () => {
  let test: TestDatabase;
  let store: PostgresEventStore;
  let executor: ReturnType<typeof executorOn>['executor'];
  let round = 0;
  /** New names in every test, because all tests share one database. */
  let ada: string;
  let samples: string[];

  beforeAll(async () => {
    test = await startTestDatabase();
    ({ executor, eventStore: store } = executorOn(test.database));
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    round += 1;
    ada = `ada-${round}`;
    samples = await stock(test.database, 120, { prefix: `r${round}-` });
  });

  const purchased = async (buyerId: string) =>
    (await store.readAll({ after: 0, limit: 10_000, types: ['SamplePurchased'] })).filter(
      (event) => event.data.buyerId === buyerId,
    );
  const first = () => samples[0] as string;
  /** Waits until this many connections wait for a lock. */
  const waiting = async (count: number): Promise<void> => {
    for (;;) {
      const { rows } = await test.database.pool.query(
        `select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (rows[0].count >= count) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  it('[CRED-05] grants a lot once when two processes wait for the same account', async () => {
    await grantPromotional(executor, ada, 1);
    const grant = { userId: ada, grantId: `twice-${round}`, credits: 50, grantedAt: new Date() };
    const other = executorOn(test.database).executor;
    const holder = await test.database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from credit_account where user_id = $1 for update', [ada]);
      const answers = [executor, other].map((each) => each.grantPromotion(grant, { correlationId: 'c' }));
      await waiting(2);
      await holder.query('commit');
      expect((await Promise.all(answers)).map((each) => each.accepted && each.changed).sort()).toEqual([
        false,
        true,
      ]);
    } finally {
      holder.release();
    }
    expect(await store.readStream(`credits-${ada}`)).toHaveLength(2);
  });

  it('[CRED-05] grants an invoice line once, however often it comes', async () => {
    const grant = {
      userId: ada,
      invoiceId: 'in_1',
      invoiceLineId: `il_${round}`,
      credits: 50,
      grossMicroUsd: 9_990_000,
      taxMicroUsd: 0,
      netMicroUsd: 9_990_000,
      paidAt: new Date(),
    };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => executor.grantInvoice(grant, { correlationId: 'c' })),
    );
    expect(answers.filter((answer) => answer.accepted && answer.changed)).toHaveLength(1);
    expect(answers.every((answer) => answer.balance === 50)).toBe(true);
    expect(await store.readStream(`credits-${ada}`)).toHaveLength(1);
  });

  it('[DL-05] charges once when 100 purchases of one sample arrive together under different keys', async () => {
    await grantPromotional(executor, ada, 100);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => executor.buy(purchaseOf(ada, [first()]))),
    );
    expect(tally(answers)).toEqual({ 'charged 1': 1, 'charged 0': 99 });
    expect(await purchased(ada)).toHaveLength(1);
  });

  it('[DL-05, API-11] answers the first outcome when 100 requests carry one key', async () => {
    await grantPromotional(executor, ada, 100);
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => executor.buy(purchaseOf(ada, [first()], { key }))),
    );
    expect(tally(answers)).toEqual({ 'charged 1': 100 });
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.outcome))).size).toBe(1);
  });

  it('[CRED-12, FIN-29] sells exactly one of 100 samples for the last credit', async () => {
    await grantPromotional(executor, ada, 1);
    const answers = await Promise.all(
      samples.slice(0, 100).map((sample) => executor.buy(purchaseOf(ada, [sample]))),
    );
    expect(tally(answers)).toEqual({ 'charged 1': 1, InsufficientCredits: 99 });
    expect(await purchased(ada)).toHaveLength(1);
  });

  it('[CRED-12] holds between two nodes that know nothing of each other', async () => {
    await grantPromotional(executor, ada, 5);
    const other = executorOn(test.database).executor;
    const answers = await Promise.all(
      samples.slice(0, 40).map((sample, n) => (n % 2 ? executor : other).buy(purchaseOf(ada, [sample]))),
    );
    expect(tally(answers)).toEqual({ 'charged 1': 5, InsufficientCredits: 35 });
  });

  it('[CRED-12] decides a purchase that came alone again when the log has grown meanwhile', async () => {
    await grantPromotional(executor, ada, 1);
    const { pipelines } = test.database;
    const query = pipelines.query.bind(pipelines) as (statement: { name?: string }) => Promise<unknown>;
    const other = executorOn(test.database).executor;
    let written = 0;
    const spy = jest.spyOn(pipelines, 'query').mockImplementation((async (statement: { name?: string }) => {
      if (statement.name === 'write-credit-batch-at-once') {
        written += 1;
        // Another node spends the same credit between reading and writing.
        if (written === 1) await other.buy(purchaseOf(ada, [samples[1] as string]));
      }
      return query(statement);
    }) as never);
    try {
      const answer = await executorOn(test.database).executor.buy(purchaseOf(ada, [first()]));
      expect([codeOf(answer), written]).toEqual(['InsufficientCredits', 2]);
    } finally {
      spy.mockRestore();
    }
    expect(await purchased(ada)).toHaveLength(1);
  });

  it('[API-11] refuses a key that meant something else before', async () => {
    await grantPromotional(executor, ada, 5);
    const key = randomUUID();
    await executor.buy(purchaseOf(ada, [first()], { key }));
    expect(codeOf(await executor.buy(purchaseOf(ada, [samples[1] as string], { key })))).toBe(
      'IdempotencyKeyReused',
    );
  });

  it('keeps a refusal under its key: one key, one outcome', async () => {
    const key = randomUUID();
    expect(codeOf(await executor.buy(purchaseOf(ada, [first()], { key })))).toBe('InsufficientCredits');
    await grantPromotional(executor, ada, 5);
    const again = await executor.buy(purchaseOf(ada, [first()], { key }));
    expect([codeOf(again), again.replayed]).toEqual(['InsufficientCredits', true]);
    expect(codeOf(await executor.buy(purchaseOf(ada, [first()])))).toBe('charged 1');
  });

  it('[DL-08] refuses another price than the one shown, with the new one', async () => {
    await grantPromotional(executor, ada, 5);
    const { outcome } = await executor.buy(purchaseOf(ada, [first()], { expectedCredits: 3 }));
    expect(outcome).toEqual({
      status: 'refused',
      rejection: { code: 'PriceChanged', priceCredits: 1, expectedCredits: 3 },
    });
  });

  it('[DL-07] says balance and what is missing, and changes nothing', async () => {
    await grantPromotional(executor, ada, 2);
    const before = await store.head();
    const { outcome } = await executor.buy(purchaseOf(ada, samples.slice(0, 5)));
    expect(outcome).toEqual({
      status: 'refused',
      rejection: { code: 'InsufficientCredits', balance: 2, missing: 3 },
    });
    expect(await store.head()).toEqual(before);
  });

  it('[DL-15] buys what is not owned of a pack, all or nothing', async () => {
    await grantPromotional(executor, ada, 10);
    await executor.buy(purchaseOf(ada, [first()]));
    const short = await executor.buy(purchaseOf(ada, samples.slice(0, 12), { expectedCredits: 11 }));
    expect(codeOf(short)).toBe('InsufficientCredits');
    expect(await purchased(ada)).toHaveLength(1);
    const { outcome } = await executor.buy(purchaseOf(ada, samples.slice(0, 8), { expectedCredits: 7 }));
    expect(outcome).toMatchObject({ status: 'bought', charged: 7, balance: 2 });
    expect(await purchased(ada)).toHaveLength(8);
  });

  it('[DL-14] lets creators take their own, with neither debit nor earning', async () => {
    const answer = await executor.buy(purchaseOf('junie', [first()]));
    expect(codeOf(answer)).toBe('charged 0');
    const [event] = await store.readStream(`purchase-junie.${first()}`);
    expect(event?.type).toBe('OwnSampleLicensed');
  });

  it('refuses a sample nobody offers', async () => {
    await grantPromotional(executor, ada, 5);
    expect(codeOf(await executor.buy(purchaseOf(ada, ['no-such-sample'])))).toBe('SampleNotAvailable');
  });

  it('[FIN-19] leaves a log without gaps whose lines, lots and balances add up', async () => {
    const buyers = Array.from({ length: 12 }, (_, n) => `${ada}-${n}`);
    await Promise.all(buyers.map((buyer, n) => grantPromotional(executor, buyer, n * 3 + 1)));
    await Promise.all(
      buyers.flatMap((buyer) =>
        samples.slice(0, 20).map((sample) => executor.buy(purchaseOf(buyer, [sample]))),
      ),
    );
    const { rows } = await test.database.pool.query(`
      select (select count(*) = max(position) from event) as gapless,
             (select count(*) = 0 from (select user_id, sum(delta) s from credit_line group by 1) l
                full join credit_account a using (user_id) where coalesce(l.s, 0) <> coalesce(a.balance, 0)) as lines_match,
             (select count(*) = 0 from credit_account a where a.balance <>
                (select coalesce(sum((l->>'credits')::int - (l->>'spentCredits')::int), 0) from jsonb_array_elements(a.lots) l)) as lots_match,
             (select sum(credit_delta) from event) = (select sum(balance) from credit_account) as deltas_match`);
    expect(rows[0]).toEqual({ gapless: true, lines_match: true, lots_match: true, deltas_match: true });
  });

  it('[FIN-18] a rebuild gives the very rows the purchases wrote, and the drift check names a row tampered with', async () => {
    await grantPromotional(executor, ada, 30);
    await Promise.all(samples.slice(0, 20).map((sample) => executor.buy(purchaseOf(ada, [sample]))));
    const projector = new Projector(test.database, store);
    const clean = [...(await projector.drift(credits)), ...(await projector.drift(ownedSamples))];
    expect(clean.every((table) => table.rows === 0)).toBe(true);
    await test.database.pool.query(`update credit_account set balance = balance + 1 where user_id = $1`, [
      ada,
    ]);
    expect(await projector.drift(credits)).toContainEqual({ table: 'credit_account', rows: 2 });
    await projector.rebuild(credits);
    expect((await projector.drift(credits)).every((table) => table.rows === 0)).toBe(true);
    expect(codeOf(await executor.buy(purchaseOf(ada, [samples[50] as string])))).toBe('charged 1');
  });

  it.each([
    ['update', `update event set type = 'Edited'`],
    ['delete', `delete from event`],
    ['truncate', `truncate event`],
  ])('[FIN-19] refuses to %s the log', async (_, statement) => {
    await grantPromotional(executor, ada, 1);
    await expect(test.database.pool.query(statement)).rejects.toThrow('append-only');
  });

  it('[FIN-41] refuses text that cannot be stored, and answers its neighbours in the batch', async () => {
    const promotion = (grantId: string) =>
      executor.grantPromotion(
        { userId: ada, grantId, credits: 1, grantedAt: new Date() },
        { correlationId: 'c' },
      );
    const answers = await Promise.allSettled([
      promotion(`a-${round}`),
      promotion(`b-${round}\ud800`),
      promotion(`c-${round}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((answers[1] as PromiseRejectedResult).reason).toBeInstanceOf(UnstorableText);
    expect((await store.readStream(`credits-${ada}`)).length).toBe(2);
  });

  it('answers the others when one command of a batch breaks', async () => {
    await grantPromotional(executor, ada, 5);
    // PostgreSQL accepts no NUL in text.
    const poisoned = purchaseOf(ada, [samples[3] as string], { key: 'nul\u0000' });
    const answers = await Promise.allSettled([
      executor.buy(purchaseOf(`${ada}-b`, [first()])),
      executor.buy(purchaseOf(ada, [samples[1] as string])),
      executor.buy(poisoned),
      executor.buy(purchaseOf(ada, [samples[2] as string])),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await purchased(ada)).toHaveLength(2);
  });
});
