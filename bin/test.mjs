/**
 * `npm test` runs every check of the project, then all tests, and prints one line with the sum.
 * `npm test -- test/storage` runs the named tests and no checks; arguments go to jest.
 * `npm run test:long` runs every test that has a size (test/support/sizes.ts) at its long size.
 * `npm run test:installed` runs the tests of the log, its faults and purchases on the newest installed PostgreSQL,
 * or on the one in TEST_POSTGRES_BIN.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { ensure, explain, ROOT, run } from './ensure.mjs';

const CHECKS = [
  ['format', 'oxfmt/bin/oxfmt --check'],
  ['types of the server', '@typescript/native/bin/tsc -p tsconfig.json --noEmit'],
  ['types of the web client', '@typescript/native/bin/tsc -p web/tsconfig.json'],
  ['lint', 'oxlint/bin/oxlint --deny-warnings'],
  ['types of the domain alone', '@typescript/native/bin/tsc -p domain/tsconfig.json'],
  ['dependency rules', 'dependency-cruiser/bin/dependency-cruiser.mjs --output-type err .'],
];
const SIZES = [
  'sizes of the client',
  ['--import', './test/support/typescript.mjs', 'bench/budgets.ts', 'sizes'],
];

/** Tests that depend on how PostgreSQL plans and runs statements. Installed servers compile statements (JIT). */
const OF_THE_SERVER = [
  'test/event-log',
  'test/faults',
  'test/application/credit-executor.spec.ts',
  'test/cli/backup.spec.ts',
];

const running = new Set();
let interrupted = false;

async function check([title, args]) {
  const startedAt = Date.now();
  const { ok, output } = await run(process.execPath, args, { running, env: process.env });
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${title} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  if (!ok) console.log(output.trim());
  return ok;
}

/** Runs the checks concurrently, one per core. @returns how many failed */
async function checkAll(checks) {
  const left = [...checks];
  let failed = 0;
  const lane = async () => {
    while (left.length > 0 && !interrupted) if (!(await check(left.shift()))) failed += 1;
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return failed;
}

/** Runs jest. The counts come from jest's own record, so that an aborted run counts as failed. */
async function jest(args, folder, env) {
  const record = join(folder.path, 'result.json');
  const command = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  const { ok } = await run(process.execPath, [...command, '--json', `--outputFile=${record}`, ...args], {
    show: true,
    running,
    env: { ...process.env, NODE_ENV: 'test', TMPDIR: folder.path, ...env },
  });
  try {
    return { ok, result: JSON.parse(readFileSync(record, 'utf8')) };
  } catch {
    return { ok: false };
  }
}

async function listWhatDidNotRun(result) {
  const lines = await missing();
  for (const { name, assertionResults } of result?.testResults ?? [])
    for (const { status, fullName } of assertionResults)
      if (status === 'pending' || status === 'todo')
        lines.push(`skipped: ${relative(ROOT, name)}: ${fullName}`);
  if (lines.length > 0) console.log(`\nCould not run here:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** Returns what some tests need and this machine lacks. */
async function missing() {
  const reasons = [];
  if (!process.env.TEST_S3_ENDPOINT)
    reasons.push(
      'no S3 service: TEST_S3_ENDPOINT is not set (.ci/run starts one where Ceph can be installed)',
    );
  if (!(await runs('docker', ['info']))) reasons.push('object storage on MinIO: no Docker engine answers');
  if (!(await runs('pgbouncer', ['--version'])) && !(await runs('/usr/sbin/pgbouncer', ['--version'])))
    reasons.push('everything behind a pooler: PgBouncer is not installed (apt-get install pgbouncer)');
  if (process.getuid?.() !== 0) reasons.push('starting as root: these tests were not started as root');
  return reasons;
}

const runs = (program, args) =>
  run(program, args).then(
    ({ ok }) => ok,
    () => false,
  );

/** Ctrl-C reaches the whole process group, `kill` only this process. Both end the run and all its processes. */
function endWhenAsked() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      interrupted = true;
      for (const child of running) child.kill(signal);
    });
}

function brokenOff() {
  console.log('\nInterrupted: nothing was counted.');
  // As shells do for a program that Ctrl-C ended.
  process.exitCode = 130;
}

function readArguments(given) {
  const long = given.includes('--long');
  const installed = given.includes('--installed');
  const named = given.filter((arg) => arg !== '--long' && arg !== '--installed');
  const usual = long ? testsWithSizes() : installed ? OF_THE_SERVER : [];
  // Flags alone select no tests, for example the number of workers.
  const args = named.every((arg) => arg.startsWith('-')) ? [...usual, ...named] : named;
  const env = {
    ...(long && { TEST_SIZE: 'long' }),
    ...(installed && { TEST_POSTGRES_BIN: process.env.TEST_POSTGRES_BIN ?? installedPostgres() }),
  };
  return { args, env, wholeSuite: args.every((arg) => arg.startsWith('-')) };
}

/** Returns the newest installed PostgreSQL. @throws Error if there is none */
function installedPostgres() {
  const newest = globSync('/usr/lib/postgresql/*/bin/initdb')
    .toSorted((a, b) => Number(a.split('/')[4]) - Number(b.split('/')[4]))
    .at(-1);
  if (!newest)
    throw new Error('no PostgreSQL is installed below /usr/lib/postgresql: TEST_POSTGRES_BIN names another');
  return dirname(newest);
}

const testsWithSizes = () =>
  globSync('test/**/*.spec.{ts,tsx}', { cwd: ROOT }).filter((path) =>
    readFileSync(join(ROOT, path), 'utf8').includes('support/sizes.js'),
  );

async function main() {
  endWhenAsked();
  const { args, env, wholeSuite } = readArguments(process.argv.slice(2));
  let builds = true;
  try {
    await ensure();
  } catch (error) {
    console.error(`offcut: ${explain(error)}`);
    builds = false;
  }
  const checks = wholeSuite
    ? [...CHECKS.map(([title, command]) => [title, `node_modules/${command}`.split(' ')]), SIZES]
    : [];
  const failedChecks = await checkAll(checks);
  if (interrupted) return brokenOff();
  const folder = new RunFolder();
  const { ok, result } = await jest(args, folder, env).finally(() => folder.remove());
  if (interrupted) return brokenOff();

  const count = (name) => result?.[name] ?? 0;
  const passed = count('numPassedTests') + checks.length - failedChecks + (builds ? 1 : 0);
  // A test file that cannot be loaded has no tests to count.
  const broken = count('numRuntimeErrorTestSuites') + (builds ? 0 : 1);
  let failed = count('numFailedTests') + broken + failedChecks;
  // Jest may also abort before or after its tests.
  if (!result || (!ok && count('numFailedTests') + count('numRuntimeErrorTestSuites') === 0)) failed += 1;
  const skipped = count('numPendingTests') + count('numTodoTests');
  if (wholeSuite) await listWhatDidNotRun(result);
  console.log(`\nTests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}

const PATIENCE_MS = 5_000;
const POLL_MS = 100;

const pause = (durationMs) => new Promise((done) => setTimeout(done, durationMs));

/**
 * A folder for everything that a test run writes to disk. It is the run's TMPDIR, so every process of the run names
 * it in its arguments or environment. This includes a database server in its own process group.
 */
class RunFolder {
  path = mkdtempSync(join(tmpdir(), 'offcut-run-'));

  /** Ends the processes that outlive the run, and removes the folder. */
  async remove() {
    // Servers that notice the end of the run shut down themselves. Others get SIGINT, then SIGKILL.
    if (!(await this.#isQuiet())) this.#signal('SIGINT');
    if (!(await this.#isQuiet())) this.#signal('SIGKILL');
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }

  async #isQuiet() {
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
      if (this.#processes().length === 0) return true;
      await pause(POLL_MS);
    }
    return false;
  }

  #signal(name) {
    for (const pid of this.#processes()) {
      try {
        process.kill(pid, name);
      } catch {
        // The process has ended in the meantime.
      }
    }
  }

  /** Returns the ids of the processes that name the folder in their arguments or environment. */
  #processes() {
    const env = { ...process.env };
    delete env.TMPDIR;
    const listed = execFileSync('ps', ['axeww', '-o', 'pid=,command='], {
      env,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return listed
      .split('\n')
      .filter((line) => line.includes(this.path))
      .map((line) => Number.parseInt(line, 10))
      .filter((pid) => pid !== process.pid);
  }
}

await main();
