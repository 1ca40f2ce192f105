import { expect, it } from '@jest/globals';
import { startSweepRounds } from '../../adapters/platform/jobs/sweep-rounds.js';

const NEVER_MS = 3_600_000;

/** A sweep that runs until it is told how it ends. */
function heldSweep() {
  let finish = (): void => {};
  let fail = (_: Error): void => {};
  const ended = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  return { run: () => ended, finish: () => finish(), fail: (error: Error) => fail(error) };
}

/** @returns what was logged, and the function that stops the rounds */
function roundsOf(sweeps: Record<string, () => Promise<unknown>>) {
  const lines: string[] = [];
  const stop = startSweepRounds(sweeps, { warn: (line) => void lines.push(line) }, NEVER_MS);
  return { lines, stop };
}

it('[OPS-74] stopping waits for the sweep that runs, though another has ended', async () => {
  const slow = heldSweep();
  const { lines, stop } = roundsOf({ slow: slow.run, quick: async () => {} });
  let isStopped = false;
  const stopped = stop(NEVER_MS).then(() => (isStopped = true));
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  slow.finish();
  await stopped;
  expect(lines).toEqual([]);
});

it('[OPS-74] stopping leaves a sweep that goes on beyond the limit, names it, and is silent about how it ends', async () => {
  const [endless, other] = [heldSweep(), heldSweep()];
  const { lines, stop } = roundsOf({ endless: endless.run, other: other.run });
  other.finish();
  await stop(1);
  expect(lines).toEqual(['endless did not end in time and is left for the next start']);
  endless.fail(new Error('Cannot use a pool after calling end on the pool'));
  await new Promise(setImmediate);
  expect(lines).toHaveLength(1);
});

it('[OPS-74] a sweep that fails is tried again in the next round, and said so, unless there is none', async () => {
  const failing = heldSweep();
  const running = roundsOf({ payments: () => Promise.reject(new Error('no answer')) });
  await new Promise(setImmediate);
  expect(running.lines).toEqual(['payments were not swept, again in 60 minutes: no answer']);
  await running.stop(NEVER_MS);
  const { lines, stop } = roundsOf({ payments: failing.run });
  const stopped = stop(NEVER_MS);
  failing.fail(new Error('no answer'));
  await stopped;
  expect(lines).toEqual(['payments were not swept: no answer']);
});
