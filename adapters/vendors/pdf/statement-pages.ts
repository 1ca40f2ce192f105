import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import type { MonthlyStatement, StatementPart } from '../../../application/ledger/reports/report-contract.js';
import { accountLabel } from '../../../application/ledger/values.js';
import { boundsOf } from '../../../domain/ledger/period.js';
import {
  COLUMN,
  GROUND,
  INK,
  LINE,
  MARGIN,
  MUTED,
  ORANGE,
  PAPER,
  WIDTH,
  registerFaces,
  write,
  type Document,
  type Style,
} from './page-parts.js';

const HEAD = 84;
const AMOUNT = 100;

const KINDS = {
  income: 'Income',
  expense: 'Expenses',
  asset: 'Assets',
  liability: 'Liabilities',
  equity: 'Equity',
} as const;

/** Prints two pages: the profit and loss of a month, and the balance sheet at its end. */
export function printStatement(statement: MonthlyStatement): Promise<Buffer> {
  const { month, isClosed, profitAndLoss, balanceSheet } = statement;
  const { to } = boundsOf(month);
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: 'en',
    displayTitle: true,
    pdfVersion: '1.7',
    // Fixed dates, so that the same statement always gives the same file.
    info: { Title: `Statement of ${month}`, Author: 'Offcut', CreationDate: to, ModDate: to },
  });
  const bytes = buffer(document);
  registerFaces(document);
  const state = isClosed ? 'closed' : 'not closed yet, figures may change';
  page(document, ['Profit and loss', state], profitAndLoss, statement, 'Result of the month');
  document.addPage({ size: 'A4', margin: 0 });
  page(document, ['Balance sheet', state], balanceSheet, statement, 'Result since the books began');
  document.end();
  return bytes;
}

const monthName = (month: string): string =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    boundsOf(month).from,
  );

/** Dollars in whole cents, the rest cut off, as on screen. */
const inCents = (microUsd: number): string =>
  (Math.trunc(microUsd / 10_000) / 100).toLocaleString('en', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });

function page(
  document: Document,
  [title, state]: [title: string, state: string],
  part: StatementPart,
  { month, monthBefore }: MonthlyStatement,
  result: string,
): void {
  document.polygon([0, 0], [WIDTH - 44, 0], [WIDTH, 44], [WIDTH, HEAD], [0, HEAD]).fill(GROUND);
  write(document, ['strong', 12, ORANGE], `Offcut, ${state}`, [MARGIN, 20], [COLUMN - 44, 1]);
  write(document, ['display', 24, PAPER], `${title}, ${monthName(month)}`, [MARGIN, 38], [COLUMN - 44, 1]);
  let y = HEAD + 20;
  const row = (cells: [string, string, string], style: Style, size = 10, color = INK) => {
    const [name, amount, before] = cells;
    write(document, [style, size, color], name, [MARGIN, y], [COLUMN - 2 * AMOUNT, 1]);
    for (const [text, right] of [
      [amount, WIDTH - MARGIN - AMOUNT],
      [before, WIDTH - MARGIN],
    ] as const) {
      document.fontSize(size);
      write(document, [style, size, color], text, [right - document.widthOfString(text), y]);
    }
    y += 22;
    document
      .moveTo(MARGIN, y - 6)
      .lineTo(WIDTH - MARGIN, y - 6)
      .lineWidth(0.5)
      .stroke(LINE);
  };
  row(['In US dollars', monthName(month), monthName(monthBefore)], 'text', 9, MUTED);
  for (const [kind, heading] of Object.entries(KINDS)) {
    const lines = part.lines.filter((line) => line.kind === kind);
    if (lines.length === 0) continue;
    row([heading, '', ''], 'strong', 11);
    for (const { account, amountMicroUsd, beforeMicroUsd } of lines)
      row([accountLabel(account), inCents(amountMicroUsd), inCents(beforeMicroUsd)], 'text');
  }
  row([result, inCents(part.resultMicroUsd), inCents(part.resultBeforeMicroUsd)], 'strong', 11);
}
