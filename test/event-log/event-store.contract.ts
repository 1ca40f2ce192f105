import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  StreamVersionConflict,
  UnstorableText,
  type EventStore,
} from '../../application/shared/event-store.js';
import { verifyChain } from '../../application/operations/verify-chain.js';
import { GENESIS_HASH, nextHash } from '../../application/shared/proof/hash-chain.js';

const METADATA = { actor: 'user-1', correlationId: 'c-1' };
const fact = (n: number) => ({ type: 'FactHappened', data: { n } });

export interface EventStoreUnderTest {
  /** Creates an empty store with these upcasters. */
  make(
    upcasters?: Record<string, (data: Record<string, unknown>) => Record<string, unknown>>,
  ): Promise<EventStore>;
  close(): Promise<void>;
}

/** The tests that every implementation of the event store must pass. */
export function eventStoreContract(name: string, open: () => Promise<EventStoreUnderTest>): void {
  describe(name, () => {
    let under: EventStoreUnderTest;
    let store: EventStore;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());
    beforeEach(async () => {
      store = await under.make();
    });

    it('[FIN-19] gives gap-free versions and positions, and reads back what was appended', async () => {
      await store.append([{ stream: 'a-1', expectedVersion: 0, events: [fact(1), fact(2)] }], METADATA);
      await store.append([{ stream: 'b-1', expectedVersion: 0, events: [fact(3)] }], METADATA);
      await store.append([{ stream: 'a-1', expectedVersion: 2, events: [fact(4)] }], METADATA);
      const stream = await store.readStream('a-1');
      expect(stream.map(({ version, position, data }) => [version, position, data])).toEqual([
        [1, 1, { n: 1 }],
        [2, 2, { n: 2 }],
        [3, 4, { n: 4 }],
      ]);
      expect(stream[0]?.metadata).toEqual(METADATA);
      expect(await store.readStream('a-1', 2)).toHaveLength(1);
      expect(await store.readStream('nobody')).toEqual([]);
      expect((await store.head()).position).toBe(4);
    });

    it('appends to several streams or to none', async () => {
      await store.append([{ stream: 'a-1', expectedVersion: 0, events: [fact(1)] }], METADATA);
      const both = store.append(
        [
          { stream: 'b-1', expectedVersion: 0, events: [fact(2)] },
          { stream: 'a-1', expectedVersion: 0, events: [fact(3)] },
        ],
        METADATA,
      );
      await expect(both).rejects.toBeInstanceOf(StreamVersionConflict);
      expect(await store.readStream('b-1')).toEqual([]);
      expect((await store.head()).position).toBe(1);
    });

    it.each([
      ['behind', 0],
      ['ahead', 2],
    ])('refuses an expected version that is %s', async (_, expectedVersion) => {
      await store.append([{ stream: 'a-1', expectedVersion: 0, events: [fact(1)] }], METADATA);
      const late = store.append([{ stream: 'a-1', expectedVersion, events: [fact(2)] }], METADATA);
      await expect(late).rejects.toMatchObject({ name: 'StreamVersionConflict', stream: 'a-1' });
    });

    it('lets exactly one of many racing writers through', async () => {
      const racers = Array.from({ length: 20 }, (_, n) =>
        store.append([{ stream: 'race-1', expectedVersion: 0, events: [fact(n)] }], METADATA).then(
          () => 'won',
          (error: Error) => error.name,
        ),
      );
      const outcomes = await Promise.all(racers);
      expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'StreamVersionConflict')).toHaveLength(19);
    });

    it('[FIN-19] chains every event to the one before, over the stored bytes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.json(), { minLength: 1, maxLength: 5 }), async (values) => {
          const log = await under.make();
          const events = values.map((json) => ({ type: 'Noted', data: { note: json } }));
          await log.append([{ stream: 'notes-1', expectedVersion: 0, events }], METADATA);
          let previous = GENESIS_HASH;
          for (const event of await log.readAll({ after: 0, limit: 100 })) {
            const bytes = {
              ...event,
              data: JSON.stringify(event.data),
              metadata: JSON.stringify(event.metadata),
            };
            expect(event.hash).toBe(nextHash(previous, bytes));
            previous = event.hash;
          }
          expect((await log.head()).hash).toBe(previous);
        }),
        { numRuns: 15 },
      );
    });

    it('[FIN-19] verifies as a whole, page by page', async () => {
      for (let n = 0; n < 7; n += 1) {
        await store.append([{ stream: `a-${n}`, expectedVersion: 0, events: [fact(n), fact(n)] }], METADATA);
      }
      expect(await verifyChain(store, { pageEvents: 3 })).toMatchObject({ verified: true, position: 14 });
    });

    it('reads the log by position, type, stream and category', async () => {
      await store.append(
        [{ stream: 'pack-1', expectedVersion: 0, events: [fact(1), { type: 'Other', data: {} }] }],
        METADATA,
      );
      await store.append([{ stream: 'pack-2', expectedVersion: 0, events: [fact(2)] }], METADATA);
      await store.append([{ stream: 'packing-1', expectedVersion: 0, events: [fact(3)] }], METADATA);
      const positions = async (options: Partial<Parameters<EventStore['readAll']>[0]>) =>
        (await store.readAll({ after: 0, limit: 10, ...options })).map((event) => event.position);
      expect(await positions({})).toEqual([1, 2, 3, 4]);
      expect(await positions({ after: 1, limit: 2 })).toEqual([2, 3]);
      expect(await positions({ types: ['Other'] })).toEqual([2]);
      expect(await positions({ stream: 'pack-1' })).toEqual([1, 2]);
      expect(await positions({ stream: 'pack-' })).toEqual([1, 2, 3]);
    });

    it('hands old shapes out in today’s form and leaves the stored ones alone', async () => {
      const log = await under.make({ FactHappened: (data) => ({ unit: 'piece', ...data }) });
      await log.append([{ stream: 'a-1', expectedVersion: 0, events: [fact(1)] }], METADATA);
      const [event] = await log.readStream('a-1');
      expect(event?.data).toEqual({ unit: 'piece', n: 1 });
      const stored = { ...event!, data: JSON.stringify({ n: 1 }), metadata: JSON.stringify(METADATA) };
      expect(event?.hash).toBe(nextHash(GENESIS_HASH, stored));
    });

    it.each([
      ['NUL', { said: 'a\u0000b' }],
      ['the first half of a character', { deep: [{ said: 'a\ud83d' }] }],
      ['the second half of a character', { said: '\ude00b' }],
      ['such a name', { 'a\u0000': 1 }],
    ])('[FIN-41] refuses an event with %s, and all that was to be appended with it', async (_, data) => {
      const both = store.append(
        [
          { stream: 'a-1', expectedVersion: 0, events: [fact(1)] },
          { stream: 'a-2', expectedVersion: 0, events: [{ type: 'Said', data }] },
        ],
        METADATA,
      );
      await expect(both).rejects.toBeInstanceOf(UnstorableText);
      const actor = { ...METADATA, actor: 'a\ud800' };
      const by = store.append([{ stream: 'a-1', expectedVersion: 0, events: [fact(1)] }], actor);
      await expect(by).rejects.toBeInstanceOf(UnstorableText);
      expect((await store.head()).position).toBe(0);
    });

    it('keeps every other text as it is', async () => {
      const said = ['😀', '\\u0000', '\\\\ud800', '\t\u001f\u007f', 'e\u0301', '\ufffd\u2028'];
      await store.append(
        [{ stream: 'a-1', expectedVersion: 0, events: [{ type: 'Said', data: { said } }] }],
        METADATA,
      );
      expect((await store.readStream('a-1'))[0]?.data).toEqual({ said });
    });

    it('refuses the same stream named twice in one append', async () => {
      const twice = store.append(
        [
          { stream: 'a-1', expectedVersion: 0, events: [fact(1)] },
          { stream: 'a-1', expectedVersion: 1, events: [fact(2)] },
        ],
        METADATA,
      );
      await expect(twice).rejects.toBeInstanceOf(RangeError);
      expect((await store.head()).position).toBe(0);
    });
  });
}
