/**
 * Measures what 16 hostile connections do to honest visitors who read pages and listen. Each attack is a known way
 * to cause much work with few requests.
 *
 *   npm run bench -- bench/abuse.ts [seconds] [a word of the attacks to try]
 *
 * Server, honest and hostile clients are separate processes. Prints the honest p50 and p99 without attacks
 * ("quiet": before, between and after them) and during each attack. Exits with 1 if an attack raises p99 above five
 * times the quiet p99, or if an honest request is not answered with 200. Results mean little on a machine with
 * other work. With 10 s each, all attacks take about seven minutes.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sine, wavFile } from '../test/audio/synthesis.js';
import { startChildProduct } from '../test/support/child-product.js';
import { CURRENT_CONSENT } from '../application/subscriptions/values.js';
import { HttpClient } from '../test/support/http-client.js';
import type { ClientTask, HonestReport } from './support/abuse-clients.js';
import { AMPLIFIERS, type Target } from './support/amplifiers.js';
import { quantile } from './support/measure.js';

const SECONDS = Number(process.argv[2] ?? 10);
const WANTED = process.argv[3] ?? '';
const HOSTILE = 16;
const LIMIT = 5;
const PASSWORD = 'a fine pass phrase';

const clients = async (task: ClientTask): Promise<string> => {
  const args = ['--import', './test/support/typescript.mjs', 'bench/support/abuse-clients.ts'];
  // If the clients hang, the timeout ends the attack and the measurement continues.
  const options = { maxBuffer: 64 * 1024 * 1024, timeout: (SECONDS + 60) * 1_000 };
  const { stdout } = await promisify(execFile)(process.execPath, [...args, JSON.stringify(task)], options);
  return stdout;
};

const product = await startChildProduct({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' });
let failed = 0;
try {
  const { url } = product;
  const target = await prepare(url);
  const found = await until(async () => {
    const { body } = await product.browser().get('/api/samples?q=kick');
    return body.items[0] as { previewUrl: string } | undefined;
  });
  const paths = ['/healthz', '/api/home', '/api/discover', '/api/samples?q=kick', found.previewUrl];
  const honest = async (): Promise<HonestReport> =>
    JSON.parse(await clients({ kind: 'honest', url, paths, seconds: SECONDS })) as HonestReport;

  // A warm-up round: the server renders pages and compiles hot code.
  await honest();
  const quiet = (await honest()).latenciesMs;
  const rows: Array<{ name: string; report: HonestReport; load: number }> = [];
  const tried = AMPLIFIERS.filter((name) => name.includes(WANTED));
  for (const [n, amplifier] of tried.entries()) {
    const task = { kind: 'hostile', amplifier, target, connections: HOSTILE, seconds: SECONDS + 1 } as const;
    const [report] = await Promise.all([honest(), clients(task).catch(() => '')]);
    rows.push({ name: amplifier, report, load: loadavg()[0] ?? 0 });
    if (n % 6 === 5 || n === tried.length - 1) quiet.push(...(await honest()).latenciesMs);
  }
  const [p50, p99] = [quantile(quiet, 0.5), quantile(quiet, 0.99)];
  const row = (name: string, ...cells: string[]) =>
    console.log(name.padEnd(30) + cells.map((cell) => cell.padStart(10)).join(''));
  const ms = (value: number) => value.toFixed(1);
  console.log(`${availableParallelism()} processors, ${SECONDS} s each, ${HOSTILE} hostile connections`);
  row('', 'p50 ms', 'quiet p99', 'p99 ms', '× p99', 'load', 'verdict');
  row('quiet', ms(p50), ms(p99), ms(p99), '', ms(loadavg()[0] ?? 0));
  for (const { name, report, load } of rows) {
    const worst = quantile(report.latenciesMs, 0.99);
    const refused = JSON.stringify(report.refused);
    const isBad = worst > LIMIT * p99 || refused !== '{}';
    if (isBad) failed += 1;
    row(
      name,
      ms(quantile(report.latenciesMs, 0.5)),
      ms(p99),
      ms(worst),
      ms(worst / p99),
      ms(load),
      isBad ? 'FAILED' : 'holds',
    );
    if (refused !== '{}') console.log(`  not answered: ${refused}`);
  }
} finally {
  await product.remove();
}
if (failed > 0) process.exitCode = 1;

/** Creates a shop with one pack, and an account with a purchase. */
async function prepare(url: string): Promise<Target> {
  const member = await HttpClient.signUp(url);
  await member.post('/api/creator/application', {});
  await until(() =>
    member.confirmEmail().then(
      () => true,
      () => undefined,
    ),
  );
  const { packId, sampleIds } = await addPack(member, 'Kicks', 4);
  await member.post(`/api/creator/packs/${packId}/publish`, {});
  const buyer = await HttpClient.signUp(url);
  const { body } = await buyer.post('/api/stripe/create-checkout-session', { plan: 'starter' });
  await fetch(body.url, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'paid' }),
    redirect: 'manual',
  });
  const [sampleId = ''] = sampleIds;
  const bought = await until(async () => {
    await buyer.post('/api/me/contracts/consent', { version: CURRENT_CONSENT });
    const headers = { 'idempotency-key': randomUUID() };
    const answer = await buyer.post('/api/downloads', { sampleId, expectedCredits: 1 }, { headers });
    return answer.status === 200 ? answer : undefined;
  });
  const cookie = [...buyer.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  await buyer.post('/api/creator/application', {});
  const draft = await addPack(buyer, 'Drafts', 1);
  const { email } = buyer;
  const { certificateId } = bought.body;
  return {
    url,
    member: { email, password: PASSWORD, cookie },
    draft: { packId: draft.packId, sampleId: draft.sampleIds[0] ?? '' },
    sampleId,
    certificateId,
  };
}

/** Creates a draft pack with `count` samples. */
async function addPack(
  creator: HttpClient,
  name: string,
  count: number,
): Promise<{ packId: string; sampleIds: string[] }> {
  const { body } = await creator.post('/api/creator/packs', { name, genre: 'Trap', mood: 'Dark' });
  const packId = body.id as string;
  const sampleIds: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    const form = new FormData();
    const bytes = wavFile([sine(220 + 30 * n, 2, 0.5)]);
    form.append('audio', new Blob([new Uint8Array(bytes)]), `kick ${n}.wav`);
    form.append('meta', JSON.stringify({ origin: 'synthesised' }));
    const added = await creator.post(`/api/creator/packs/${packId}/samples`, undefined, { raw: form });
    sampleIds.push(added.body.sample.id as string);
  }
  return { packId, sampleIds };
}

/** Polls until `find` returns a result, because read models follow the log. Throws after 20 s. */
async function until<Found>(find: () => Promise<Found | undefined>): Promise<Found> {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = await find();
    if (found !== undefined) return found;
    await pause(200);
  }
  throw new Error('the shop did not come up');
}
