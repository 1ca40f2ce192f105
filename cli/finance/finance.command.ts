import { readFile } from 'node:fs/promises';
import { CommandBus } from '@nestjs/cqrs';
import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { DoTieOut } from '../../application/ledger/tie-outs/do-tie-out.js';
import { RetryFact, SeeCause } from '../../application/ledger/alert-commands.js';
import { DecideAlert } from '../../application/alerts/decide-alert.js';
import { type Reconciliation, type Span, ExportQuery, SpanQuery } from '../../application/ledger/contract.js';
import { AlertKey } from '../../application/ledger/alert-contract.js';
import { exportJournal } from '../../application/ledger/export.js';
import { TraceId, TraceQuery } from '../../application/ledger/trace/trace-contract.js';
import { Explain } from '../../application/ledger/trace/explain.js';
import { tiesOut, traceText } from '../../application/ledger/trace/trace-text.js';
import { BookQueries } from '../../application/ledger/queries.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { ReportUnreadable } from '../../application/ledger/tie-outs/stripe-report.js';
import { ProblemException } from '../../adapters/platform/http/request.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { journal } from '../../adapters/ledger/journal.js';
import { taxLines } from '../../adapters/ledger/tax/postgres-tax-reports.js';
import { traceIds } from '../../adapters/ledger/trace/trace-ids.js';
import { earnings } from '../../adapters/payouts/postgres-earnings.js';
import { decideOnBooks, type Deciding } from './finance-closing.js';
import { answersText, endpointNamed } from './finance-endpoints.js';
import { PrintFormat, printEndpoint } from './print-endpoint.js';
import { decimalDollars } from '../../domain/shared/micro-usd.js';
import { CommandRefused } from '../refused.js';
import { restoreAsText } from '../restore.command.js';
import type { Print, Tools } from '../tools.js';

export interface FinanceRequest extends Deciding {
  command: string;
  /** The id of a part of the subject, such as one statement of a creator. */
  part?: string | undefined;
  all?: boolean;
  format?: string;
  json?: boolean;
  [option: string]: unknown;
}

export class FinanceUsage extends InvalidArgumentError {}

/** @returns false if the command failed or found a fault, as `verify` can @throws FinanceUsage for wrong arguments @throws CommandRefused for an unknown subject */
export async function finance(tools: Tools, request: FinanceRequest, print: Print): Promise<boolean> {
  try {
    return await run(tools, request, print);
  } catch (error) {
    if (error instanceof ReportUnreadable) throw new FinanceUsage(error.message);
    if (error instanceof ProblemException)
      throw new CommandRefused([error.message, request.subject].filter(Boolean).join(': '));
    throw error instanceof z.ZodError ? new FinanceUsage(z.prettifyError(error)) : error;
  }
}

async function run(tools: Tools, request: FinanceRequest, print: Print): Promise<boolean> {
  const { command, subject } = request;
  const asked = request.json ? 'json' : request.format;
  const printed = endpointNamed(command, [subject, request.part]);
  const span: Span = printed ? {} : SpanQuery.parse({ from: request['from'], to: request['to'] });
  const isExport = command === 'export';
  const exportFormat = isExport ? ExportQuery.shape.format.parse(asked ?? 'hledger') : 'hledger';
  const format = PrintFormat.parse(
    (isExport || (printed && answersText(printed.endpoint)) ? undefined : asked) ?? 'table',
  );
  const projector = new Projector(tools.database, tools.eventStore);
  // This command updates the projections that it reads, because a server that updates them may not be running.
  for (const projection of [journal, traceIds, earnings, taxLines])
    while ((await projector.advance(projection)) === 'behind');
  if (printed)
    return printEndpoint(tools, { ...printed, given: { ...request, ...printed.params }, format }, print);
  switch (command) {
    case 'verify':
      return verify(tools, request.all === true, print);
    case 'trace':
      return printTrace(
        tools,
        { id: TraceId.parse(subject), ...TraceQuery.parse({ line: request['line'] }) },
        format,
        print,
      );
    case 'export':
      for await (const text of exportJournal(exportFormat, tools.app.get(BookQueries), span))
        print(text.replace(/\n$/, ''));
      return true;
    case 'seen':
      return see(tools, AlertKey.parse(subject), print);
    case 'retry':
      return retry(tools, AlertKey.parse(subject), print);
    case 'close':
    case 'checklist':
    case 'reopen':
    case 'begin-books':
    case 'adjust':
    case 'note':
      return decideOnBooks(tools, command, { ...request, format }, print);
    case 'tie-out':
      return tieOut(tools, { csv: await readFile(subject ?? '', 'utf8'), span }, print);
    default:
      throw new FinanceUsage(`there is no command ${command}`);
  }
}

/**
 * Explains an id of the books: prints where its money came from and where the money
 * went. @returns false for an unknown id, or a wrong sum or hash
 */
async function printTrace(
  { app }: Tools,
  { id, ...query }: TraceQuery & { id: string },
  format: PrintFormat,
  print: Print,
): Promise<boolean> {
  const trace = await app.get(Explain).of(id, query);
  if (!trace) {
    print(`nothing in the books has the id ${id}`);
    return false;
  }
  for (const line of format === 'json' ? [JSON.stringify(trace, null, 2)] : traceText(trace)) print(line);
  return tiesOut(trace);
}

async function see({ app }: Tools, key: string, print: Print): Promise<boolean> {
  const by = 'system:command-line';
  const commands = app.get(CommandBus);
  const [, kind, month] = /^([\w-]+):(\d{4}-\d\d)$/.exec(key) ?? [];
  const { accepted } = await (kind && month
    ? commands.execute(new SeeCause({ kind, month, lastPosition: Number.MAX_SAFE_INTEGER }, by))
    : commands.execute(new DecideAlert({ type: 'SeeAlert', key, by }, by)));
  if (!accepted) print(`there is no alert ${key}`);
  return accepted;
}

async function retry({ app }: Tools, id: string, print: Print): Promise<boolean> {
  const outcome = await app.get(CommandBus).execute(new RetryFact(id, 'system:command-line'));
  if (!outcome.accepted) print(`${id} was not set aside, or the payment provider does not know it`);
  else print(`${id} ${outcome.agrees ? 'now agrees with the books' : 'still contradicts the books'}`);
  return outcome.accepted && outcome.agrees;
}

async function tieOut(
  { app }: Tools,
  { csv, span }: { csv: string; span: Span },
  print: Print,
): Promise<boolean> {
  const { tieOut: found } = await app.get(CommandBus).execute(new DoTieOut(csv, span, 'system:command-line'));
  const { matched, onlyAtStripe, onlyInBooks } = found;
  print(`${matched.length} match`);
  for (const { transactionId, category, netMicroUsd, ageDays } of onlyAtStripe)
    print(`only at Stripe  ${transactionId} ${category} ${decimalDollars(netMicroUsd)}, ${ageDays} days old`);
  for (const { position, fact, amountMicroUsd, ageDays } of onlyInBooks)
    print(`only in books   event ${position} ${fact} ${decimalDollars(amountMicroUsd)}, ${ageDays} days old`);
  return onlyAtStripe.length === 0 && onlyInBooks.length === 0;
}

function provenBefore({ since, whole }: Reconciliation['proof']): string[] {
  const { log, rules, readModels, files } = whole;
  const last = (at: string | null): string => at ?? 'never';
  return [
    since
      ? `checked the events after ${since.position}; a check before the head signed at ${since.signedAt} covers the earlier ones`
      : 'checked all events',
    `last full check: log ${last(log)}, rules ${last(rules)}, read models ${last(readModels)}, files on sale ${last(files)}`,
  ];
}

async function verify({ app }: Tools, all: boolean, print: Print): Promise<boolean> {
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
