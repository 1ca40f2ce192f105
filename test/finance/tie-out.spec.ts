import { describe, expect, it } from '@jest/globals';
import { readStripeReport, ReportUnreadable } from '../../application/finance/stripe-report.js';
import { tieOut, type CashFact } from '../../domain/ledger/tie-out.js';

const HEADER = 'balance_transaction_id,created_utc,gross,fee,net,reporting_category,source_id,invoice_id';
const read = (...rows: string[]) => readStripeReport([HEADER, ...rows].join('\r\n'));
const fact = (position: number, reference: string, dollars: number): CashFact => ({
  position,
  at: new Date('2026-11-03T10:00:00Z'),
  fact: 'invoice-paid',
  references: [reference],
  amountMicroUsd: dollars * 1_000_000,
});
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
  it('ties one transaction to one fact', () => {
    const { matched, unmatchedTransactions, unmatchedFacts } = tieOut(
      read(charge, charge, charge.replace('txn_1', 'txn_2')),
      [fact(1, 'in_1', 9.99)],
    );
    expect(matched.map((pair) => [pair.transaction.transactionId, pair.fact.position])).toEqual([
      ['txn_1', 1],
    ]);
    expect(unmatchedTransactions.map(({ transactionId }) => transactionId)).toEqual(['txn_2']);
    expect(unmatchedFacts).toEqual([]);
  });

  it('keeps apart what names the same invoice and moved other amounts', () => {
    const refund = 'txn_3,2026-11-04 10:00:00,-4.00,0.00,-4.00,refund,re_1,in_1';
    const facts = [fact(2, 'in_1', -4), fact(1, 'in_1', 9.99), fact(3, 'in_1', -5)];
    const { matched, unmatchedFacts } = tieOut(read(charge, refund), facts);
    expect(matched.map((pair) => pair.fact.position)).toEqual([1, 2]);
    expect(unmatchedFacts.map(({ position }) => position)).toEqual([3]);
  });

  it('compares a dispute with all that it took', () => {
    const dispute = 'txn_4,2026-11-05 10:00:00,-9.99,15.00,-24.99,dispute,dp_1,in_1';
    expect(tieOut(read(dispute), [fact(4, 'dp_1', -24.99)]).unmatchedTransactions).toEqual([]);
  });
});
