import { InvalidArgumentError, Option, type Command } from 'commander';
import * as z from 'zod';
import { pageQuery } from '../../application/shared/contract.js';
import { onProduct } from '../on-product.js';
import { answersText, FINANCE_ENDPOINTS, namesIn } from './finance-endpoints.js';

/** Commands that do more than print an answer of the API, with their descriptions and options. */
const FINANCE: readonly [usage: string, about: string, ...options: FinanceOption[]][] = [
  [
    'verify',
    'Checks the 25 invariants of the books, the chain of the log and the files on sale: what is new, and what was found wrong.',
    'all',
  ],
  [
    'trace <id>',
    'Explains any id of the books, or an event by its position: where the money came from, and each sum.',
    'line',
    'format',
  ],
  ['export', 'Every line of the journal, as hledger, beancount, csv or json.', 'from', 'to', 'format'],
  ['seen <key>', 'Takes an alert from the list, or all of a kind and month, such as untaxed-sale:2026-11.'],
  ['retry <id>', 'Reads a report again that contradicted the books, and records it if it no longer does.'],
  ['checklist <month>', 'Lists the open conditions for closing a month such as 2026-10.', 'format'],
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
];

const FINANCE_OPTIONS = {
  from: ['<time>', 'the first day such as 2026-11-20, or an instant such as 2026-11-20T16:00:00Z'],
  to: ['<time>', 'the day or instant before which the report ends'],
  by: ['<address>', 'the person of finance who decides'],
  reason: ['<text>', 'why'],
  as: [
    '<account>',
    'what it was: bank, refunds, owed-to-customers, stripe-fees …, or suspense for another item',
  ],
  other: ['<item>', 'the other item in suspense'],
  amount: ['<amount>', 'a part of it, such as 4.50; all of it by default'],
  month: ['<month>', 'a month that is over and open, at whose end it is posted'],
  proof: ['<text>', 'where the proof is'],
  line: ['<number>', "the line of a payout's statement, from 1"],
  all: ['', 'everything, files from long ago included; takes as long as it takes'],
  format: ['<format>', 'table (default) or json; an export: hledger (default), beancount, csv or json'],
} as const;
const AS_JSON = ['--json', 'the same as --format json'] as const;
type FinanceOption = keyof typeof FINANCE_OPTIONS;

export function addFinance(program: Command): void {
  const finance = program
    .command('finance')
    .description('Checks the books, decides about them, and prints what the API answers to finance.');
  for (const [usage, about, ...options] of FINANCE) {
    const one = finance.command(usage).description(about);
    for (const option of options) {
      const [value, meaning] = FINANCE_OPTIONS[option];
      one.option(`--${option} ${value}`.trimEnd(), meaning);
      if (option === 'format') one.option(...AS_JSON);
    }
    run(one);
  }
  for (const [name, endpoints] of FINANCE_ENDPOINTS) {
    const one = finance.command(name).description(endpoints.map(({ summary }) => `${summary}.`).join(' '));
    const [required = [], all = required] = endpoints.map(namesIn);
    for (const param of all) one.argument(required.includes(param) ? `<${param}>` : `[${param}]`);
    for (const { query } of endpoints) if (query) addOptions(one, query);
    if (!endpoints.some(answersText))
      one
        .option('--format <format>', 'table (default), csv, or json, which has nested values, too')
        .option(...AS_JSON);
    run(one);
  }
}

/** Adds an option for each parameter of a query except paging, because commands print all pages. */
function addOptions(command: Command, query: z.ZodObject): void {
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  for (const [param, schema] of Object.entries(properties)) {
    const flag = `--${param.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const { enum: choices, description } = schema as { enum?: string[]; description?: string };
    if (param in pageQuery || command.options.some(({ long }) => long === flag)) continue;
    const option = new Option(
      choices?.includes('true') ? flag : `${flag} <${param}>`,
      description ?? choices?.join(', '),
    );
    if (choices?.includes('true')) option.preset('true');
    else if (choices) option.choices(choices);
    command.addOption(option);
  }
}

function run(command: Command): void {
  command.action((...given) => {
    const [subject, part] = given.slice(0, command.registeredArguments.length) as string[];
    const request = { ...command.opts(), subject, part, command: command.name() };
    return onProduct(import('./finance.command.js'), 'finance', request).catch((error: Error) => {
      if (error instanceof InvalidArgumentError) command.error(`error: ${error.message}`);
      throw error;
    });
  });
}
