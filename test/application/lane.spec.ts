import { expect, it } from '@jest/globals';
import { Lane, TooBusy, capacityOf, workFor, workIsFor } from '../../application/shared/lanes.js';

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

it('[DOOR-04] takes owners in turn, and refuses who has half of all that waits', async () => {
  const lane = new Lane({ work: 'tests', atOnce: 1, waiting: 8 });
  const done: string[] = [];
  const send = (owner: string, n: number) =>
    workFor('an address', async () => {
      await turn();
      workIsFor(owner);
      await lane
        .run(async () => {
          await turn();
          done.push(`${owner}${n}`);
        })
        .catch((error: Error) => done.push(`${owner}${n} ${error.name}`));
    });
  const many = [0, 1, 2, 3, 4, 5].map((n) => send('many', n));
  await turn();
  await Promise.all([...many, send('some', 0), send('some', 1), send('few', 0)]);
  expect(done).toEqual([
    'many5 TooBusy',
    'many0',
    'many1',
    'some0',
    'many2',
    'few0',
    'some1',
    'many3',
    'many4',
  ]);
});

it.each([
  [{ processors: 1, threads: 4 }, [1, 1, 1]],
  [{ processors: 2, threads: 4 }, [1, 1, 1]],
  [{ processors: 4, threads: 4 }, [2, 1, 2]],
  [{ processors: 16, threads: 4 }, [8, 1, 4]],
  [{ processors: 16, threads: 16 }, [8, 4, 4]],
] as const)('[DOOR-04] does as much at once as the machine %j has room for', (machine, sizes) => {
  const { passwords, pictures, audio } = capacityOf(machine);
  expect([passwords, pictures, audio].map(({ atOnce }) => atOnce)).toEqual(sizes);
  expect(passwords.waiting).toBe(passwords.atOnce * 64);
  expect(pictures.atOnce).toBeLessThanOrEqual(machine.threads / 4);
});
