import type { Command } from 'commander';
import { onProduct } from '../on-product.js';

/** The reports and checks of the books, with their descriptions and options. */
const FINANCE: readonly [report: string, about: string, ...options: FinanceOption[]][] = [
  [
    'verify',
    'Checks the 25 invariants of the books, the chain of the log and the files on sale: what is new, and what was found wrong.',
    'all',
  ],
  ['trial-balance', 'Prints the balance of each account.', 'as-of', 'format'],
  [
    'account <account>',
    'Lists an account such as stripe:balance or user:{id}, line by line, with the event behind each.',
    'from',
    'to',
  ],
  [
    'rollforward',
    'Credits between two times: opening, movements and closing.',
    'user',
    'from',
    'to',
    'format',
  ],
  ['creator <id>', 'What a creator earned and is owed, and each payout with the lines that sum to it.'],
  [
    'trace <id>',
    'Explains any id of the books, or an event by its position: where the money came from, and each sum.',
    'line',
    'format',
  ],
  ['proof <user id>', "Explains a user's balance, event by event."],
  ['export', 'Every line of the journal, as hledger, beancount, csv or json.', 'from', 'to', 'format'],
  ['months', 'Cash, unspent credits and the debt to creators, at the end of each month.', 'format'],
  ['credit-months', 'Credits by month: opening, movements and closing.', 'user', 'format'],
  [
    'deferred',
    'Deferred revenue by month, in dollars: opening, movements and closing.',
    'from',
    'to',
    'format',
  ],
  ['margin', 'What each plan earned and cost, by month.', 'from', 'to', 'format'],
  [
    'breakage-estimate',
    'Estimates paid credits that will never be spent; the estimate is never posted.',
    'as-of',
    'format',
  ],
  [
    'journal <month>',
    'A closed month as one journal entry for another bookkeeping, as CSV.',
    'format',
    'draft',
  ],
  ['ageing', 'What unspent credits are worth, by their age.', 'as-of', 'format'],
  ['open-items', 'Items in transit, held or unexplained, and their age.', 'format'],
  ['alerts', 'Alerts about money that finance has not seen.', 'format'],
  ['alert-causes', 'The same by kind and month, with counts and amounts.', 'format'],
  ['tax', 'Value-added and sales tax by month and place.', 'from', 'to', 'format'],
  ['seen <key>', 'Takes an alert from the list, or all of a kind and month, such as untaxed-sale:2026-11.'],
  ['retry <id>', 'Reads a report again that contradicted the books, and records it if it no longer does.'],
  ['periods', 'Lists the closed months.', 'format'],
  ['late-facts', 'Lists cash of closed months that was reported later.', 'format'],
  [
    'sales-under-review',
    'Sales whose price per credit is above every plan. Their shares cannot be withdrawn.',
    'format',
  ],
  ['checklist <month>', 'Lists the open conditions for closing a month such as 2026-10.'],
  ['close <month>', 'Closes a month; closing it again prints the stored result.', 'by'],
  [
    'begin-books <month>',
    'Asks a second person to have the books begin with a month. What moved at Stripe before it becomes the opening balance.',
    'reason',
    'by',
  ],
  ['reopen <month>', 'Requests to reopen the month that was closed last.', 'reason', 'by'],
  [
    'adjust <item>',
    'Requests an adjusting entry for an item, by its name in open-items; a second person must approve.',
    'as',
    'other',
    'amount',
    'month',
    'reason',
    'proof',
    'by',
  ],
  ['note <item>', 'Notes what an item in suspense is, while it stays there.', 'reason', 'by'],
  [
    'tie-out <report.csv>',
    "Compares the books with Stripe's report of balance transactions, and lists the transactions that only one side has. What came of it is kept.",
    'from',
    'to',
  ],
  ['tie-outs', 'Lists the comparisons with reports, newest first.', 'format'],
];

const FINANCE_OPTIONS = {
  'as-of': ['<time>', 'a day such as 2026-11-20 or an instant such as 2026-11-20T16:00:00Z'],
  from: ['<time>', 'the first day or instant'],
  to: ['<time>', 'the day or instant before which the report ends'],
  user: ['<id>', 'only one user'],
  by: ['<address>', 'the person of finance who decides'],
  reason: ['<text>', 'why'],
  as: [
    '<account>',
    'what it was: bank, refunds, owed-to-customers, stripe-fees …, or suspense for another item',
  ],
  other: ['<item>', 'the other item in suspense'],
  amount: ['<amount>', 'a part of it, such as 4.50; all of it without'],
  month: ['<month>', 'a month that is over and open, at whose end it is posted'],
  proof: ['<text>', 'where the proof is'],
  line: ['<number>', "the line of a payout's statement, from 1"],
  all: ['', 'everything, files from long ago included; takes as long as it takes'],
  draft: ['', 'also of a month that is open; every line says so'],
  format: [
    '<format>',
    'table, csv or json; an export: hledger, beancount, csv or json; a journal: quickbooks or xero',
  ],
} as const;
type FinanceOption = keyof typeof FINANCE_OPTIONS;

export function addFinance(program: Command): void {
  const finance = program.command('finance').description('Checks and reports of the books.');
  for (const [report, about, ...options] of FINANCE) {
    const [command = '', ...subject] = report.split(' ');
    const one = finance.command(command).description(about);
    if (subject.length > 0) one.argument(subject.join(' '));
    for (const option of options) {
      const [value, meaning] = FINANCE_OPTIONS[option];
      one.option(`--${option} ${value}`.trimEnd(), meaning);
    }
    one.action((...given) => {
      const about = subject.length > 0 ? { subject: given[0] as string } : {};
      return onProduct(async (tools) => {
        const { finance, FinanceUsage } = await import('./finance.command.js');
        try {
          return (await finance(tools, { ...one.opts(), ...about, command }, console.log)) ? 0 : 1;
        } catch (error) {
          if (error instanceof FinanceUsage) one.error(`error: ${error.message}`);
          throw error;
        }
      });
    });
  }
}
