import { describe, expect, it } from '@jest/globals';
import { readStripeReport, ReportUnreadable } from '../../application/ledger/tie-outs/stripe-report.js';
import { tieOut, type CashFact, type RecordedTransaction } from '../../domain/ledger/tie-out.js';

const HEADER = 'balance_transaction_id,created_utc,gross,fee,net,reporting_category,source_id,invoice_id';
const read = (...rows: string[]) => readStripeReport([HEADER, ...rows].join('\r\n'));
const at = new Date('2026-11-03T10:00:00Z');
const fact = (position: number, kind: string, about: string, dollars: number): CashFact => ({
  position,
  at,
  fact: kind,
  about,
  currency: 'usd',
  amountMicroUsd: Math.round(dollars * 1_000_000),
});
const recorded = (
  position: number,
  transactionId: string,
  more: Partial<RecordedTransaction> = {},
): RecordedTransaction => ({
  position,
  transactionId,
  fact: 'invoice-paid',
  about: 'in_1',
  currency: 'usd',
  grossMicroUsd: 9_990_000,
  ...more,
});
const paid = fact(1, 'invoice-paid', 'in_1', 9.99);
const fee = (position: number, transactionId: string) => fact(position, 'stripe-fee', transactionId, -0.59);
const charge = 'txn_1,2026-11-03 10:00:00,9.99,0.59,9.40,charge,ch_1,in_1';

describe("Stripe's report", () => {
  it('is read exactly, quoted or not', () => {
    const [first] = readStripeReport(
      `\uFEFFid,Created (UTC),Amount,Net,Type,Source,Description\n"txn_1","2026-11-03 10:00","-0.07","-0.07","refund","re_1","said ""no"", and\nleft"\n\n`,
    );
    expect(first).toEqual({
      transactionId: 'txn_1',
      at: new Date('2026-11-03T10:00:00Z'),
      category: 'refund',
      currency: 'usd',
      grossMicroUsd: -70_000,
      netMicroUsd: -70_000,
      references: ['re_1'],
    });
  });

  it.each([
    ['', 'There is no column balance_transaction_id.'],
    [charge.replace('txn_1', 'ch_1'), 'Line 2 has no txn_ id.'],
    [charge.replace('9.99', '9.999'), 'Line 2 has an amount that is none: 9.999'],
    [charge.replace('2026-11-03', 'soon'), 'Line 2 has no time.'],
  ])('is refused when it says %j', (row, message) => {
    const text = row === '' ? '' : `${HEADER}\n${row}`;
    expect(() => readStripeReport(text)).toThrow(new ReportUnreadable(message));
  });
});

describe('[FIN-17] the tie-out', () => {
  it('ties one transaction to what the log has under its id, once', () => {
    const { matched, unmatchedTransactions, unmatchedFacts } = tieOut(
      read(charge, charge, charge.replace('txn_1', 'txn_2')),
      [recorded(2, 'txn_1')],
      [paid, fee(2, 'txn_1')],
    );
    expect(matched.map(({ transaction, position }) => [transaction.transactionId, position])).toEqual([
      ['txn_1', 1],
    ]);
    expect(unmatchedTransactions.map(({ transactionId }) => transactionId)).toEqual(['txn_2']);
    expect(unmatchedFacts).toEqual([]);
  });

  it('goes by the id alone: the same invoice and amount under another id is no match', () => {
    const found = tieOut(
      read(charge.replace('txn_1', 'txn_9')),
      [recorded(2, 'txn_1')],
      [paid, fee(2, 'txn_1')],
    );
    expect(found.matched).toEqual([]);
    expect(found.unmatchedFacts.map(({ position }) => position)).toEqual([1, 2]);
  });

  it.each([
    ['no fact behind it', [fee(2, 'txn_1')]],
    ['no fee posted', [paid]],
    ['another amount paid', [{ ...paid, amountMicroUsd: 5 }, fee(2, 'txn_1')]],
  ])('lists both sides whole where there is %s', (_, facts) => {
    const found = tieOut(read(charge), [recorded(2, 'txn_1')], facts);
    expect(found.matched).toEqual([]);
    expect(found.unmatchedTransactions).toHaveLength(1);
    expect(found.unmatchedFacts).toEqual(facts);
  });

  it('adds up the lines of an invoice that one charge paid', () => {
    const facts = [
      fact(1, 'invoice-paid', 'in_1', 4),
      fact(2, 'invoice-paid', 'in_1', 5.99),
      fee(3, 'txn_1'),
    ];
    expect(tieOut(read(charge), [recorded(3, 'txn_1')], facts)).toMatchObject({
      matched: [{ position: 1 }],
      unmatchedTransactions: [],
      unmatchedFacts: [],
    });
  });

  it('compares a dispute with all that it took, and a fee with itself', () => {
    const rows = [
      'txn_4,2026-11-05 10:00:00,-9.99,15.00,-24.99,dispute,dp_1,in_1',
      'txn_5,2026-11-05 10:00:00,-2.00,0.00,-2.00,fee,,',
    ];
    const known = [
      recorded(5, 'txn_4', {
        fact: 'dispute-opened',
        about: 'dp_1',
        grossMicroUsd: -9_990_000,
      }),
      recorded(6, 'txn_5', { fact: null, about: null, grossMicroUsd: -2_000_000 }),
    ];
    const facts = [fact(4, 'dispute-opened', 'dp_1', -24.99), fact(6, 'stripe-fee', 'txn_5', -2)];
    const { unmatchedTransactions, unmatchedFacts } = tieOut(read(...rows), known, facts);
    expect([unmatchedTransactions, unmatchedFacts]).toEqual([[], []]);
  });

  it('[FIN-51] leaves out a refund that the provider refused, and lists one that it only failed to report', () => {
    const refused = [fact(8, 'invoice-refunded', 'r1', -7.99), fact(9, 'refund-undone', 'r1', 7.99)];
    const unreported = fact(10, 'invoice-refunded', 'r2', -7.99);
    expect(tieOut([], [], [...refused, unreported]).unmatchedFacts).toEqual([unreported]);
  });

  it('[FIN-127] ties a movement that was in suspense until its fact came, and lists one that is there still', () => {
    const explained = [
      fact(3, 'movement-in-suspense', 'txn_1', 9.99),
      fact(5, 'movement-in-suspense', 'txn_1', -9.99),
    ];
    const still = fact(6, 'movement-in-suspense', 'txn_2', 9.99);
    const { matched, unmatchedFacts } = tieOut(
      read(charge),
      [recorded(2, 'txn_1')],
      [paid, fee(2, 'txn_1'), ...explained, still],
    );
    expect(matched).toHaveLength(1);
    expect(unmatchedFacts).toEqual([still]);
  });

  it('lists what is recorded and nobody of ours explains', () => {
    const topUp = 'txn_6,2026-11-05 10:00:00,5.00,0.00,5.00,topup,tu_1,';
    const known = recorded(7, 'txn_6', {
      fact: null,
      about: null,
      grossMicroUsd: 5_000_000,
    });
    expect(tieOut(read(topUp), [known], []).unmatchedTransactions).toHaveLength(1);
    const held = { ...known, fact: 'movement-in-suspense', about: 'txn_6' };
    const inSuspense = fact(7, 'movement-in-suspense', 'txn_6', 5);
    expect(tieOut(read(topUp), [held], [inSuspense])).toMatchObject({
      unmatchedTransactions: [],
      unmatchedFacts: [],
    });
  });
});
