import type { Command } from 'commander';
import { onProduct } from '../on-product.js';

/** The reports and checks of the books: what each is, and its options. */
const FINANCE: readonly [report: string, about: string, ...options: FinanceOption[]][] = [
  ['verify', 'Checks the 22 invariants of the books, the chain of the log and the files on sale.'],
  ['trial-balance', 'What stands on each account.', 'as-of', 'format'],
  [
    'account <account>',
    'Lists an account such as stripe:balance or user:{id}, line by line, with the event behind each.',
    'from',
    'to',
  ],
  ['rollforward', 'The credits of a time, from opening to closing.', 'user', 'from', 'to', 'format'],
  ['creator <id>', 'What a creator earned and is owed, and each payout with the lines that sum to it.'],
  ['proof <user id>', "Why a user's balance is what it is, event by event."],
  ['export', 'Every line of the journal, as hledger, csv or json.', 'from', 'to', 'format'],
  ['months', 'Cash, unspent credits and what creators are owed, at the end of each month.', 'format'],
  [
    'credit-months',
    'The credits of each month: what it opened with, what moved, what it closed with.',
    'user',
    'format',
  ],
  ['open-items', 'What is in transit, held or unexplained, and since when.', 'format'],
  ['periods', 'The months that are closed.', 'format'],
  ['late-facts', 'Cash of a closed month that was heard of afterwards.', 'format'],
  ['close <month>', 'Closes a month such as 2026-10 that is over; closing it again prints what was kept.'],
  [
    'tie-out <report.csv>',
    "Holds the books against Stripe's report of balance transactions; what only one side has is listed.",
  ],
];

const FINANCE_OPTIONS = {
  'as-of': ['<time>', 'a day such as 2026-11-20 or an instant such as 2026-11-20T16:00:00Z'],
  from: ['<time>', 'the first day or instant'],
  to: ['<time>', 'the day or instant before which it ends'],
  user: ['<id>', 'of one user alone'],
  format: ['<format>', 'table, csv or json; an export: hledger, csv or json'],
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
      one.option(`--${option} ${value}`, meaning);
    }
    one.action((...given) => {
      const about = subject.length > 0 ? { subject: given[0] as string } : {};
      return onProduct(async (tools) => {
        const { finance } = await import('./finance.command.js');
        return (await finance(tools, { ...one.opts(), ...about, command }, console.log)) ? 0 : 1;
      });
    });
  }
}
