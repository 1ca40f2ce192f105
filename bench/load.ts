/**
 * Runs the business under load: purchases beside searches, pages, previews, sign-ups and uploads, on its own
 * database, API and worker. Then compares the buyers' record with the log.
 *
 *   npm run build && npm run load -- [--minutes 10] [--purchases 250] [--searches 40] [--pages 60] [--previews 20]
 *                                    [--sign-ups 2] [--uploads 0.1] [--buyers 200] [--nodes 1] [--strict]
 *
 * Rates are per second. Calls start at planned moments, even if earlier calls are still running, and waiting counts
 * from the planned moment. Uses DATABASE_URL and S3_* if they are set, otherwise an embedded server and a folder.
 * Exits with 1 if a purchase was lost or doubled, or an answer was 500. With --strict also if a goal is missed: p99
 * of purchases 60 ms, no connection reset, log subscriptions at most 2 s behind.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../adapters/platform/database/embedded/embedded.js';
import { freePort } from '../adapters/platform/database/embedded/launch.js';
import { readConfig } from '../bootstrap/config.js';
import { openResources, type Resources } from '../bootstrap/resources.js';
import { startStripeSimulator } from '../simulators/stripe/server.js';
import { HttpClient } from '../test/support/http-client.js';
import { wavOf } from '../test/support/wav.js';
import { KINDS, type Kind, type Rates } from './load/arrivals.js';
import type { Bought, ClientMessage, ClientTask, Report } from './load/clients.js';
import { compare } from './load/record.js';
import { buyersWithCredits, samplesWithFile } from './load/shop.js';
import { quantile } from './support/measure.js';

const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    purchases: { type: 'string', default: '250' },
    searches: { type: 'string', default: '40' },
    pages: { type: 'string', default: '60' },
    previews: { type: 'string', default: '20' },
    'sign-ups': { type: 'string', default: '2' },
    uploads: { type: 'string', default: '0.1' },
    buyers: { type: 'string', default: '200' },
    nodes: { type: 'string', default: '1' },
    strict: { type: 'boolean', default: false },
  },
});
const rates: Rates = {
  purchase: Number(given.purchases),
  search: Number(given.searches),
  page: Number(given.pages),
  preview: Number(given.previews),
  'sign-up': Number(given['sign-ups']),
  upload: Number(given.uploads),
};
const durationMs = Number(given.minutes) * 60_000;
const buyers = Number(given.buyers);
const sampleCount = Math.ceil((rates.purchase * durationMs) / 1_000 / buyers) + 100;
const MAIN = 'dist/server/bootstrap/main.js';
const GOALS = { p99Ms: 60, behindSeconds: 2 };

const folder = mkdtempSync(join(tmpdir(), 'offcut-load-'));
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
const close = async (): Promise<void> => {
  for (const one of closers.splice(0).reverse()) await one();
};
process.once('SIGINT', () => void close().then(() => process.exit(130)));
try {
  process.exitCode = await run();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await close();
}
process.exit();

async function run(): Promise<number> {
  const embedded = process.env.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres(join(folder, 'postgres'));
  if (embedded) closers.push(() => embedded.stop());
  const simulator = await startStripeSimulator({
    webhookUrl: 'http://127.0.0.1:9',
    webhookSecret: 'whsec_load',
  });
  closers.push(() => simulator.close());
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    DATA_DIR: folder,
    DATABASE_URL: process.env.DATABASE_URL ?? embedded?.url,
    STRIPE_API_BASE: simulator.url,
    STRIPE_SECRET_KEY: 'sk_test_simulator',
    STRIPE_WEBHOOK_SECRET: 'whsec_load',
    RATE_LIMIT_SCALE: '1000000',
    // All clients share the address of this machine.
    HTTP_MAX_CONNECTIONS_PER_ADDRESS: '0',
    DEMO_CONTENT: 'off',
    AUTO_APPROVE_CREATORS: 'on',
  };
  const ports: number[] = [];
  while (ports.length < Number(given.nodes) + 1) ports.push(await freePort());
  const [workerPort, ...apiPorts] = ports as [number, ...number[]];
  const origin = `http://localhost:${apiPorts[0]}`;
  // The first node migrates the schema.
  const nodes: ChildProcess[] = [];
  for (const port of apiPorts) nodes.push(await start(port, { ...env, ROLE: 'api', PUBLIC_URL: origin }));
  const worker = await start(workerPort, { ...env, ROLE: 'worker', PUBLIC_URL: origin });
  const resources = await openResources(readConfig({ ...env, PUBLIC_URL: origin }), 'beside');
  closers.push(() => resources.close());

  console.log(`filling: ${buyers} buyers, ${sampleCount} samples`);
  const task = await filled(resources, `http://127.0.0.1:${apiPorts[0]}`, origin);
  const since = (await resources.eventStore.head()).position;
  const processes = { api: nodes, worker: [worker] };
  const cpuBefore = { api: cpuMs(nodes), worker: cpuMs([worker]) };
  const transactions = await committed(resources);
  const clients = fork(fileURLToPath(new URL('./load/clients.ts', import.meta.url)), {
    execArgv: ['--import', './test/support/typescript.mjs'],
  });
  closers.push(() => clients.kill());
  const whole: Report = { latenciesMs: {}, outcomes: {} };
  let bought: Bought[] = [];
  let mostBehind = 0;
  clients.on('message', (message: ClientMessage) => {
    if ('bought' in message) return void (bought = message.bought);
    for (const kind of KINDS)
      (whole.latenciesMs[kind] ??= []).push(...(message.report.latenciesMs[kind] ?? []));
    for (const [name, count] of Object.entries(message.report.outcomes))
      whole.outcomes[name] = (whole.outcomes[name] ?? 0) + count;
    if (!message.report.latenciesMs.purchase) return;
    void behind(workerPort).then((events) => {
      mostBehind = Math.max(mostBehind, events);
      console.log(
        `${lineOf('purchase', message.report)}; ${events} events behind; load ${loadavg()[0]?.toFixed(1)}`,
      );
    });
  });
  clients.send({ ...task, urls: apiPorts.map((port) => `http://127.0.0.1:${port}`) } satisfies ClientTask);
  // The last messages may arrive after the exit.
  const [[code]] = await Promise.all([once(clients, 'exit'), once(clients, 'disconnect')]);
  if (code !== 0) throw new Error(`the clients ended with ${code}`);

  const done = whole.latenciesMs.purchase?.length ?? 0;
  const perPurchase = (ms: number): string => `${(ms / done).toFixed(2)} ms`;
  console.log(
    `\n${given.minutes} minutes, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
  );
  for (const kind of KINDS) console.log(lineOf(kind, whole));
  for (const [role, children] of Object.entries(processes)) {
    const spent = cpuMs(children) - cpuBefore[role as keyof typeof cpuBefore];
    console.log(`${role}: ${perPurchase(spent)} of the processor a purchase, ${memoryOf(children)} MB`);
  }
  console.log(`${(((await committed(resources)) - transactions) / done).toFixed(1)} transactions a purchase`);
  const verdict = await compare(resources.database, bought, since);
  console.log(`${verdict.lost} lost, ${verdict.doubled} doubled, ${verdict.unasked} that nobody asked for`);

  const failed = Object.keys(whole.outcomes).filter((name) => / 5\d\d$/.test(name) && !name.endsWith('503'));
  const resets = Object.keys(whole.outcomes).filter((name) => !/ \d{3}$/.test(name));
  const p99 = quantile(whole.latenciesMs.purchase ?? [], 0.99);
  const wrong = [
    ...(verdict.lost + verdict.doubled + verdict.unasked > 0
      ? ['the log differs from the answers to buyers']
      : []),
    ...(failed.length > 0 ? [`answers ${failed.join(', ')}`] : []),
    ...(given.strict && p99 > GOALS.p99Ms ? [`p99 of purchases ${p99.toFixed(0)} ms`] : []),
    ...(given.strict && resets.length > 0 ? [`connections: ${resets.join(', ')}`] : []),
    ...(given.strict && mostBehind > GOALS.behindSeconds * rates.purchase * 2
      ? [`${mostBehind} events behind`]
      : []),
  ];
  for (const what of wrong) console.log(`FAILED  ${what}`);
  return wrong.length === 0 ? 0 : 1;
}

async function start(port: number, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  closers.push(async () => {
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  });
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) return child;
    if (child.exitCode !== null || tries > 600) throw new Error(`the ${env['ROLE']} did not start`);
    await pause(100);
  }
}

/** Creates accounts, credits, samples on sale, and a pack with playable sounds. */
async function filled(resources: Resources, url: string, origin: string): Promise<Omit<ClientTask, 'urls'>> {
  const creator = await HttpClient.signUp(url);
  await creator.patch('/api/me', { displayName: 'Junie Okafor' });
  await creator.post('/api/creator/application', {});
  await resources.database.pool.query(
    'update user_account set email_verified_at = now() where user_id = $1',
    [creator.userId],
  );
  const { handle } = (await creator.get('/api/creator')).body as { handle: string };
  const draftOf = async (name: string): Promise<{ id: string; slug: string }> =>
    (await creator.post('/api/creator/packs', { name, genre: 'Trap', mood: 'Dark' })).body;
  const add = async (packId: string, name: string, hertz: number): Promise<void> => {
    const form = new FormData();
    form.append('meta', JSON.stringify({ origin: 'synthesised' }));
    form.append('audio', new Blob([new Uint8Array(wavOf({ seconds: 4, hertz }))]), `${name}.wav`);
    const { status } = await creator.post(`/api/creator/packs/${packId}/samples`, undefined, { raw: form });
    if (status !== 201) throw new Error(`${name}: ${status}`);
  };
  const pack = await draftOf('Candle Dust');
  for (const [n, name] of ['Tape Hum', 'Candle Light', 'Warm Felt'].entries())
    await add(pack.id, name, 220 + n * 40);
  await creator.post(`/api/creator/packs/${pack.id}/publish`, {});
  const studio = await draftOf('Sketches');
  const ids = await samplesWithFile(resources, sampleCount);
  const people = await buyersWithCredits(resources, { count: buyers, credits: sampleCount }, () =>
    HttpClient.signUp(url),
  );
  const { samples } = (await creator.get(`/api/packs/${handle}/${pack.slug}`)).body as {
    samples: { previewUrl: string }[];
  };
  return {
    origin,
    rates,
    durationMs,
    buyers: people,
    sampleIds: ids,
    paths: ['/', '/sounds', '/discover', `/pack/${pack.slug}/${handle}`, '/api/home', '/api/packs'],
    previews: samples.map(({ previewUrl }) => previewUrl.replace(/^https?:\/\/[^/]+/, '')),
    studio: {
      token: creator.cookies.get('offcut_session') as string,
      path: `/api/creator/packs/${studio.id}/samples`,
      wavBase64: wavOf({ seconds: 4, hertz: 333 }).toString('base64'),
    },
  };
}

function lineOf(kind: Kind, { latenciesMs, outcomes }: Report): string {
  const taken = latenciesMs[kind] ?? [];
  const [p50, p95, p99, most] = [0.5, 0.95, 0.99, 1].map((share) => quantile(taken, share).toFixed(1));
  const told = Object.entries(outcomes)
    .filter(([name]) => name.startsWith(kind) && !/ (?:200|201|206)$/.test(name))
    .map(([name, count]) => `${name.slice(kind.length + 1)} × ${count}`);
  return `${kind.padEnd(9)} ${String(taken.length).padStart(7)}  p50 ${p50}  p95 ${p95}  p99 ${p99}  most ${most} ms${told.length > 0 ? `  ${told.join(', ')}` : ''}`;
}

/** Returns how many events the slowest subscription of the log is behind. */
async function behind(workerPort: number): Promise<number> {
  const text = await fetch(`http://127.0.0.1:${workerPort}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );
  return Math.max(
    0,
    ...[...text.matchAll(/^log_follower_behind_events\{.*\} (\d+)$/gm)].map(([, count]) => Number(count)),
  );
}

async function committed({ database }: Resources): Promise<number> {
  const { rows } = await database.long.query<{ count: number }>(
    `select xact_commit::float8 as count from pg_stat_database where datname = current_database()`,
  );
  return rows[0]?.count ?? 0;
}

/** Returns the processor time so far, in ms; NaN without /proc. */
function cpuMs(children: readonly ChildProcess[]): number {
  const ticks = children.map(({ pid }) => fieldsOf(`/proc/${pid}/stat`));
  return ticks.reduce((sum, fields) => sum + (fields[11] ?? NaN) + (fields[12] ?? NaN), 0) * 10;
}

function fieldsOf(file: string): number[] {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
  } catch {
    return [];
  }
}

function memoryOf(children: readonly ChildProcess[]): string {
  const kilobytes = children.map(({ pid }) => /VmRSS:\s+(\d+)/.exec(readStatus(pid))?.[1] ?? 'NaN');
  return kilobytes.map((each) => Math.round(Number(each) / 1_024)).join(' + ');
}

function readStatus(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
