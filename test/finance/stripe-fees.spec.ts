import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { journal } from '../../adapters/ledger/journal.js';
import { PostgresRecordedMovements } from '../../adapters/ledger/postgres-recorded-movements.js';
import { StripeBalanceGateway } from '../../adapters/vendors/stripe/stripe-balance-gateway.js';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import {
  BalanceTransactions,
  RecordMovement,
  RecordMovementHandler,
} from '../../application/payments/balance-transactions.js';
import type { BalanceGateway } from '../../application/payments/balance-gateway.js';
import { Streams } from '../../application/shared/streams.js';
import { entryFor } from '../../domain/ledger/entry.js';
import type { BalanceTransaction, MovementKind } from '../../domain/shared/balance-movement.js';
import {
  balanceTransactionDecider,
  type RecordBalanceTransaction,
} from '../../domain/payments/balance-transaction.js';
import { booksOn } from '../support/books.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { gatewayFor, press, sdkFor, startStripeSimulator, WEBHOOK_SECRET } from '../support/stripe.js';
import { breaksBooks } from '../support/invariants.js';
import { busTo } from '../support/command-bus.js';

const movement: RecordBalanceTransaction = {
  type: 'RecordBalanceTransaction',
  transactionId: 'txn_1',
  kind: 'charge',
  about: 'in_1',
  grossUsdCents: 999,
  feeUsdCents: 59,
  at: '2026-11-01T10:00:00.000Z',
};

describe('a movement at the provider', () => {
  const known = {
    transactionId: 'txn_1',
    kind: 'charge',
    about: 'in_1',
    grossMicroUsd: 9_990_000,
    feeMicroUsd: 590_000,
    at: movement.at,
  } as const;

  it('[FIN-02] is recorded under its own id, once', () => {
    const decided = balanceTransactionDecider.decide(movement, balanceTransactionDecider.initialState);
    expect(decided).toEqual({
      accepted: true,
      events: [{ type: 'BalanceTransactionRecorded', data: known }],
    });
    expect(balanceTransactionDecider.decide(movement, { recorded: known })).toEqual({
      accepted: true,
      events: [],
    });
    expect(
      balanceTransactionDecider.decide({ ...movement, feeUsdCents: 60 }, { recorded: known }),
    ).toMatchObject({
      rejection: { code: 'BalanceTransactionContradicts' },
    });
  });

  it.each<[MovementKind, number, number, Record<string, number> | undefined]>([
    ['charge', 9_990_000, 590_000, { 'stripe-fees': 590_000, 'stripe:balance': -590_000 }],
    ['refund', -9_990_000, -590_000, { 'stripe-fees': -590_000, 'stripe:balance': 590_000 }],
    ['transfer', -9_990_000, 0, undefined],
    ['fee', -2_000_000, 0, { 'stripe-fees': 2_000_000, 'stripe:balance': -2_000_000 }],
    // The dispute posts its own fee, and reverses it if it is won and the fee is returned.
    ['dispute', -9_990_000, 15_000_000, undefined],
    ['dispute won', 9_990_000, -15_000_000, { 'dispute-fees': -15_000_000, 'stripe:balance': 15_000_000 }],
    ['other', 5_000_000, 0, undefined],
  ])('[FIN-02] a %s posts the fee alone', (kind, grossMicroUsd, feeMicroUsd, expected) => {
    const data: BalanceTransaction = { ...known, kind, grossMicroUsd, feeMicroUsd };
    const entry = entryFor({ type: 'BalanceTransactionRecorded', data });
    expect(entry && Object.fromEntries(entry.postings.map(({ account, delta }) => [account, delta]))).toEqual(
      expected,
    );
  });
});

describe('fees at Stripe', () => {
  let test: TestDatabase;
  let on: ReturnType<typeof booksOn>;
  let simulator: StripeSimulator;
  let gateway: StripeBalanceGateway;

  const transactions = () => {
    const recorded = new PostgresRecordedMovements(test.database);
    return new BalanceTransactions(
      gateway,
      on.eventStore,
      busTo((bus) => new RecordMovementHandler(new Streams(on.eventStore), bus)),
      recorded,
      simulator,
    );
  };
  const recorded = async () =>
    (await on.eventStore.readAll({ after: 0, limit: 1_000, types: ['BalanceTransactionRecorded'] })).map(
      ({ data }) => data as unknown as BalanceTransaction,
    );
  const fees = async (): Promise<number> => {
    await on.post();
    return (await on.books.statement('stripe-fees', { limit: 1 })).balanceMicroUsd;
  };
  const pay = async (userId: string): Promise<string> => {
    const payments = gatewayFor(simulator);
    const back = 'http://127.0.0.1:9/';
    const { url, customerId } = await payments.createCheckout({
      userId,
      email: `${userId}@example.com`,
      product: 'starter',
      successUrl: back,
      cancelUrl: back,
      idempotencyKey: userId,
    });
    await press(url, { outcome: 'paid' });
    const { data } = await sdkFor(simulator).charges.list({ customer: customerId as string });
    return data[0]?.id as string;
  };
  const told = (type: string, objectId: string) =>
    transactions().handle({ id: `evt_${objectId}`, type, objectId, createdAt: new Date() });

  beforeAll(async () => {
    test = await startTestDatabase();
    on = booksOn(test);
    simulator = await startStripeSimulator({ webhookSecret: WEBHOOK_SECRET });
    gateway = new StripeBalanceGateway({
      secretKey: 'sk_test_of_the_tests',
      webhookSecret: WEBHOOK_SECRET,
      apiBase: simulator.url,
      retries: 0,
    });
  });
  afterAll(async () => {
    await simulator?.close();
    await test?.close();
  });

  it('[FIN-02] are posted once, told of twice, at once and by the sweep', async () => {
    const before = await fees();
    const charge = await pay('ada');
    const first = await Promise.all([
      told('charge.succeeded', charge),
      told('charge.updated', charge),
      transactions().sweep(),
    ]);
    expect(first.slice(0, 2)).toEqual([true, true]);
    await told('charge.succeeded', charge);
    expect(await transactions().sweep()).toBe(0);
    // 2.9 % of 9.99 and 30 cents.
    expect((await fees()) - before).toBe(590_000);
    const [own] = (await recorded()).slice(-1);
    expect(own).toMatchObject({
      kind: 'charge',
      about: expect.stringMatching(/^in_/),
      grossMicroUsd: 9_990_000,
    });
  });

  it('[FIN-02, FIN-28] the sweep finds what no webhook told of, whatever moved, and names it as we do', async () => {
    const charge = await pay('ben');
    const sdk = sdkFor(simulator);
    const refund = await sdk.refunds.create({ charge, amount: 100, metadata: { refundId: 'ours' } });
    const hook = (name: string, fields: object) =>
      fetch(`${simulator.url}/_test/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      }).then((answer) => answer.json() as Promise<{ id: string }>);
    await hook('fail-refund', { refund: refund.id });
    const dispute = await hook('dispute', { charge });
    await hook('close-dispute', { dispute: dispute.id, outcome: 'won' });
    await hook('top-up', { amountUsdCents: 5_000 });
    const payout = await sdk.payouts.create({ amount: 500, currency: 'usd' });
    await hook('bounce-payout', { payout: payout.id });
    expect(await transactions().sweep()).toBe(8);
    expect((await recorded()).slice(-8).map(({ kind, about }) => `${kind} ${about ?? ''}`.trim())).toEqual([
      expect.stringMatching(/^charge in_/),
      'refund ours',
      'refund failed ours',
      `dispute ${dispute.id}`,
      `dispute won ${dispute.id}`,
      'other',
      `bank payout ${payout.id}`,
      `bank payout failed ${payout.id}`,
    ]);
  });

  it('[FIN-18] an installation from before has its books written anew, both sides of the balance included', async () => {
    await on.post();
    const { pool } = test.database;
    const rows = async () =>
      (await pool.query('select * from balance_transaction order by transaction_id')).rows;
    const before = await rows();
    expect(before.length).toBeGreaterThan(0);
    await pool.query('delete from balance_transaction');
    await pool.query(`update checkpoint set version = 2 where name = 'journal'`);
    await on.post();
    expect(await rows()).toEqual(before);
  });

  it('[FIN-28, FIN-93] rule 14 names what one side has had alone for days', async () => {
    const rule = async () =>
      (await on.reconcile.run({ files: 0 })).invariants.find(({ number }) => number === 14);
    const age = (table: string, column: string) =>
      test.database.pool.query(`update ${table} set ${column} = ${column} - interval '8 days'`);
    expect(await rule()).toMatchObject({ holds: true });
    await age('balance_transaction', 'recorded_at');
    expect(await rule()).toMatchObject({
      holds: false,
      detail: expect.stringMatching(
        /^bank-payout-failed of po_\w+: 5\.00 USD at the provider, 0\.00 USD in the books; /,
      ),
    });
    await on.projector.rebuild(journal);
    expect(await rule()).toMatchObject({ holds: true });
  });

  it('[FIN-28] a charge waits for its invoice to be known, and is a stranger’s in the end', async () => {
    const at = new Date(Date.now() - 2 * 3_600_000);
    let now = new Date(at.getTime() + 60_000);
    let about: string | undefined;
    const told = (transactionId: string) => {
      const gateway = {
        movementsBehind: async () => [transactionId],
        readMovement: async () => ({
          transactionId,
          kind: 'charge',
          grossUsdCents: 999,
          feeUsdCents: 59,
          at: at.toISOString(),
          ...(about ? { about } : {}),
        }),
      } as unknown as BalanceGateway;
      const recorded = new PostgresRecordedMovements(test.database);
      const transactions = new BalanceTransactions(
        gateway,
        on.eventStore,
        busTo((bus) => new RecordMovementHandler(new Streams(on.eventStore), bus)),
        recorded,
        {
          now: () => now,
        },
      );
      return transactions.handle({ id: 'evt', type: 'charge.succeeded', objectId: 'ch', createdAt: at });
    };
    const subjects = async () =>
      (await recorded())
        .filter(({ transactionId }) => transactionId.startsWith('txn_wait'))
        .map((each) => each.about);
    await told('txn_wait1');
    expect(await subjects()).toEqual([]);
    about = 'in_late';
    await told('txn_wait1');
    expect(await subjects()).toEqual(['in_late']);
    about = undefined;
    now = new Date(at.getTime() + 3_600_001);
    await told('txn_wait2');
    expect(await subjects()).toEqual(['in_late', undefined]);
  });

  it('[FIN-502] the sweep holds a movement of any age that has no fact, and asks no more about those that are settled', async () => {
    breaksBooks(test.database, 'an old movement of no sale stays in suspense', [14, 15]);
    const recordedMovements = new PostgresRecordedMovements(test.database);
    const later = () => new Date(Date.now() + 2 * 3_600_000);
    const settledTo = async (): Promise<number> =>
      (await test.database.pool.query('select settled_position as at from balance_sweep')).rows[0].at;
    await on.post();
    const before = await recordedMovements.withoutFact(later());
    const data = {
      transactionId: 'txn_old',
      kind: 'charge',
      about: 'in_old',
      grossMicroUsd: 4_640_000,
      feeMicroUsd: 0,
    };
    const at = new Date(Date.now() - 100 * 86_400_000).toISOString();
    const told = [{ type: 'BalanceTransactionRecorded', data: { ...data, at } }];
    await on.eventStore.append([{ stream: 'balance-txn_old', expectedVersion: 0, events: told }], {
      actor: 'system:balance-sweep',
      correlationId: 'c',
    });
    await on.post();
    expect(await recordedMovements.withoutFact(later())).toEqual([...before, 'txn_old']);
    const bus = busTo((commands) => new RecordMovementHandler(new Streams(on.eventStore), commands));
    for (const id of [...before, 'txn_old'])
      await bus.execute(
        new RecordMovement(id, { type: 'HoldInSuspense' }, { actor: 'system:balance-sweep' }),
      );
    await on.post();
    expect(await recordedMovements.withoutFact(later())).toEqual([]);
    expect(await settledTo()).toBeGreaterThan(0);
  });
});
