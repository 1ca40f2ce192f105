import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresInvoiceLots } from '../../adapters/payments/postgres-invoice-lots.js';
import { stripeWords } from '../../adapters/vendors/stripe/stripe-words.js';
import { PostgresOpenBookQueries } from '../../adapters/ledger/postgres-open-books.js';
import { PostgresPaymentRecords } from '../../adapters/payments/postgres-payment-records.js';
import type { InvoiceLotCommand, ShareInHold } from '../../domain/credits/invoice-lot.js';
import { booksOn } from '../support/books.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { purchaseOf, stock } from '../support/stock.js';

/** Two lines of one invoice: 50 credits for 9.99 and 100 for 15.99, paid by one charge of 25.98. */
describe('an invoice of several lines', () => {
  let test: TestDatabase;
  let on: ReturnType<typeof booksOn>;
  let lots: PostgresInvoiceLots;
  let samples: string[];
  let count = 0;

  beforeAll(async () => {
    test = await startTestDatabase();
    on = booksOn(test);
    lots = new PostgresInvoiceLots(test.database);
    samples = await stock(test.database, 10);
  });
  afterAll(() => test?.close());

  /** @param spent number of samples bought with credits of the first line */
  async function paid(spent = 0) {
    const [userId, invoiceId] = [`user${(count += 1)}`, `in_lines_${count}`];
    const paidAt = new Date();
    for (const [line, credits, cents] of [
      [1, 50, 999],
      [2, 100, 1_599],
    ] as const) {
      const amounts = { grossMicroUsd: cents * 10_000, taxMicroUsd: 0, netMicroUsd: cents * 10_000 };
      const invoiceLineId = `il_${count}_${line}`;
      await on.executor.grantInvoice(
        { userId, invoiceId, invoiceLineId, credits, ...amounts, paidAt },
        { correlationId: invoiceId },
      );
    }
    const records = new PostgresPaymentRecords(test.database);
    await records.markSettled({ invoiceId, userId, paidAt, sellsProduct: true }, paidAt);
    if (spent > 0) await on.executor.buy(purchaseOf(userId, samples.slice(0, spent)));
    const found = await lots.find({ invoiceId });
    const correct = (correction: InvoiceLotCommand) =>
      on.executor.correctInvoice({
        type: 'CorrectInvoice',
        userId,
        lotIds: found.map(({ lotId }) => lotId),
        correction,
        metadata: { actor: 'system:test', correlationId: invoiceId },
      });
    return { userId, found, correct };
  }
  const eventsOf = async (userId: string, type: string) =>
    (await on.eventStore.readStream(`credits-${userId}`))
      .filter((event) => event.type === type)
      .map(({ data }) => data as Record<string, number & string>);
  const balance = async (userId: string): Promise<number> => {
    const { rows } = await test.database.pool.query(`select balance from credit_account where user_id = $1`, [
      userId,
    ]);
    return rows[0].balance as number;
  };
  const broken = async () => {
    await on.post();
    const { invariants } = await on.reconcile.run({ files: 0 });
    // Rule 18 compares read models, and the shop was stocked by hand, without events.
    return invariants.filter(
      ({ number, holds, detail = '' }) => !holds && (number !== 18 || /credits|journal/.test(detail)),
    );
  };
  const refund = (refundId: string, cents: number): InvoiceLotCommand => ({
    type: 'RecordRefund',
    refundId,
    amountMicroUsd: cents * 10_000,
  });
  const opened = (disputeId: string, cents: number): InvoiceLotCommand => ({
    type: 'RecordDispute',
    disputeId,
    amountMicroUsd: cents * 10_000,
    feeMicroUsd: 15_000_000,
  });

  it('[FIN-07] a refund by the provider goes over the lines as far as each has money, once', async () => {
    const { userId, correct } = await paid();
    await correct(refund('re_all', 1_500));
    await correct(refund('re_all', 1_500));
    const parts = (await eventsOf(userId, 'InvoiceRefunded')).map(({ lotId, netMicroUsd }) => [
      lotId,
      netMicroUsd,
    ]);
    expect(parts).toEqual([
      [`invoice-il_${count}_1`, 9_990_000],
      [`invoice-il_${count}_2`, 5_010_000],
    ]);
    // All 50 of the first line, and 31 of 100 for 5.01 of 15.99.
    expect(await balance(userId)).toBe(69);
    await correct({ type: 'RecordRefundFailure', refundId: 're_all', failure: 'expired' });
    expect((await eventsOf(userId, 'RefundFailed')).map(({ amountMicroUsd }) => amountMicroUsd)).toEqual([
      9_990_000, 5_010_000,
    ]);
    expect(await broken()).toEqual([]);
  });

  it('[FIN-34, FIN-35] a refund of more than is left takes all credits, and the rest is in suspense', async () => {
    const { userId, correct } = await paid();
    await correct(refund('re_part', 1_500));
    expect(await correct(refund('re_more', 1_100))).toMatchObject({ accepted: true, balance: 0 });
    expect((await eventsOf(userId, 'InvoiceRefunded')).map(({ unexplained }) => unexplained)).toEqual([
      undefined,
      undefined,
      { amountMicroUsd: 20_000, reason: 'more than is left of the payment' },
    ]);
    await on.post();
    const open = await new PostgresOpenBookQueries(test.database, stripeWords).openItems(new Date());
    expect(open.items.find(({ about }) => about === 're_more')).toMatchObject({
      account: 'suspense',
      amountMicroUsd: -20_000,
      reason: 'more than is left of the payment',
    });
    expect(await broken()).toEqual([]);
  });

  it('[ADM-04, FIN-07] what is unspent of every line goes back, each as a refund of its own', async () => {
    const { userId, correct } = await paid(10);
    const now = new Date().toISOString();
    const command = { type: 'RefundUnspent', refundId: 'r', by: 'pia', explanation: 'asked', now } as const;
    const outcome = await correct(command);
    expect(outcome).toMatchObject({ accepted: true, balance: 0 });
    expect((await correct(command)).accepted && (await eventsOf(userId, 'InvoiceRefunded'))).toMatchObject([
      { refundId: 'r', netMicroUsd: 7_990_000, credits: 40 },
      { refundId: 'r.2', netMicroUsd: 15_990_000, credits: 100 },
    ]);
    expect(await correct({ ...command, refundId: 's' })).toMatchObject({
      rejection: { code: 'NothingToRefund' },
    });
    expect(await broken()).toEqual([]);
  });

  it('[FIN-09] a dispute freezes every line it reaches, pays one fee, and thaws all when won', async () => {
    const { userId, correct } = await paid(10);
    await correct(opened('dp_won', 2_598));
    expect((await eventsOf(userId, 'DisputeOpened')).map(({ feeMicroUsd }) => feeMicroUsd)).toEqual([
      15_000_000, 0,
    ]);
    expect(await balance(userId)).toBe(0);
    await correct({ type: 'RecordDisputeClosed', disputeId: 'dp_won', outcome: 'won', shares: [] });
    expect(await balance(userId)).toBe(140);
    expect(await broken()).toEqual([]);
  });

  it('[FIN-10] a lost dispute revokes every line, and takes shares back from the one that paid them', async () => {
    const { userId, found, correct } = await paid(10);
    await correct(opened('dp_lost', 2_598));
    const shares: ShareInHold[] = [];
    for (const lot of found) shares.push(...(await lots.sharesSoldAfter(lot, new Date(0))));
    expect(new Set(shares.map(({ lotId }) => lotId))).toEqual(new Set([found[0]?.lotId]));
    const closed: InvoiceLotCommand = {
      type: 'RecordDisputeClosed',
      disputeId: 'dp_lost',
      outcome: 'lost',
      shares,
    };
    await correct(closed);
    await correct(closed);
    expect(await eventsOf(userId, 'DisputeLost')).toHaveLength(2);
    expect(await eventsOf(userId, 'ShareTakenBack')).toHaveLength(10);
    expect(await balance(userId)).toBe(0);
    expect(await broken()).toEqual([]);
    expect(await correct({ ...closed, disputeId: 'dp_other' })).toMatchObject({
      rejection: { code: 'NotFound' },
    });
  });
});
