import { readFile } from 'node:fs/promises';
import { CommandBus } from '@nestjs/cqrs';
import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { DoTieOut, RetryFact } from '../../application/ledger/commands.js';
import { SeeCause } from '../../application/ledger/see-cause.js';
import { DecideAlert } from '../../application/alerts/decide-alert.js';
import {
  type Reconciliation,
  type Span,
  ExportQuery,
  Month,
  SpanQuery,
  TrialBalanceQuery,
} from '../../application/ledger/contract.js';
import { AlertKey } from '../../application/ledger/alert-contract.js';
import { exportJournal } from '../../application/ledger/export.js';
import type { MonthsQuery } from '../../application/ledger/reports/margin-contract.js';
import { MonthJournal } from '../../application/ledger/reports/month-journal.js';
import { JournalFormat } from '../../application/ledger/reports/report-contract.js';
import { TraceId, TraceQuery } from '../../application/ledger/trace/trace-contract.js';
import { BookQueries } from '../../application/ledger/queries.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { ReportUnreadable } from '../../application/ledger/tie-outs/stripe-report.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { journal } from '../../adapters/ledger/journal.js';
import { taxLines } from '../../adapters/ledger/tax/tax-lines.js';
import { traceIds } from '../../adapters/ledger/trace/trace-ids.js';
import { earnings } from '../../adapters/payouts/earnings.js';
import { decideOnBooks, DECISIONS, type Deciding } from './finance-closing.js';
import { ListFormat, printCsv, printList } from './finance-lists.js';
import { printAccount, printCreator, printProof } from './finance-accounts.js';
import { printTrace } from './finance-trace.js';
import { inCurrency } from '../../domain/shared/currency.js';
import { decimalDollars } from '../../domain/shared/micro-usd.js';
import { restoreAsText } from '../restore.command.js';
import type { Tools } from '../tools.js';

const Command = z.enum([
  'verify',
  'trial-balance',
  'account',
  'rollforward',
  'creator',
  'proof',
  'trace',
  'export',
  ...DECISIONS,
  'tie-out',
  'tie-outs',
  'months',
  'credit-months',
  'deferred',
  'ageing',
  'margin',
  'breakage-estimate',
  'journal',
  'periods',
  'open-items',
  'late-facts',
  'sales-under-review',
  'alerts',
  'alert-causes',
  'tax',
  'seen',
  'retry',
]);
const Subject = z.string({ error: 'name one' }).min(1);

export interface FinanceRequest extends Deciding {
  command: string;
  asOf?: string;
  from?: string;
  to?: string;
  user?: string;
  line?: string;
  draft?: boolean;
  all?: boolean;
  format?: string;
}

/** An invalid command, date or format. */
export class FinanceUsage extends InvalidArgumentError {}

/**
 * Runs a check or report that the API also offers to finance.
 * @param print prints a line, without a line end
 * @returns whether all is well; `verify`, `close` and `tie-out` can find faults
 * @throws FinanceUsage before anything is done
 */
export async function finance(
  tools: Tools,
  request: FinanceRequest,
  print: (line: string) => void,
): Promise<boolean> {
  try {
    return await run(tools, request, print);
  } catch (error) {
    if (error instanceof ReportUnreadable) throw new FinanceUsage(error.message);
    throw error instanceof z.ZodError ? new FinanceUsage(z.prettifyError(error)) : error;
  }
}

async function run(tools: Tools, request: FinanceRequest, print: (line: string) => void): Promise<boolean> {
  const command = Command.parse(request.command);
  const span: Span = SpanQuery.parse({ from: request.from, to: request.to });
  const { asOf = tools.clock.now() } = TrialBalanceQuery.parse({ asOf: request.asOf });
  // Every command checks this before it reads data.
  const isExport = command === 'export';
  const { format } = ExportQuery.parse({ format: (isExport ? request.format : undefined) ?? 'hledger' });
  const listFormat = ListFormat.parse(
    (isExport || command === 'journal' ? undefined : request.format) ?? 'table',
  );
  const projector = new Projector(tools.database, tools.eventStore);
  // Catches up with the log, because no server may be running that follows it.
  while ((await projector.advance(journal)) === 'behind');
  const books = tools.app.get(BookQueries);
  switch (command) {
    case 'verify':
      return verify(tools, request.all === true, print);
    case 'trial-balance': {
      const balance = await books.trialBalance({ asOf, grouped: true });
      const { accounts, totals } = balance;
      if (listFormat === 'json') {
        print(JSON.stringify(balance, null, 2));
        return true;
      }
      if (listFormat === 'csv') {
        printCsv(['account', 'kind', 'accounts', 'debitMicroUsd', 'creditMicroUsd'], accounts, print);
        return true;
      }
      const row = (name: string, debit: number, credit: number) =>
        print(
          `${name.padEnd(24)}${decimalDollars(debit).padStart(18)}${decimalDollars(credit).padStart(18)}`,
        );
      for (const { account, debitMicroUsd, creditMicroUsd } of accounts)
        row(account, debitMicroUsd, creditMicroUsd);
      row('total', totals.debitMicroUsd, totals.creditMicroUsd);
      for (const { currency, accounts: others } of balance.otherCurrencies)
        for (const { account, balanceMicro } of others)
          print(`${account.padEnd(24)}${inCurrency(balanceMicro, currency).padStart(36)}`);
      return true;
    }
    case 'rollforward': {
      const steps = await books.rollforward({ ...span, userId: request.user });
      if (listFormat === 'json') print(JSON.stringify(steps, null, 2));
      else if (listFormat === 'csv') printCsv(Object.keys(steps), [steps], print);
      else
        for (const [name, credits] of Object.entries(steps))
          print(`${name.padEnd(12)}${String(credits).padStart(14)}`);
      return true;
    }
    case 'account':
      return printAccount(books, { account: Subject.parse(request.subject), span }, print);
    case 'creator':
      return printCreator(tools, Subject.parse(request.subject), print);
    case 'proof':
      return printProof(tools, Subject.parse(request.subject), print);
    case 'trace':
      for (const behind of [traceIds, earnings]) while ((await projector.advance(behind)) === 'behind');
      return printTrace(
        tools,
        { id: TraceId.parse(request.subject), ...TraceQuery.parse({ line: request.line }) },
        listFormat,
        print,
      );
    case 'export': {
      for await (const text of exportJournal(format, books, span)) print(text.replace(/\n$/, ''));
      return true;
    }
    case 'months':
    case 'credit-months':
    case 'deferred':
    case 'ageing':
    case 'margin':
    case 'breakage-estimate':
    case 'periods':
    case 'tie-outs':
    case 'open-items':
    case 'late-facts':
    case 'alerts':
    case 'alert-causes':
      await printList(
        tools,
        command,
        { format: listFormat, user: request.user, asOf, months: monthsOf(span) },
        print,
      );
      return true;
    case 'journal':
      return printMonth(tools, request, print);
    case 'sales-under-review':
      while ((await projector.advance(earnings)) === 'behind');
      await printList(tools, command, { format: listFormat, asOf }, print);
      return true;
    case 'tax':
      while ((await projector.advance(taxLines)) === 'behind');
      await printList(tools, command, { format: listFormat, span, asOf }, print);
      return true;
    case 'seen':
      return see(tools, AlertKey.parse(request.subject), print);
    case 'retry':
      return retry(tools, AlertKey.parse(request.subject), print);
    case 'close':
    case 'checklist':
    case 'reopen':
    case 'begin-books':
    case 'adjust':
    case 'note':
      return decideOnBooks(tools, command, request, print);
    case 'tie-out':
      return tieOut(tools, { csv: await readFile(request.subject ?? '', 'utf8'), span }, print);
  }
}

/** Returns the first and last month of a span. */
const monthsOf = ({ from, to }: Span): MonthsQuery => ({
  ...(from && { from: monthOf(from) }),
  ...(to && { to: monthOf(new Date(to.getTime() - 1)) }),
});
const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

async function printMonth(
  { app }: Tools,
  { subject, format = 'quickbooks', draft }: FinanceRequest,
  print: (line: string) => void,
): Promise<boolean> {
  const entry = await app
    .get(MonthJournal)
    .of(Month.parse(subject), JournalFormat.parse(format), draft === true);
  if (entry.accepted) print(entry.text.trimEnd());
  else if (entry.rejection.code === 'PeriodIsOpen')
    print('the month is open: close it, or ask for a --draft');
  else print(`these accounts have no name in the other bookkeeping: ${entry.rejection.accounts.join(', ')}`);
  return entry.accepted;
}

async function see({ app }: Tools, key: string, print: (line: string) => void): Promise<boolean> {
  const by = 'system:command-line';
  const commands = app.get(CommandBus);
  const [, kind, month] = /^([\w-]+):(\d{4}-\d\d)$/.exec(key) ?? [];
  const known =
    kind && month
      ? (await commands.execute(new SeeCause({ kind, month, lastPosition: Number.MAX_SAFE_INTEGER }, by))) > 0
      : await commands.execute(new DecideAlert({ type: 'SeeAlert', key, by }, by));
  if (!known) print(`there is no alert ${key}`);
  return known;
}

const RETRIED = {
  agrees: 'agrees with the books now',
  contradicts: 'contradicts the books still',
  unknown: 'was not set aside, or the payment provider knows nothing of it',
} as const;

async function retry({ app }: Tools, id: string, print: (line: string) => void): Promise<boolean> {
  const outcome = await app.get(CommandBus).execute(new RetryFact(id, 'system:command-line'));
  print(`${id} ${RETRIED[outcome]}`);
  return outcome === 'agrees';
}

async function tieOut(
  { app }: Tools,
  { csv, span }: { csv: string; span: Span },
  print: (line: string) => void,
): Promise<boolean> {
  const found = await app.get(CommandBus).execute(new DoTieOut(csv, span, 'system:command-line'));
  const { matched, onlyAtStripe, onlyInBooks } = found;
  print(`${matched.length} match`);
  for (const { transactionId, category, netMicroUsd, ageDays } of onlyAtStripe)
    print(`only at Stripe  ${transactionId} ${category} ${decimalDollars(netMicroUsd)}, ${ageDays} days old`);
  for (const { position, fact, amountMicroUsd, ageDays } of onlyInBooks)
    print(`only in books   event ${position} ${fact} ${decimalDollars(amountMicroUsd)}, ${ageDays} days old`);
  return onlyAtStripe.length === 0 && onlyInBooks.length === 0;
}

/** Describes which earlier checks this check relied on. */
function provenBefore({ since, whole }: Reconciliation['proof']): string[] {
  const { log, rules, readModels, files } = whole;
  const last = (at: string | null): string => at ?? 'never';
  return [
    since
      ? `it went on behind event ${since.position}, from the head signed at ${since.signedAt}: those before it were found right before`
      : 'it read all of them',
    `whole: the log ${last(log)}, the rules over all events ${last(rules)}, every read model ${last(readModels)}, every file on sale ${last(files)}`,
  ];
}

async function verify({ app }: Tools, all: boolean, print: (line: string) => void): Promise<boolean> {
  const { invariants, chain, heads, unreadable, proof } = await app.get(Reconcile).run({
    scope: all ? 'all' : 'new',
  });
  for (const { number, name, holds, detail } of invariants)
    print(
      `${holds ? 'ok    ' : 'FAILED'}  ${String(number).padStart(2)} ${name}${detail ? `: ${detail}` : ''}`,
    );
  for (const { position, type } of unreadable)
    print(`event ${position} (${type}) contains text that cannot be stored, and was read without it`);
  print(`${chain.position} events, the chain is ${chain.verified ? 'unbroken' : 'broken'}`);
  for (const line of provenBefore(proof)) print(line);
  print(
    heads.newest
      ? `${heads.verified} signed heads agree with it, the newest of ${heads.newest.signedAt}`
      : 'no signed head agrees with it yet',
  );
  for (const restore of heads.restores) print(restoreAsText(restore));
  if (heads.missingDays.length > 0) print(`nothing was signed on ${heads.missingDays.join(', ')}`);
  return invariants.every(({ holds }) => holds);
}
