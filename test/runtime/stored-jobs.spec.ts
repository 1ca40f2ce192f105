import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { BossJobQueue } from '../../adapters/platform/jobs/boss-job-queue.js';
import { registerJobMetrics } from '../../adapters/platform/observability/gauges.js';
import { StoredJobs } from '../../adapters/platform/jobs/stored-jobs.js';
import { doctor } from '../../cli/doctor.command.js';
import type { JobDecision } from '../../application/administration/decide-on-job.js';
import { decideOnJobs, listJobs } from '../../cli/jobs.command.js';
import type { Tools } from '../../cli/tools.js';
import { NIGHTLY, SWEEP } from '../../bootstrap/sweeps.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';

let store: TestDatabase;
let queue: BossJobQueue;
let tools: Tools;
let isBroken = true;

/** Returns what a command printed, and its exit code. */
async function printed(command: (print: (line: string) => void) => Promise<unknown>) {
  const lines: string[] = [];
  const code = await command((line) => void lines.push(line));
  return { code, text: lines.join('\n') };
}

const decide = (action: JobDecision, chosen: { id?: string; kind?: string }) =>
  printed((print) => decideOnJobs(tools, { action, ...chosen }, print));

/** Returns the metrics of jobs by name and kind. */
async function jobMetrics(): Promise<Record<string, Record<string, number>>> {
  const registry = new Registry();
  registerJobMetrics({ registry }, store.database);
  const found: Record<string, Record<string, number>> = {};
  for (const { name, values } of await registry.getMetricsAsJSON())
    found[name] = Object.fromEntries(values.map(({ labels, value }) => [String(labels.kind), value]));
  return found;
}

/** Without retries, so that one failure is final. */
const ONCE = { ...SWEEP, repeats: 0 };

beforeAll(async () => {
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
  store = await startTestDatabase();
  tools = { database: store.database } as Tools;
  queue = new BossJobQueue(store.database);
  await queue.start();
  await queue.work(ONCE, async () => {
    if (isBroken) throw new Error('no answer');
  });
  await queue.send(ONCE, [
    { key: 'payments', data: { name: 'payments' } },
    { key: 'payouts', data: { name: 'payouts' } },
  ]);
  // No worker handles this kind here.
  await queue.send(NIGHTLY, [{ key: 'the books', data: { name: 'the books' } }]);
  await until(async () => (await new StoredJobs(store.database).failed(9)).length === 2);
});
afterAll(async () => {
  await queue?.close();
  await store?.close();
  jest.restoreAllMocks();
});

it('[OPS-155] jobs that failed for good are listed, fail the doctor, and are counted in the metrics', async () => {
  const { code, text } = await printed((print) => listJobs(tools, { json: false }, print));
  expect(code).toBe(1);
  expect(text).toMatch(/^nightly +1 waiting, the first for \d+ s  0 running  0 failed\nsweep +0 waiting/);
  expect(text).toMatch(/[\da-f-]{36}  sweep: payments: no answer; 1 attempts, the last 20\d\d-.*Z/);
  const said = await printed((print) => doctor(tools, { isJson: false }, print));
  expect(said.text).toMatch(
    /FAILED  jobs: 2 failed after all attempts, the last sweep: pay.*: no answer; `offcut jobs` lists them/,
  );
  await store.database.pool.query(
    `update jobs.job set start_after = now() - interval '90 seconds' where name = 'nightly'`,
  );
  const { jobs_oldest_seconds: oldest, ...counts } = await jobMetrics();
  expect(counts).toEqual({
    jobs_waiting: { nightly: 1, sweep: 0 },
    jobs_running: { nightly: 0, sweep: 0 },
    jobs_dead: { nightly: 0, sweep: 2 },
  });
  expect(oldest).toEqual({ nightly: expect.any(Number), sweep: 0 });
  expect(oldest?.nightly).toBeGreaterThanOrEqual(90);
});

it('[OPS-155] they are done again or discarded, one or all of a kind; what waits can be discarded, too', async () => {
  const stored = new StoredJobs(store.database);
  const [first, second] = await stored.failed(9);
  expect(await decide('discard', { id: first?.id as string })).toEqual({
    code: 0,
    text: '1 jobs will not be run.',
  });
  // A job with the same name already waits, so a retry is refused.
  await store.database.pool.query(
    `insert into jobs.job (name, singleton_key, state, start_after) values ('sweep', $1, 'created', now() + interval '1 day')`,
    [second?.name],
  );
  expect(await decide('retry', { kind: 'sweep' })).toEqual({ code: 1, text: 'There is no such job.' });
  await store.database.pool.query(`delete from jobs.job where name = 'sweep' and state = 'created'`);
  isBroken = false;
  expect(await decide('retry', { kind: 'sweep' })).toEqual({ code: 0, text: '1 jobs will be run again.' });
  await until(async () =>
    (await stored.kinds()).every(
      ({ kind, failed, waiting, running }) => kind === 'nightly' || failed + waiting + running === 0,
    ),
  );
  expect(await decide('discard', { kind: 'nightly' })).toMatchObject({ code: 0 });
  expect(await decide('discard', {})).toEqual({ code: 1, text: 'Name either a job or a kind.' });
  const { code } = await printed((print) => listJobs(tools, { json: false }, print));
  expect(code).toBe(0);
});

it('[OPS-260] those that run are listed with since when, and cancelled', async () => {
  let told: AbortSignal | undefined;
  await queue.work(NIGHTLY, ({ signal }) => {
    told = signal;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  });
  await queue.send(NIGHTLY, [{ key: 'the books', data: { name: 'the books' } }]);
  await until(async () => told !== undefined);
  const { code, text } = await printed((print) => listJobs(tools, { json: false }, print));
  expect(code).toBe(0);
  expect(await jobMetrics()).toMatchObject({
    jobs_waiting: { nightly: 0 },
    jobs_running: { nightly: 1 },
    jobs_oldest_seconds: { nightly: 0 },
  });
  const [, id] =
    /Running:\n([\da-f-]{36})  nightly: the books; attempt 1, since 20\d\d-.*Z$/m.exec(text) ?? [];
  expect(await decide('cancel', { id: id as string })).toEqual({
    code: 0,
    text: '1 jobs are being cancelled.',
  });
  await until(async () => told?.aborted === true);
  expect(await decide('cancel', { id: id as string })).toEqual({ code: 1, text: 'There is no such job.' });
  expect((await printed((print) => listJobs(tools, { json: false }, print))).text).not.toContain('Running');
});
