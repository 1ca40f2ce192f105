import { expect, it } from '@jest/globals';
import {
  UploadBoard,
  type UploadName,
  type UploadProgressStore,
  type UploadState,
} from '../../application/publishing/samples/upload-progress.js';
import { TestClock } from '../support/app.js';

class HeldStore implements UploadProgressStore {
  readonly saved: string[] = [];
  /** The next writes wait for these. */
  readonly waits: Promise<void>[] = [];

  async save(_upload: UploadName, { phase, share }: UploadState): Promise<void> {
    await this.waits.shift();
    this.saved.push(`${phase} ${share}`);
  }

  async find(): Promise<undefined> {
    return undefined;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('[OPS-221] each phase is told in its order, and twice a second within one', async () => {
  const clock = new TestClock();
  const store = new HeldStore();
  const board = new UploadBoard(clock, store);
  let go: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  store.waits.push(held);
  const report = (phase: UploadState['phase'], share: number) => board.report('u', 'ada', { phase, share });
  report('receiving', 0);
  report('receiving', 0.5);
  report('decoding', 0);
  clock.advance(500);
  report('decoding', 0.5);
  report('done', 1);
  await settled();
  expect(store.saved).toEqual([]);
  go?.();
  await settled();
  expect(store.saved).toEqual(['receiving 0', 'decoding 0', 'decoding 0.5', 'done 1']);
});

it('[OPS-221] what cannot be told is told here all the same, and holds nothing up', async () => {
  const store = new HeldStore();
  const board = new UploadBoard(new TestClock(), store);
  store.waits.push(Promise.reject(new Error('no database')));
  board.report('u', 'ada', { phase: 'receiving', share: 0.5 });
  board.report('u', 'ada', { phase: 'done', share: 1 });
  await settled();
  expect(store.saved).toEqual(['done 1']);
  expect(await board.find('u', 'ada')).toEqual({ phase: 'done', share: 1 });
  expect(await board.find('u', 'eve')).toBeUndefined();
  board.report('u', 'eve', { phase: 'failed', share: 1 });
  expect(await board.find('u', 'ada')).toEqual({ phase: 'done', share: 1 });
});
