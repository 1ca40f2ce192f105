import 'reflect-metadata';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { STAFF_ROLES } from '../domain/accounts/staff.js';
import type { ExportRequest } from './export.command.js';
import type { FinanceRequest } from './finance/finance.command.js';
import type { BucketRequest } from './imports/import-bucket.command.js';
import type { ImportProgress, ImportReport, ImportRequest } from './imports/import.command.js';
import type { Tools } from './tools.js';
import { USAGE } from './usage.js';
import described from '../package.json' with { type: 'json' };
import { readConfig } from '../bootstrap/config.js';
import { explainFailure } from '../bootstrap/explain-failure.js';

// What a command needs is loaded when it runs: a usage line should not wait for a database driver.

/** Commands of finance that are about one thing, named behind them. */
const ABOUT_ONE = new Map([
  ['close', 'the month to close'],
  ['tie-out', 'the report to tie out'],
  ['account', 'the account'],
  ['creator', 'the creator'],
  ['proof', 'the user'],
]);

const SIMULATOR_PORT = 4242;

/** What the caller got wrong about the command itself. */
class UsageError extends Error {}

/** 0 done, 1 something failed, 2 called wrongly, 130 interrupted. */
async function main(args: string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h') || args[0] === 'help') {
    console.log(USAGE);
    return 0;
  }
  if (args[0] === '--version' || args[0] === '-v' || args[0] === 'version') {
    console.log(described.version);
    return 0;
  }
  const [command, ...rest] = args;
  switch (command) {
    case 'import': {
      const { values, positionals } = parse(rest, {
        creator: { type: 'string' },
        pack: { type: 'string' },
        publish: { type: 'boolean', default: false },
      });
      const folder = only(positionals, 'the folder to import');
      const { creator, pack, publish } = values as { creator?: string; pack?: string; publish: boolean };
      if (!creator) throw new UsageError('--creator is missing: whose pack is it?');
      return withTools((tools) => runImport(tools, { folder, creator, pack, publish }));
    }
    case 'import-bucket': {
      const text = { type: 'string' } as const;
      const options = { endpoint: text, region: text, report: text, creator: { ...text, multiple: true } };
      const { values, positionals } = parse(rest, options as Options);
      const from = only(positionals, 'the bucket or folder to import');
      const { creator = [], ...named } = values as { creator?: string[] } & Omit<
        BucketRequest,
        'from' | 'creators'
      >;
      return withTools((tools) => runImportBucket(tools, { ...named, from, creators: creator }));
    }
    case 'export-pack': {
      const text = { type: 'string' } as const;
      const { values, positionals } = parse(rest, { creator: text, to: text });
      const slug = only(positionals, "the pack's address");
      const { creator, to } = values as { creator?: string; to?: string };
      if (!creator) throw new UsageError('--creator is missing: whose pack is it?');
      if (!to) throw new UsageError('--to is missing: which folder gets it?');
      return withTools((tools) => runExport(tools, { slug, creator, to }));
    }
    case 'hand-over': {
      const { values, positionals } = parse(rest, { email: { type: 'string' } });
      const handle = only(positionals, 'the handle');
      const email = (values.email as string | undefined)?.trim() ?? '';
      if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError('--email is missing: whose account is it?');
      return withTools((tools) => runHandOver(tools, { handle, email }));
    }
    case 'staff':
      return runStaff(rest);
    case 'events': {
      const { values, positionals } = parse(rest, { json: { type: 'boolean', default: false } });
      const stream = only(positionals, 'the stream to print');
      return withTools(async (tools) => {
        const { printEvents } = await import('./events.command.js');
        const found = await printEvents(tools, stream, { json: values.json as boolean, print: console.log });
        if (!found) console.error(`offcut: the stream ${stream} has no events`);
        return found ? 0 : 1;
      });
    }
    case 'finance': {
      const text = { type: 'string' } as const;
      const options = { 'as-of': text, from: text, to: text, user: text, format: text };
      const { values, positionals } = parse(rest, options);
      const [command = '', ...about] = positionals;
      const one = ABOUT_ONE.get(command);
      const subject = one === undefined ? undefined : only(about, one);
      if (command === '' || (about.length > 0 && subject === undefined))
        throw new UsageError(
          'name verify, trial-balance, account, rollforward, creator, proof, export, months, credit-months, open-items, periods, late-facts, close or tie-out',
        );
      return withTools((tools) =>
        runFinance(tools, { ...values, asOf: values['as-of'] as string, command, subject }),
      );
    }
    case 'stripe':
      return runStripe(rest);
    case 'projections': {
      const { positionals } = parse(rest, {});
      const [verb, name, stream, ...more] = positionals;
      if (verb !== undefined && (verb !== 'retry' || name === undefined || more.length > 0))
        throw new UsageError('projections stands alone or before retry <name> [<stream>]');
      return withTools(async (tools) => {
        const { listProjections, retryParked } = await import('./projections.command.js');
        return name === undefined
          ? listProjections(tools, console.log)
          : retryParked(tools, { name, ...(stream && { stream }) }, console.log);
      });
    }
    case 'doctor':
      if (parse(rest, {}).positionals.length > 0) throw new UsageError('doctor takes no arguments');
      return withTools(async (tools) => {
        const { doctor } = await import('./doctor.command.js');
        return (await doctor(tools, console.log)) ? 0 : 1;
      });
    default:
      throw new UsageError(command === undefined ? 'a command is missing' : `there is no command ${command}`);
  }
}

type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options'];

function parse(args: string[], options: Options): { values: Record<string, unknown>; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values, positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function only(positionals: string[], what: string): string {
  const [first, ...more] = positionals;
  if (first === undefined || more.length > 0) throw new UsageError(`name ${what}, and nothing else`);
  return first;
}

async function withTools(work: (tools: Tools) => Promise<number>): Promise<number> {
  const config = readConfig(process.env);
  const { openTools } = await import('./tools.js');
  const tools = await openTools(config);
  try {
    return await work(tools);
  } finally {
    await tools.close();
  }
}

async function runStripe(args: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parse(args, { port: text, 'data-dir': text, 'webhook-url': text });
  const given = values as Record<string, string | undefined>;
  if (only(positionals, 'simulator') !== 'simulator') throw new UsageError('name simulator');
  const port = Number(given.port ?? SIMULATOR_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError('--port is not a port');
  const webhookUrl =
    given['webhook-url'] ?? `http://127.0.0.1:${process.env.PORT || 3000}/api/stripe/webhook`;
  if (!URL.canParse(webhookUrl)) throw new UsageError('--webhook-url is not an address');
  const dataDir = resolve(given['data-dir'] ?? join(process.env.DATA_DIR || '.data', 'stripe-simulator'));
  const { runSimulator } = await import('./stripe-simulator.command.js');
  await runSimulator({ port, dataDir, webhookUrl });
  return 0;
}

async function runFinance(tools: Tools, request: FinanceRequest): Promise<number> {
  const { finance, FinanceUsage } = await import('./finance/finance.command.js');
  try {
    return (await finance(tools, request, console.log)) ? 0 : 1;
  } catch (error) {
    throw error instanceof FinanceUsage ? new UsageError(error.message) : error;
  }
}

async function runImport(tools: Tools, request: ImportRequest): Promise<number> {
  const { openImportDesk } = await import('./imports/import-tools.js');
  const { importFolder } = await import('./imports/import.command.js');
  const desk = await openImportDesk(tools);
  const interruption = new AbortController();
  // Once: the files in hand are finished and what is in is told; a second Ctrl-C ends at once.
  process.once('SIGINT', () => interruption.abort());
  try {
    const report = await importFolder(desk, { ...request, signal: interruption.signal }, progressBar());
    for (const line of summary(report)) console.log(line);
    if (report.interrupted) {
      console.error('offcut: interrupted; the same command goes on where it ended');
      return 130;
    }
    return report.failures.length > 0 ? 1 : 0;
  } finally {
    await desk.close();
  }
}

async function runImportBucket(tools: Tools, request: BucketRequest): Promise<number> {
  const { openImportDesk } = await import('./imports/import-tools.js');
  const { importBucket } = await import('./imports/import-bucket.command.js');
  const desk = await openImportDesk(tools);
  try {
    return (await importBucket(tools, desk, request, console.log)) ? 0 : 1;
  } finally {
    await desk.close();
  }
}

async function runExport(tools: Tools, request: ExportRequest): Promise<number> {
  const { exportPack } = await import('./export.command.js');
  const { folder, files } = await exportPack(tools, request);
  console.log(`${files} files in ${folder}`);
  return 0;
}

async function runHandOver(tools: Tools, request: { handle: string; email: string }): Promise<number> {
  const { handOver } = await import('./imports/import-bucket.command.js');
  await handOver(tools, request);
  console.log(`${request.handle} belongs to ${request.email} now.`);
  return 0;
}

async function runStaff(rest: string[]): Promise<number> {
  const [action, email = '', role, ...more] = parse(rest, {}).positionals;
  if (action === 'list' && rest.length === 1)
    return withTools(async (tools) => {
      const { printStaff } = await import('./staff.command.js');
      await printStaff(tools, console.log);
      return 0;
    });
  if (action !== 'grant' && action !== 'revoke')
    throw new UsageError('name grant, revoke or list; list stands alone');
  const known = STAFF_ROLES.find((name) => name === role);
  if (!email.includes('@') || !known || more.length > 0)
    throw new UsageError(`name an e-mail address and a role: ${STAFF_ROLES.join(' or ')}`);
  return withTools(async (tools) => {
    const { changeStaff } = await import('./staff.command.js');
    await changeStaff(tools, { action, email, role: known }, console.log);
    return 0;
  });
}

/** A bar where people look on, a line now and then where a file collects the output. */
function progressBar(): ImportProgress {
  if (!process.stderr.isTTY) {
    let done = 0;
    let total = 0;
    return {
      notice: (text) => console.error(text),
      start: (count) => void (total = count),
      advance: () => {
        done += 1;
        if (done % 25 === 0 || done === total) console.error(`${done} of ${total} files`);
      },
      stop: () => undefined,
    };
  }
  const bar = new SingleBar({
    format: '{bar} {value}/{total}  {eta_formatted}  {file}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 28,
    hideCursor: true,
    stream: process.stderr,
  });
  return {
    notice: (text) => console.error(text),
    start: (total) => bar.start(total, 0, { file: '' }),
    advance: (file) => bar.increment(1, { file: file.slice(0, 40) }),
    stop: () => bar.stop(),
  };
}

function summary({ pack, slug, status, added, known, failures }: ImportReport): string[] {
  const rows: Array<[string, string | number]> = [
    ['Pack', `${pack} (${slug}, ${status})`],
    ['Added', added],
    ['Already there', known],
    ['Failed', failures.length],
  ];
  return [
    ...rows.map(([label, value]) => `${label.padEnd(14)}${value}`),
    ...failures.map(({ file, reason }) => `  ${file}: ${reason}`),
  ];
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`offcut: ${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
  } else {
    const sentence =
      (error as Error).name === 'ImportRefused' ? (error as Error).message : explainFailure(error);
    console.error(`offcut: ${sentence ?? (error as Error).stack}`);
    process.exitCode = 1;
  }
}
