import { describe, expect, it } from '@jest/globals';
import { StreamVersionConflict } from '../../application/shared/event-store.js';
import { PublishingSettings } from '../../application/publishing/publishing-settings.js';
import { Packs, PublishedRecordings } from '../../application/publishing/packs.js';
import { SystemClock } from '../../application/shared/clock.js';
import { MAX_ATTEMPTS, Streams } from '../../application/shared/streams.js';
import type { Remarks } from '../../application/shared/remarks.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { drafted } from '../support/pack-events.js';

/** No other creator publishes. */
class NothingPublished extends PublishedRecordings {
  override withheld(): Promise<Set<string>> {
    return Promise.resolve(new Set());
  }

  override take(): Promise<Set<string>> {
    return Promise.resolve(new Set());
  }
}

const now = '2026-11-20T12:00:00.000Z';
const packsOn = (store: InMemoryEventStore) =>
  new Packs(
    new Streams(store),
    new NothingPublished(),
    {} as Remarks,
    new PublishingSettings(true, [], false, 0, true),
    new SystemClock(),
  );
const describePack = (store: InMemoryEventStore, description: string, expectedVersion?: number) =>
  packsOn(store).decide(
    { userId: 'ada', packId: 'p1', expectedVersion },
    { type: 'DescribePack', description },
  );

async function storeWithPack(): Promise<InMemoryEventStore> {
  const store = new InMemoryEventStore();
  await store.append([{ stream: 'pack-p1', expectedVersion: 0, events: [drafted()] }], {
    actor: 'ada',
    correlationId: 'x',
  });
  return store;
}

/** Another process writes to the pack just before each of the next appends. */
function overtaken(store: InMemoryEventStore, times: number): void {
  const append = store.append.bind(store);
  let left = times;
  store.append = async (appends, metadata) => {
    if (left-- > 0) {
      const version = (await store.readStream('pack-p1')).length;
      const rival = { type: 'PackDescribed', data: { packId: 'p1', at: now, description: `rival ${left}` } };
      await append([{ stream: 'pack-p1', expectedVersion: version, events: [rival] }], {
        actor: 'ada',
        correlationId: 'y',
      });
    }
    return append(appends, metadata);
  };
}

describe('commands on one pack that race', () => {
  it('decide again after losing, on what is there then', async () => {
    const store = await storeWithPack();
    overtaken(store, 2);
    expect(await describePack(store, 'mine')).toMatchObject({
      accepted: true,
      version: 4,
    });
    expect(store.events.at(-1)).toMatchObject({ type: 'PackDescribed', data: { description: 'mine' } });
  });

  it('give up after too many losses, having recorded nothing', async () => {
    const store = await storeWithPack();
    overtaken(store, 2 * MAX_ATTEMPTS);
    expect(await describePack(store, 'mine')).toEqual({
      accepted: false,
      rejection: { code: 'StaleVersion', version: 1 + MAX_ATTEMPTS },
    });
    expect(JSON.stringify(store.events)).not.toContain('mine');
  });

  it('do not decide again on a version that the caller named', async () => {
    const store = await storeWithPack();
    overtaken(store, 1);
    expect(await describePack(store, 'mine', 1)).toMatchObject({ rejection: { code: 'StaleVersion' } });
  });

  it('take turns within a process, and one that fails does not block the next', async () => {
    const store = await storeWithPack();
    const packs = packsOn(store);
    const append = store.append.bind(store);
    let conflicts = 0;
    store.append = async (appends, metadata) => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (JSON.stringify(appends).includes('broken')) throw new Error('the database is gone');
      return append(appends, metadata).catch((error: unknown) => {
        if (error instanceof StreamVersionConflict) conflicts += 1;
        throw error;
      });
    };
    const outcomes = await Promise.allSettled(
      ['one', 'two', 'broken', 'three', 'four', 'five'].map((description) =>
        packs.decide({ userId: 'ada', packId: 'p1' }, { type: 'DescribePack', description }),
      ),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(conflicts).toBe(0);
    expect(store.events).toHaveLength(6);
  });
});
