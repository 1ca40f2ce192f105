/**
 * Injects faults into the reference deployment during purchases, and compares each buyer's record with the log.
 *
 *   npm run test:cluster -- [--purchases 20] [--only <pattern of titles>] [--from <commit>] [--strict] [--keep]
 *
 * With --from, nodes start as builds of that commit, which must be older than this one.
 *
 * Prints for each scenario the lost and doubled purchases, the longest time without a sale, and the answers.
 * Exits with 1 in these cases:
 * - a purchase was lost, doubled or never answered
 * - an answer was 500
 * - buyers noticed a restart that must be invisible
 * - with --strict: nothing was sold for longer than the goal
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Database } from '../../adapters/platform/database/database.js';
import { buyersWithCredits, samplesWithFile } from '../../bench/load/shop.js';
import { compare } from '../../bench/load/record.js';
import { readConfig } from '../../bootstrap/config.js';
import { openResources } from '../../bootstrap/resources.js';
import { Buyers, counted, signUpByMail, type Seen } from './buyers.js';
import { missing, startCluster, type Cluster } from './cluster.js';
import { SCENARIOS, type Scenario } from './scenarios.js';
import { ARCHIVE_SECONDS } from './settings.js';
import { judge, longestGapMs, lossOf, type Fault, type Loss } from './verdict.js';

const { values: given } = parseArgs({
  options: {
    purchases: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    from: { type: 'string' },
    strict: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const BUYERS = 20;
const SAMPLES = 5_000;
/** The time of purchases before a fault and after the recovery. */
const CALM_MS = 3_000;
/** The test puts samples on sale without events. Only this rule finds them. */
const READ_MODELS = /^FAILED {2}18 /;

const lacking = missing();
if (lacking.length > 0) {
  console.log(`skipped: this machine lacks ${lacking.join(', ')}`);
  process.exit(0);
}
const chosen = SCENARIOS.filter(({ title }) => new RegExp(given.only).test(title));
if (chosen.length === 0) {
  console.error(`No scenario has a title that matches ${given.only}.`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'offcut-cluster-'));
let cluster: Cluster | undefined;
process.once('SIGINT', () => void end().then(() => process.exit(130)));
try {
  cluster = await startCluster(folder, given.from && buildOf(given.from));
  process.exitCode = await runAll(cluster);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await end();
}
process.exit();

async function end(): Promise<void> {
  await cluster?.stop();
  if (given.keep || process.exitCode === 1) console.log(`what each part wrote is in ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

/** @returns the folder of another commit's build, below that of the run */
function buildOf(commit: string): string {
  const root = join(folder, 'before');
  mkdirSync(root);
  execFileSync('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, root]);
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  execFileSync(process.execPath, ['node_modules/@nestjs/cli/bin/nest.js', 'build'], { cwd: root });
  for (const pages of ['dist/web', 'dist/web-server']) cpSync(pages, join(root, pages), { recursive: true });
  return root;
}

async function runAll(on: Cluster): Promise<number> {
  const resources = await openResources(readConfig(on.env), 'beside');
  const sampleIds = await samplesWithFile(resources, SAMPLES);
  const people = await buyersWithCredits(resources, { count: BUYERS, credits: SAMPLES }, () =>
    signUpByMail(on.url, on.mail),
  );
  const before = await databaseBytes(resources.database);
  await resources.close();
  const buyers = new Buyers(on.url, people, sampleIds, Number(given.purchases));
  console.log(`${given.purchases} purchases a second, ${availableParallelism()} cores`);
  let failed = 0;
  for (const scenario of chosen) {
    const reason = scenario.lacks?.(on);
    if (reason) {
      console.log(`\n${scenario.title}\n  skipped: ${reason}`);
      continue;
    }
    await on.whole();
    let lostAt: number | void = undefined;
    const seen = await buyers.during(async () => {
      await pause(CALM_MS);
      lostAt = await scenario.run(on);
      await on.whole();
      await pause(CALM_MS);
    });
    // Compares all purchases so far, because a later fault must not remove what survived an earlier one.
    const verdict = await asked(on, (database) => compare(database, buyers.record, 0));
    const loss = lostAt === undefined ? undefined : await explain(on, seen, lostAt);
    const wrong = judge(scenario, seen, { ...verdict, ...(loss && { lost: loss.unexplained }) });
    if (loss) wrong.push(...verifyBooks(on));
    print(scenario, seen, wrong, loss !== undefined);
    failed += wrong.filter(({ isTime }) => given.strict || !isTime).length;
  }
  const grown = (await asked(on, databaseBytes)) - before;
  console.log(
    `\n${buyers.record.length} purchases, ${(grown / buyers.record.length / 1_024).toFixed(1)} kB each`,
  );
  console.log(failed === 0 ? 'all held' : `${failed} missed`);
  return failed === 0 ? 0 : 1;
}

/** Says how many acknowledged purchases the archive lacked, and why. */
async function explain(on: Cluster, seen: Seen, lostAt: number): Promise<Loss> {
  // Raw SQL: members of the events' JSON.
  const { rows } = await asked(on, ({ long }) =>
    long.query<{ pair: string }>(
      `select (data->>'buyerId') || ' ' || (data->>'sampleId') as pair from event where type = 'SamplePurchased'`,
    ),
  );
  const logged = new Set(rows.map(({ pair }) => pair));
  const loss = lossOf(seen, logged, { at: lostAt, intervalSeconds: ARCHIVE_SECONDS });
  console.log(
    `\n${loss.lost} of ${loss.acknowledged} acknowledged purchases were lost, the oldest ${loss.oldestSeconds.toFixed(1)} s before the servers; a segment is archived after ${ARCHIVE_SECONDS} s at the latest`,
  );
  return loss;
}

/** Runs the proof of the books, as the runbook does. */
function verifyBooks({ env }: Cluster): Fault[] {
  const settings = { PATH: process.env.PATH, ...env };
  const verify = ['dist/server/cli/cli.js', 'finance', 'verify', '--all'];
  const { stdout, stderr } = spawnSync(process.execPath, verify, { env: settings, encoding: 'utf8' });
  const failed = (stdout.match(/^FAILED.*$/gm) ?? []).filter((line) => !READ_MODELS.test(line));
  const held = stdout.match(/^ok /gm)?.length ?? 0;
  console.log(`  ${held} rules of the books hold`);
  return held === 0
    ? [{ text: `the books were not checked: ${stderr || stdout}` }]
    : failed.map((text) => ({ text }));
}

/** Uses new connections, because those from before a fault may be dead. */
async function asked<Answer>(on: Cluster, what: (database: Database) => Promise<Answer>): Promise<Answer> {
  const database = new Database(on.env['DATABASE_DIRECT_URL'] as string);
  return what(database).finally(() => database.close());
}

async function databaseBytes({ long }: Database): Promise<number> {
  const { rows } = await long.query<{ bytes: number }>(
    'select pg_database_size(current_database()) as bytes',
  );
  return rows[0]?.bytes ?? NaN;
}

function print({ title, goalSeconds }: Scenario, seen: Seen, faults: Fault[], mayLose: boolean): void {
  const seconds = (longestGapMs(seen) / 1_000).toFixed(1);
  const first = counted(seen.orders.map(({ answers }) => answers[0] ?? 'none'));
  const again = counted(seen.orders.flatMap(({ answers }) => answers.slice(1)));
  const told = (answers: Record<string, number>): string =>
    Object.entries(answers)
      .map(([answer, count]) => `${answer} × ${count}`)
      .join(', ');
  console.log(`\n${title}
  ${seen.orders.length} purchases; longest without one ${seconds} s (goal ${goalSeconds} s); load ${loadavg()[0]?.toFixed(1)}
  first answers ${told(first)}${Object.keys(again).length > 0 ? `; repeated ${told(again)}` : ''}`);
  for (const { text } of faults) console.log(`  MISSED ${text}`);
  if (faults.length === 0) console.log(`  0 lost${mayLose ? ' otherwise' : ''}, 0 doubled, 0 × 500: met`);
}
