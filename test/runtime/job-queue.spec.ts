import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as z from 'zod';
import { BossJobQueue } from '../../adapters/platform/jobs/boss-job-queue.js';
import { StoredJobs } from '../../adapters/platform/jobs/stored-jobs.js';
import type { Attempt, JobKind } from '../../application/shared/job-queue.js';
import { NIGHTLY, SWEEP, Sweeps } from '../../bootstrap/sweeps.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';

const shape = z.object({ what: z.string() });
type Data = z.infer<typeof shape>;

let store: TestDatabase;
let kinds = 0;
const open: BossJobQueue[] = [];

/** Returns a new kind for each test, with retries that do not wait. */
const newKind = (more: Partial<JobKind<Data>> = {}): JobKind<Data> => ({
  name: `kind-${(kinds += 1)}`,
  shape,
  isKeyed: false,
  atOnce: 2,
  repeats: 1,
  firstPauseSeconds: 0,
  longestPauseSeconds: 0,
  timeLimitSeconds: 60,
  ...more,
});

async function worker(kind: JobKind<Data>, work: (attempt: Attempt<Data>) => Promise<unknown>) {
  const queue = newQueue();
  await queue.start();
  await queue.work(kind, work, ({ what }) => what);
  return queue;
}

function newQueue(): BossJobQueue {
  const queue = new BossJobQueue(store.database);
  open.push(queue);
  return queue;
}

const stored = async (kind: { name: string }) =>
  (await store.database.pool.query('select * from jobs.job where name = $1 order by created_on', [kind.name]))
    .rows;

function logged(): string[] {
  const lines: string[] = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void lines.push(String(line)));
  return lines;
}

beforeAll(async () => void (store = await startTestDatabase()), 60_000);
afterEach(async () => {
  for (const queue of open.splice(0)) await queue.close();
  jest.restoreAllMocks();
});
afterAll(() => store?.close());

it('[OPS-150] a job is done by a worker of another process, told at once, and leaves nothing', async () => {
  const kind = newKind();
  const done: string[] = [];
  await worker(kind, async ({ data, number, isLast }) => void done.push(`${data.what} ${number} ${isLast}`));
  await newQueue().send(kind, [{ data: { what: 'a' } }, { data: { what: 'b' } }, { data: { what: 'c' } }]);
  await until(() => done.length === 3);
  expect(done.sort()).toEqual(['a 1 false', 'b 1 false', 'c 1 false']);
  await until(async () => (await stored(kind)).length === 0);
});

it('[OPS-220] of jobs that wait those with a higher priority are done first, the others in their order', async () => {
  const kind = newKind({ atOnce: 1 });
  const job = (what: string, priority?: number) => ({ data: { what }, ...(priority && { priority }) });
  const sender = newQueue();
  for (const next of [job('a'), job('b'), job('urgent', 1), job('c')]) await sender.send(kind, [next]);
  const done: string[] = [];
  await worker(kind, async ({ data }) => void done.push(data.what));
  await until(() => done.length === 4);
  expect(done).toEqual(['urgent', 'a', 'b', 'c']);
});

it('[OPS-265] a worker does no more of a kind at once than the kind says, and no kind waits for another', async () => {
  const [crowded, other] = [newKind({ atOnce: 2 }), newKind({ atOnce: 1 })];
  const running: (() => void)[] = [];
  let most = 0;
  let done = 0;
  const queue = await worker(crowded, async () => {
    await new Promise<void>((resolve) => {
      running.push(resolve);
      most = Math.max(most, running.length);
    });
    done += 1;
  });
  const others: string[] = [];
  await queue.work(other, async ({ data }) => void others.push(data.what));
  const sender = newQueue();
  await sender.send(
    crowded,
    ['a', 'b', 'c', 'd', 'e'].map((what) => ({ data: { what } })),
  );
  await until(() => running.length === 2);
  await sender.send(other, [{ data: { what: 'meanwhile' } }]);
  await until(() => others.length === 1);
  expect((await stored(crowded)).map(({ state }) => state).sort()).toEqual([
    'active',
    'active',
    'created',
    'created',
    'created',
  ]);
  while (done < 5) {
    running.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(most).toBe(2);
});

it('[OPS-150] a job whose worker died is done by another', async () => {
  const kind = newKind({ atOnce: 1 });
  let end: (() => void) | undefined;
  const dead = await worker(kind, () => new Promise<void>((resolve) => (end = resolve)));
  await dead.send(kind, [{ data: { what: 'a' } }]);
  await until(() => end !== undefined);
  const done: number[] = [];
  await worker(kind, async ({ number }) => void done.push(number));
  const silent = `update jobs.job set heartbeat_on = now() - interval '1 minute' where name = $1 and state = 'active'`;
  await until(async () => {
    // Pretends that its last heartbeat was a minute ago.
    if (done.length === 0) await store.database.pool.query(silent, [kind.name]);
    return done.length === 1;
  });
  expect(done).toEqual([2]);
  // A late result changes nothing.
  end?.();
  await dead.stop(10_000);
  expect(await stored(kind)).toEqual([]);
});

it('[OPS-151] a job that keeps failing is repeated, then set aside, and forgotten once the same is done', async () => {
  const kind = newKind({ isKeyed: true });
  const lines = logged();
  let isBroken = true;
  const queue = await worker(kind, async () => {
    if (isBroken)
      throw Object.assign(new Error('no answer'), { response: 'https://offcut.example/?token=x' });
  });
  const send = () => queue.send(kind, [{ key: 'k', data: { what: 'sweep' } }]);
  // At most one job of a key waits or runs.
  await Promise.all([send(), send(), send()]);
  const failed = async () => (await stored(kind)).filter(({ state }) => state === 'failed');
  await until(async () => (await failed()).length === 1);
  expect(lines).toEqual(['sweep failed (attempt 1): no answer', 'sweep failed (attempt 2): no answer']);
  const [first] = await failed();
  expect(first.output).toMatchObject({ message: 'no answer' });
  expect(JSON.stringify(first.output)).not.toContain('token');
  await send();
  await until(async () => (await failed()).some(({ id }) => id !== first.id));
  expect(await failed()).toHaveLength(1);
  isBroken = false;
  await send();
  await until(async () => (await stored(kind)).length === 0);
});

it('[OPS-151] the pauses before repeats double, up to the longest, and no repeat comes before its pause is over', async () => {
  const { pool } = store.database;
  const [own] = (await pool.query(`select pg_get_functiondef('jobs.job_now'::regproc) as text`)).rows;
  /** The queue's own clock, which stands still until the test moves it. */
  let now = Date.now();
  const moveTo = (time: number) => {
    now = time;
    return pool.query(
      `create or replace function jobs.job_now() returns timestamptz language sql stable
         as $$ select to_timestamp(${now / 1_000}) $$`,
    );
  };
  logged();
  try {
    await moveTo(now);
    const kind = newKind({ atOnce: 1, repeats: 4, firstPauseSeconds: 10, longestPauseSeconds: 60 });
    const attempts: [number, boolean][] = [];
    const probes: string[] = [];
    const queue = await worker(kind, async ({ data, number, isLast }) => {
      if (data.what !== 'broken') return void probes.push(data.what);
      attempts.push([number, isLast]);
      throw new Error('no answer');
    });
    /** Resolves when the worker has checked every job that it may begin. */
    const looked = async () => {
      const what = randomUUID();
      await queue.send(kind, [{ data: { what } }]);
      // No job may be active when the clock moves, because it would count as dead.
      await until(async () => {
        const left = await stored(kind);
        return probes.includes(what) && left.length === 1 && left[0].state !== 'active';
      });
    };
    const broken = async () => (await stored(kind)).find(({ data }) => data.what === 'broken');
    const pausing = async () => (await broken())?.state;
    await queue.send(kind, [{ data: { what: 'broken' } }]);
    const pauses: number[] = [];
    for (let failed = 1; failed <= 4; failed += 1) {
      await until(async () => attempts.length === failed && (await pausing()) === 'retry');
      const { start_after: due } = await broken();
      pauses.push((due.getTime() - now) / 1_000);
      await moveTo(due.getTime() - 1);
      await looked();
      expect(attempts).toHaveLength(failed);
      await moveTo(due.getTime() + 1);
      await looked();
    }
    await until(async () => (await pausing()) === 'failed');
    expect(attempts).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4, false],
      [5, true],
    ]);
    // The library multiplies each doubled pause by a random factor between one and two, so that retries
    // spread out.
    const [first = 0, second = 0, ...others] = pauses;
    expect([first >= 10 && first < 20, second >= 20 && second < 40]).toEqual([true, true]);
    expect([(others[0] ?? 0) >= 40 && (others[0] ?? 0) <= 60, others[1]]).toEqual([true, 60]);
    await moveTo(now + 365 * 86_400_000);
    await looked();
    expect(attempts).toHaveLength(5);
  } finally {
    await pool.query(own.text);
  }
});

it('[OPS-260] a job that runs and is cancelled learns of it on its worker, ends, and is not done again', async () => {
  const kind = newKind({ atOnce: 1, isKeyed: true });
  const lines = logged();
  const said: string[] = [];
  jest.spyOn(Logger.prototype, 'log').mockImplementation((line) => void said.push(String(line)));
  const begun: Attempt<Data>[] = [];
  const ended: unknown[] = [];
  await worker(kind, async (attempt) => {
    begun.push(attempt);
    await once(attempt.signal, 'abort').catch(() => undefined);
    ended.push(attempt.signal.reason);
    attempt.signal.throwIfAborted();
  });
  const sender = newQueue();
  for (const key of ['a', 'b']) await sender.send(kind, [{ key, data: { what: key } }]);
  await until(() => begun.length === 1);
  const jobs = new StoredJobs(store.database);
  const id = begun[0]?.jobId as string;
  // Discarding does not affect running jobs.
  expect(await jobs.discard({ id })).toBe(0);
  expect(await jobs.cancel({ id })).toBe(1);
  await until(() => begun.length === 2);
  expect(begun.map(({ data, number }) => [data.what, number])).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
  expect(ended).toEqual([new Error('the job was cancelled')]);
  expect(await jobs.cancel({ kind: kind.name })).toBe(1);
  await until(() => ended.length === 2);
  expect(await stored(kind)).toEqual([]);
  expect(said).toEqual(['a was cancelled', 'b was cancelled']);
  // No failure is logged.
  expect(lines).toEqual([]);
});

it('[OPS-74] stopping waits for the job that runs, and begins no other', async () => {
  const kind = newKind({ atOnce: 1 });
  const begun: string[] = [];
  let finish = () => {};
  const queue = await worker(kind, ({ data }) => {
    begun.push(data.what);
    return new Promise<void>((resolve) => (finish = resolve));
  });
  await queue.send(kind, [{ data: { what: 'a' } }, { data: { what: 'b' } }]);
  await until(() => begun.length === 1);
  let isStopped = false;
  const stopped = queue.stop(3_600_000).then(() => (isStopped = true));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(isStopped).toBe(false);
  finish();
  await stopped;
  expect(begun).toHaveLength(1);
  expect((await stored(kind)).map(({ state }) => state)).toEqual(['created']);
});

it('[OPS-74] stopping leaves a job that goes on beyond the limit for another worker, names it, and is silent about how it ends', async () => {
  const kind = newKind();
  const lines = logged();
  let fail = (_: Error) => {};
  let told: AbortSignal | undefined;
  const queue = await worker(kind, ({ signal }) => {
    told = signal;
    return new Promise((_, reject) => (fail = reject));
  });
  await queue.send(kind, [{ data: { what: 'endless' } }]);
  // The job is marked as active before its work begins.
  await until(() => told !== undefined);
  expect(told?.aborted).toBe(false);
  await queue.stop(1);
  expect(told?.aborted).toBe(true);
  expect(lines).toEqual(['endless did not finish in time; it continues after the next start']);
  expect((await stored(kind))[0]).toMatchObject({ state: 'retry' });
  fail(new Error('Cannot use a pool after calling end on the pool'));
  await new Promise(setImmediate);
  expect(lines).toHaveLength(1);
});

it('[OPS-154] what has to be done now and again is done by one worker of all, from the start of any on', async () => {
  const done: string[] = [];
  let finish = () => {};
  const held = new Promise<void>((resolve) => (finish = resolve));
  const begin = async () => {
    const queue = newQueue();
    const often = { payments: () => held.then(() => done.push('payments')) };
    const nightly = { 'the books': () => held.then(() => done.push('the books')) };
    const sweeps = new Sweeps({ often, nightly }, queue);
    await queue.start();
    for (const kind of [SWEEP, NIGHTLY])
      await queue.work(kind, ({ data, signal }) => sweeps.run(data.name, signal));
    await sweeps.start();
    return sweeps;
  };
  const [first] = [await begin(), await begin()];
  finish();
  await until(() => done.length === 2);
  expect(done.sort()).toEqual(['payments', 'the books']);
  await until(async () => (await stored(SWEEP)).length + (await stored(NIGHTLY)).length === 0);
  // The schedule is every five minutes.
  const { rows } = await store.database.pool.query('select name, cron, data from jobs.schedule');
  expect(rows).toEqual([{ name: 'sweep', cron: '*/5 * * * *', data: { name: 'round' } }]);
  await first.run('round', new AbortController().signal);
  await until(() => done.length === 4);
});

it('[DEV-13] sweeps pause for other work: it begins once none runs, and all are due after it', async () => {
  const queue = newQueue();
  await queue.start();
  const done: string[] = [];
  let finish = () => {};
  const payments = () => new Promise<void>((resolve) => (finish = resolve)).then(() => done.push('payments'));
  const sweeps = new Sweeps({ often: { payments }, nightly: {} }, queue);
  const { signal } = new AbortController();
  const running = sweeps.run('payments', signal);
  const paused = sweeps.pausedFor(async () => {
    done.push('work begins');
    await sweeps.run('payments', signal);
    done.push('work ends');
  });
  await sweeps.run('payments', signal);
  finish();
  await Promise.all([running, paused]);
  expect(done).toEqual(['payments', 'work begins', 'work ends']);
  expect((await stored(SWEEP)).map(({ data }) => data)).toEqual([{ name: 'payments' }]);
  const next = sweeps.run('payments', signal);
  finish();
  await next;
  expect(done).toHaveLength(4);
});

it('[OPS-152] the tables of the queue are those that its library wants', async () => {
  const { PgBoss } = await import('pg-boss');
  const db = { executeSql: (text: string, values?: unknown[]) => store.database.pool.query(text, values) };
  const boss = new PgBoss({ db, schema: 'jobs', migrate: false });
  expect(await boss.isInstalled()).toBe(true);
  const drift = await boss.detectSchemaDrift();
  expect(drift).toMatchObject({ ok: true });
});
