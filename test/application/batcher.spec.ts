import { describe, expect, it, jest } from '@jest/globals';
import { Batcher, type BegunBatch } from '../../application/shared/batcher.js';
import { DatabaseUnavailable } from '../../application/shared/unavailable.js';

interface Command {
  key: string;
  n: number;
}

/** Returns a batcher whose batches end when the test says so. */
function heldBatcher(
  limits: { maxCommands?: number; maxBatches?: number; onBatch?: (batch: BegunBatch) => void } = {},
) {
  const batches: { commands: readonly Command[]; end(error?: Error): void }[] = [];
  const batcher = new Batcher<Command, string>({
    run: (commands) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error ? reject(error) : resolve(commands.map(({ key, n }) => `${key}${n}`));
        batches.push({ commands, end });
      }),
    keyOf: ({ key }) => key,
    ...limits,
  });
  const submit = (count: number, keyOf = (n: number) => `k${n}`) =>
    Promise.all(Array.from({ length: count }, (_, n) => batcher.submit({ key: keyOf(n), n })));
  const sizes = () => batches.map(({ commands }) => commands.length);
  return { batcher, batches, submit, sizes };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the batcher', () => {
  it('decides together what arrives together, and answers each its own', async () => {
    const { batches, submit, sizes } = heldBatcher();
    const answers = submit(3);
    await turn();
    expect(sizes()).toEqual([3]);
    batches[0]?.end();
    expect(await answers).toEqual(['k00', 'k11', 'k22']);
  });

  it('shares many out over the batches that may run, and keeps few together', async () => {
    const many = heldBatcher();
    void many.submit(256);
    await turn();
    expect(many.sizes()).toEqual([128, 128]);
    const few = heldBatcher();
    void few.submit(20);
    await turn();
    expect(few.sizes()).toEqual([20]);
  });

  it('lets those who were answered together, and ask again at once, go together again', async () => {
    const { batches, submit, sizes } = heldBatcher();
    const again = Promise.all(
      Array.from({ length: 20 }, (_, n) => submit(1, () => `k${n}`).then(() => submit(1, () => `k${n}`))),
    );
    await turn();
    batches[0]?.end();
    await turn();
    await turn();
    expect(sizes()).toEqual([20, 20]);
    batches[1]?.end();
    await again;
  });

  it('runs no more batches than it may, of no more commands than it may', async () => {
    const { batches, submit, sizes } = heldBatcher({ maxCommands: 40 });
    const answers = submit(100);
    await turn();
    expect(sizes()).toEqual([40, 40]);
    batches[0]?.end();
    await turn();
    await turn();
    expect(sizes()).toEqual([40, 40, 20]);
    for (const batch of batches) batch.end();
    expect(await answers).toHaveLength(100);
  });

  it('[OPS-202] tells of each batch how many it has, and how long the first of them waited', async () => {
    const begun: BegunBatch[] = [];
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const { batches, submit } = heldBatcher({ maxBatches: 1, onBatch: (batch) => void begun.push(batch) });
    void submit(2);
    await turn();
    now = 1_100;
    void submit(1);
    now = 1_250;
    void submit(2);
    now = 1_400;
    batches[0]?.end();
    await turn();
    await turn();
    expect(begun).toEqual([
      { commands: 2, waitedMs: 0 },
      { commands: 3, waitedMs: 300 },
    ]);
    batches[1]?.end();
    jest.restoreAllMocks();
  });

  it('never has one key in two batches, and keeps its order', async () => {
    const { batches, submit, sizes } = heldBatcher({ maxCommands: 10 });
    const answers = submit(15, () => 'same');
    await turn();
    expect(sizes()).toEqual([10]);
    batches[0]?.end();
    await turn();
    await turn();
    expect(sizes()).toEqual([10, 5]);
    batches[1]?.end();
    expect(await answers).toEqual(Array.from({ length: 15 }, (_, n) => `same${n}`));
  });

  it('runs a batch that failed again one by one', async () => {
    const { batches, submit } = heldBatcher();
    const answers = Promise.allSettled([submit(1), submit(1, () => 'poison'), submit(1, () => 'last')]);
    await turn();
    batches[0]?.end(new Error('all'));
    for (let next = 1; next <= 3; next += 1) {
      await turn();
      batches[next]?.end(next === 2 ? new Error('poisoned') : undefined);
    }
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  const unanswered = new DatabaseUnavailable('Query read timeout');
  const reasons = async (answers: Promise<PromiseSettledResult<unknown>[]>) =>
    new Set((await answers).map((answer) => answer.status === 'rejected' && answer.reason));

  it('[OPS-100] fails a batch that got no answer, and all that waits behind it, without asking again', async () => {
    const { batcher, batches, submit, sizes } = heldBatcher({ maxBatches: 1 });
    const answers = Promise.allSettled(
      Array.from({ length: 300 }, (_, n) => batcher.submit({ key: `k${n}`, n })),
    );
    await turn();
    batches[0]?.end(unanswered);
    expect(await reasons(answers)).toEqual(new Set([unanswered]));
    expect(sizes()).toEqual([256]);
    // A later command asks the database again.
    const later = submit(1);
    await turn();
    await turn();
    batches[1]?.end();
    expect(await later).toEqual(['k00']);
  });

  it('[OPS-100] stops running a failed batch one by one when there is no answer any more', async () => {
    const { batcher, batches, sizes } = heldBatcher();
    const answers = Promise.allSettled([0, 1, 2].map((n) => batcher.submit({ key: `k${n}`, n })));
    await turn();
    batches[0]?.end(new Error('all'));
    await turn();
    batches[1]?.end();
    await turn();
    batches[2]?.end(unanswered);
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(sizes()).toEqual([3, 1, 1]);
  });

  it('[OPS-101] lets a command go that nobody waits for any more, and runs it only if it had begun', async () => {
    const { batcher, batches, sizes } = heldBatcher({ maxCommands: 1, maxBatches: 1 });
    const patience = new AbortController();
    const begun = batcher.submit({ key: 'begun', n: 0 }, patience.signal);
    const waiting = batcher.submit({ key: 'waiting', n: 0 }, patience.signal);
    const last = batcher.submit({ key: 'last', n: 0 });
    const given = Promise.allSettled([begun, waiting]);
    await turn();
    patience.abort(new Error('enough'));
    expect((await given).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    batches[0]?.end();
    await turn();
    await turn();
    batches[1]?.end();
    expect(await last).toBe('last0');
    expect(sizes()).toEqual([1, 1]);
  });
});
