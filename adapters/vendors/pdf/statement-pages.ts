import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import type { MonthlyStatement, StatementPart } from '../../../application/ledger/reports/report-contract.js';
import type { EarningsYear } from '../../../application/payouts/contract.js';
import { totalsOf, YEAR_COLUMNS } from '../../../application/payouts/earnings-years.js';
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
  const document = newDocument(`Statement of ${month}`, to);
  const bytes = buffer(document);
  const state = isClosed ? 'closed' : 'not closed yet, figures may change';
  page(document, ['Profit and loss', state], profitAndLoss, statement, 'Result of the month');
  document.addPage({ size: 'A4', margin: 0 });
  page(document, ['Balance sheet', state], balanceSheet, statement, 'Result since the books began');
  document.end();
  return bytes;
}

/** Opens a document. @param date fixed, so that the same statement always gives the same file */
function newDocument(title: string, date: Date): Document {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: 'en',
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: title, Author: 'Offcut', CreationDate: date, ModDate: date },
  });
  registerFaces(document);
  return document;
}

const YEAR_SIZE = 7.5;

/** Prints the months of a creator's year with their totals. */
export function printYear(year: EarningsYear, name: string): Promise<Buffer> {
  const { to } = boundsOf(`${year.year}-12`);
  const document = newDocument(`Statement of ${year.year}`, to);
  const bytes = buffer(document);
  head(document, [`Offcut, statement for ${name}`, `Sales and payouts, ${year.year}`]);
  const columns = YEAR_COLUMNS.filter(
    ([of]) => of !== 'writtenOffMicroUsd' || year.items.some((month) => month[of] !== 0),
  );
  let y = HEAD + 20;
  const row = (cells: readonly string[], style: Style, color = INK) => {
    const width = (COLUMN - 52) / (cells.length - 1);
    for (const [index, text] of cells.entries()) {
      document.fontSize(YEAR_SIZE).font(style === 'strong' ? 'strong/latin' : 'text/latin');
      const right = MARGIN + 52 + index * width;
      const x = index === 0 ? MARGIN : right - document.widthOfString(text);
      write(document, [style, YEAR_SIZE, color], text, [x, y]);
    }
    y += 20;
    line(document, y - 6);
  };
  row(['US dollars', 'Sales', ...columns.map(([, label]) => label)], 'text', MUTED);
  const totals = totalsOf(year);
  for (const month of [...year.items, totals])
    row(
      [
        month === totals ? 'Total' : monthName(month.month, 'short'),
        String(month.sales),
        ...columns.map(([of, , sign]) => inCents(sign * month[of] || 0)),
      ],
      month === totals ? 'strong' : 'text',
    );
  const { freeDownloads } = totals;
  const notes = [
    ...(freeDownloads > 0
      ? [
          `Downloads free by promotion codes: ${freeDownloads.toLocaleString('en')}. They were free, so they earn no share and are in no amount.`,
        ]
      : []),
    'Months by UTC. Before, your share, taken back, payouts and written off add up to the balance.',
    'Gross sales are the value of the credits that listeners spent. Gross sales less returned less fees are your share, less the share of returned sales.',
    CUT_OFF,
  ];
  writeNotes(document, notes, y);
  document.end();
  return bytes;
}

const CUT_OFF =
  'Amounts are cut off to whole cents, so a sum can differ from its shown parts by some cents. The table (CSV) has them to the micro-dollar.';

/** Writes notes of up to two lines below each other. */
function writeNotes(document: Document, notes: readonly string[], top: number): void {
  let y = top + 16;
  for (const note of notes) {
    write(document, ['text', 9, MUTED], note, [MARGIN, y], [COLUMN, 2]);
    y = document.y + 4;
  }
}

function line(document: Document, y: number): void {
  document
    .moveTo(MARGIN, y)
    .lineTo(WIDTH - MARGIN, y)
    .lineWidth(0.5)
    .stroke(LINE);
}

function head(document: Document, [small, large]: [small: string, large: string]): void {
  document.polygon([0, 0], [WIDTH - 44, 0], [WIDTH, 44], [WIDTH, HEAD], [0, HEAD]).fill(GROUND);
  write(document, ['strong', 12, ORANGE], small, [MARGIN, 20], [COLUMN - 44, 1]);
  write(document, ['display', 24, PAPER], large, [MARGIN, 38], [COLUMN - 44, 1]);
}

const monthName = (month: string, style: 'long' | 'short' = 'long'): string =>
  new Intl.DateTimeFormat('en-GB', { month: style, year: 'numeric', timeZone: 'UTC' }).format(
    boundsOf(month).from,
  );

/** Dollars in whole cents, the rest cut off. Less than a cent has no sign. */
const inCents = (microUsd: number): string =>
  ((Math.trunc(microUsd / 10_000) || 0) / 100)
    .toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    .replace('-', '\u2212');

function page(
  document: Document,
  [title, state]: [title: string, state: string],
  part: StatementPart,
  { month, monthBefore }: MonthlyStatement,
  result: string,
): void {
  head(document, [`Offcut, ${state}`, `${title}, ${monthName(month)}`]);
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
    line(document, y - 6);
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
  writeNotes(document, [CUT_OFF], y);
}
