import { describe, expect, it } from '@jest/globals';
import { printStatement, printYear } from '../../adapters/vendors/pdf/statement-pages.js';
import type { EarningsYear } from '../../application/payouts/contract.js';
import { linesOfPdf } from '../support/pdf-text.js';

const month: EarningsYear['items'][number] = {
  month: '2026-10',
  sales: 49,
  openingMicroUsd: 0,
  grossMicroUsd: 12_803_265,
  grossReturnedMicroUsd: 0,
  returns: 0,
  feesMicroUsd: 5_121_310,
  earnedMicroUsd: 7_681_955,
  takenBackMicroUsd: 0,
  withdrawnMicroUsd: 0,
  writtenOffMicroUsd: 0,
  closingMicroUsd: 7_681_955,
  freeDownloads: 3,
};

describe('statements on paper', () => {
  it('[BOOK-807] have room for every note of a year', async () => {
    const year = { year: '2026', items: [month], openingMicroUsd: 0, closingMicroUsd: 7_681_955 };
    const lines = linesOfPdf(await printYear(year, 'Teo Marchetti'));
    const texts = lines.map(({ text }) => text);
    const notes = /^(Downloads free|Months by|Gross sales are|Amounts are cut off to whole cents)/;
    expect(texts.filter((text) => notes.test(text))).toHaveLength(4);
    const gaps = lines.slice(1).map(({ y }, at) => (lines[at]?.y ?? 0) - y);
    expect(Math.min(...gaps)).toBeGreaterThan(9);
  });

  it('[FIN-711] say that amounts are cut off, and show a minus for whole cents only', async () => {
    const part = {
      lines: [
        { account: 'credits', kind: 'income' as const, amountMicroUsd: 14_401_326, beforeMicroUsd: 0 },
        { account: 'royalties', kind: 'expense' as const, amountMicroUsd: 8_640_777, beforeMicroUsd: 0 },
        {
          account: 'stripe-fees',
          kind: 'expense' as const,
          amountMicroUsd: 8_920_000,
          beforeMicroUsd: 5_000,
        },
      ],
      resultMicroUsd: -3_159_451,
      resultBeforeMicroUsd: -5_000,
    };
    const pdf = await printStatement({
      month: '2026-10',
      monthBefore: '2026-09',
      isClosed: true,
      profitAndLoss: part,
      balanceSheet: part,
    });
    const lines = linesOfPdf(pdf).map(({ text }) => text);
    expect(lines.filter((text) => /Result/.test(text))).toEqual([
      'Result of the month\u22123.150.00',
      'Result since the books began\u22123.150.00',
    ]);
    const notes = lines.filter((text) => text.startsWith('Amounts are cut off to whole cents'));
    expect(notes).toHaveLength(2);
  });
});
