import { expect, it } from '@jest/globals';
import { Lane, TooBusy } from '../../application/shared/lane.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('[OPS-72] does so much at once, the rest in its order, and refuses what is too much', async () => {
  const lane = new Lane({ work: 'tests', atOnce: 2, waiting: 3 });
  const begun: number[] = [];
  const finish: (() => void)[] = [];
  const run = (n: number) =>
    lane.run(async () => {
      begun.push(n);
      await new Promise<void>((resolve) => finish.push(resolve));
      if (n === 1) throw new Error('one');
      return n;
    });
  const results = [0, 1, 2, 3, 4, 5, 6].map((n) => run(n).catch((error: Error) => error));
  await turn();
  expect(begun).toEqual([0, 1]);
  for (const n of [5, 6]) expect(await results[n]).toBeInstanceOf(TooBusy);
  for (let done = 0; done < 5; done += 1) {
    finish[done]?.();
    await turn();
  }
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(await Promise.all(results.slice(0, 5))).toEqual([0, new Error('one'), 2, 3, 4]);
  const again = run(7);
  await turn();
  finish[5]?.();
  expect(await again).toBe(7);
});
