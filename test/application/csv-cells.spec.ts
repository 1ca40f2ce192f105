import { describe, expect, it } from '@jest/globals';
import { staffActsCsv } from '../../adapters/administration/staff-act-queries.js';
import { payoutsCsv, statementCsv } from '../../application/payouts/statement-csv.js';
import { csvCell } from '../../application/shared/csv.js';
import { randomFrom } from '../../domain/shared/seeded-random.js';
import { FORMULA, parseCsv } from '../support/csv.js';

const PIECES = [
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  ' ',
  '\u00a0',
  '"',
  ',',
  "'",
  '|',
  'a',
  '1',
  '＝',
  '＋',
  '－',
  '＠',
];
const random = randomFrom('cells');
const hostile = (): string =>
  Array.from(
    { length: 1 + Math.floor(random() * 6) },
    () => PIECES[Math.floor(random() * PIECES.length)],
  ).join('');

describe('[FIN-20] no cell of a table begins as a formula', () => {
  it('and each is read back as it was, but for an apostrophe', () => {
    const wrong: string[][] = [];
    for (let each = 0; each < 20_000; each += 1) {
      const texts = [hostile(), hostile(), hostile()];
      const cells = parseCsv(`${texts.map(csvCell).join(',')}\r\n`)[0] ?? [];
      const isSafe = !cells.some((cell) => FORMULA.test(cell));
      const isKept = texts.every((text, at) => cells[at] === text || cells[at] === `'${text}`);
      if (!isSafe || !isKept || cells.length !== texts.length) wrong.push(texts);
    }
    expect(wrong).toEqual([]);
  });

  it('nor any that a payment provider or a pack names', () => {
    for (const text of ['=1+1', "+cmd|'/C calc'!A0", '＠SUM(A1)', 'a,=1']) {
      const amounts = { shareMicroUsd: 1, amountMicroUsd: -1, amountUsdCents: 1, reversedUsdCents: 0 };
      const line = { kind: 'sale', soldAt: '', purchaseId: text, sampleId: text, ...amounts };
      const payout = {
        id: '1',
        requestedAt: '',
        settledAt: null,
        status: 'paid',
        transferId: text,
        ...amounts,
      };
      const tables = [statementCsv({ id: '1', lines: [line] } as never), payoutsCsv([payout] as never)].map(
        parseCsv,
      );
      for (const [heads, cells] of tables) {
        expect(cells).toHaveLength(heads?.length ?? 0);
        expect(cells?.filter((cell) => FORMULA.test(cell))).toEqual([]);
      }
    }
  });

  it('whatever people call themselves or give as a reason', () => {
    for (const text of ['=1+1', '@SUM(A1)', "+cmd|'/C calc'!A0", '-1+1', '\t=1', '＝1+1', ' =1', '"=1"']) {
      const none = { by: null, credits: null, microUsd: null, askedByName: null, waitedMs: null };
      const act = {
        id: '1',
        at: '2026-11-22T12:00:00.000Z',
        did: 'alone',
        kind: 'creator',
        byName: text,
        ...none,
      };
      const lines = parseCsv(
        staffActsCsv([{ ...act, beneficiaryName: text, subject: text, note: text } as never]),
      );
      expect(lines).toHaveLength(2);
      expect(lines.flat().filter((cell) => FORMULA.test(cell))).toEqual([]);
      expect(lines[1]?.join()).toContain(text.trim());
    }
  });
});
