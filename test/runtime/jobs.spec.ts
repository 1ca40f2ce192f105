import { afterEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { JobRunner } from '../../adapters/platform/jobs/jobs.js';

const NEVER_MS = 3_600_000;

/** A job that runs until it is told how it ends. */
function heldJob() {
  let finish = (): void => {};
  let fail = (_: Error): void => {};
  const ended = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  return { run: () => ended, finish: () => finish(), fail: (error: Error) => fail(error) };
}

/** @returns what was logged, and the function that stops the jobs */
function runnerOf(jobs: Record<string, () => Promise<unknown>>) {
  const lines: string[] = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void lines.push(String(line)));
  const runner = new JobRunner(new SchedulerRegistry());
  runner.start(jobs, NEVER_MS);
  return { lines, stop: (limitMs: number) => runner.stop(limitMs) };
}

afterEach(() => void jest.restoreAllMocks());

it('[OPS-74] stopping waits for the job that runs, though another has ended', async () => {
  const slow = heldJob();
  const { lines, stop } = runnerOf({ slow: slow.run, quick: async () => {} });
  let isStopped = false;
  const stopped = stop(NEVER_MS).then(() => (isStopped = true));
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  slow.finish();
  await stopped;
  expect(lines).toEqual([]);
});

it('[OPS-74] stopping leaves a job that goes on beyond the limit, names it, and is silent about how it ends', async () => {
  const [endless, other] = [heldJob(), heldJob()];
  const { lines, stop } = runnerOf({ endless: endless.run, other: other.run });
  other.finish();
  await stop(1);
  expect(lines).toEqual(['endless did not end in time and is left for the next start']);
  endless.fail(new Error('Cannot use a pool after calling end on the pool'));
  await new Promise(setImmediate);
  expect(lines).toHaveLength(1);
});

it('[OPS-74] a job that fails is tried again at the next interval, and said so, unless there is none', async () => {
  const failing = heldJob();
  const running = runnerOf({ payments: () => Promise.reject(new Error('no answer')) });
  await new Promise(setImmediate);
  expect(running.lines).toEqual(['payments failed, again in 60 minutes: no answer']);
  await running.stop(NEVER_MS);
  const { lines, stop } = runnerOf({ payments: failing.run });
  const stopped = stop(NEVER_MS);
  failing.fail(new Error('no answer'));
  await stopped;
  expect(lines).toEqual(['payments failed: no answer']);
});

it('[OPS-74] a job that throws before it has begun is told of like one that fails later', async () => {
  const thrown = () => {
    throw new Error('not ready');
  };
  const { lines, stop } = runnerOf({ thrown, quick: async () => {} });
  await new Promise(setImmediate);
  expect(lines).toEqual(['thrown failed, again in 60 minutes: not ready']);
  await stop(NEVER_MS);
});
