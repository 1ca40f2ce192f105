import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Checkpoints } from '../../adapters/platform/event-log/checkpoints.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { LogSubscriptions } from '../../adapters/platform/event-log/subscriptions.js';
import type { AsyncProjection } from '../../adapters/platform/projections/projection.js';
import { SystemClock } from '../../application/shared/clock.js';
import type { AnyEvent, RecordedEvent, Reactor } from '../../application/shared/event-store.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { LIMIT_MS, until } from '../support/until.js';

const METADATA = { actor: 'test', correlationId: 'c' };
const follows = (name: string, types: string[]): AsyncProjection<AnyEvent> => ({
  name,
  version: 1,
  lifecycle: 'async',
  types,
  tables: [],
  apply: async () => {},
});

describe('subscriptions of the log', () => {
  let test: TestDatabase;
  let store: PostgresEventStore;
  let checkpoints: Checkpoints;
  let running: LogSubscriptions | undefined;
  let streams = 0;
  const warnings: string[] = [];
  const log = { warn: (line: string) => void warnings.push(line), error: () => {} };

  beforeAll(async () => {
    test = await startTestDatabase();
    store = new PostgresEventStore(test.database, new SystemClock());
    checkpoints = new Checkpoints(test.database);
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  afterAll(() => test.close());

  const append = async (
    on: PostgresEventStore,
    type: string,
    stream = `thing-${(streams += 1)}`,
    after = 0,
  ) => {
    const events = [{ type, data: {} }];
    const [recorded] = await on.append([{ stream, expectedVersion: after, events }], METADATA);
    return (recorded as RecordedEvent).position;
  };
  const standing = async (name: string) => {
    const found = (await checkpoints.list()).find((each) => each.name === name);
    return found && { position: found.position, behind: found.behind };
  };

  describe('[OPS-105] are woken', () => {
    /** Names of the projections in the order of their steps. */
    const steps: string[] = [];
    let atWork = 0;
    const count = (name: string) => steps.filter((each) => each === name).length;
    let own: PostgresEventStore;
    const heard: string[] = [];

    /** Subscribes to Red and Blue, and records Marks in the order of their notifications. */
    const start = async () => {
      own = new PostgresEventStore(test.database, new SystemClock());
      running = new LogSubscriptions(
        test.database,
        own,
        [follows('red', ['Red']), follows('blue', ['Blue'])],
        log,
      );
      const { projector } = running;
      const step = projector.step.bind(projector);
      jest.spyOn(projector, 'step').mockImplementation((projection) => {
        steps.push(projection.name);
        atWork += 1;
        return step(projection).finally(() => (atWork -= 1));
      });
      const marks: Reactor = {
        name: 'marks',
        types: ['Mark'],
        handle: async ({ stream }) => void heard.push(stream),
      };
      await running.start([marks]);
      await mark();
      // A first step that is still at work would also take the events that a test appends.
      await until(() => atWork === 0);
      steps.length = 0;
    };
    /** Appends a mark and waits for it. All earlier notifications have arrived by then. */
    const mark = async () => {
      const stream = `mark-${(streams += 1)}`;
      await append(store, 'Mark', stream);
      await until(() => heard.includes(stream));
    };
    /** Makes every poll find nothing, so that only notifications wake a projection. */
    const polled = () => jest.spyOn(Checkpoints.prototype, 'settle').mockResolvedValue([]);

    it('by other processes for the types that they follow alone', async () => {
      const poll = polled();
      await start();
      const position = await append(store, 'Red');
      await mark();
      await until(() => count('red') > 0);
      expect(await running?.caughtUp(position, LIMIT_MS)).toBe(true);
      expect(count('blue')).toBe(0);
      poll.mockRestore();
    });

    it('once for an event that this process appended, and hears of again', async () => {
      const poll = polled();
      await start();
      const position = await append(own, 'Red');
      expect(await running?.caughtUp(position, LIMIT_MS)).toBe(true);
      await mark();
      expect(count('red')).toBe(1);
      poll.mockRestore();
    });

    it('all of them by a process of a version before, which names no types', async () => {
      const poll = polled();
      await start();
      await test.database.pool.query(`select pg_notify('event_appended', '')`);
      await until(() => count('red') > 0 && count('blue') > 0);
      poll.mockRestore();
    });

    it('by a look at all checkpoints where a notification was missed', async () => {
      await start();
      await test.database.pool.query(`update checkpoint set position = 0 where name = 'red'`);
      await until(() => count('red') > 0);
      expect(count('blue')).toBe(0);
    });
  });

  it('[OPS-106] are behind by events of their types alone', async () => {
    running = new LogSubscriptions(test.database, store, [follows('green', ['Green'])], log);
    const green = await append(store, 'Green');
    expect(await running.caughtUp(green, 0, ['green'])).toBe(false);
    await running.start([]);
    expect(await running.caughtUp(green, 10_000, ['green'])).toBe(true);
    await running.stop();
    const { position } = (await standing('green')) as { position: number };
    const other = await append(store, 'Other');
    // The log has no further event of its type, so it is caught up although its checkpoint has not moved.
    expect(await standing('green')).toEqual({ position, behind: 0 });
    expect(await running.caughtUp(other, 0, ['green'])).toBe(true);
    const next = await append(store, 'Green');
    expect(await standing('green')).toEqual({ position, behind: 1 });
    expect(await running.caughtUp(other, 0, ['green'])).toBe(true);
    expect(await running.caughtUp(next, 0, ['green'])).toBe(false);
    expect(await running.caughtUp(other, 0, ['green', 'nobody'])).toBe(false);
    // A former version stores no types, so every event counts.
    await test.database.pool.query(`update checkpoint set types = null where name = 'green'`);
    expect(await standing('green')).toEqual({ position, behind: next - position });
    expect(await running.caughtUp(other, 0, ['green'])).toBe(false);
  });

  it('[OPS-106] have their checkpoints moved where nothing waits, by nobody at the same time', async () => {
    const end = await append(store, 'Last');
    await test.database.pool.query(
      `insert into checkpoint (name, version, position, types) values
         ('idle', 1, 1, '{Nothing}'), ('waiting', 1, 1, '{Last}'), ('former', 1, $1, null), ('due', 1, $1, '{Nothing}'),
         ('held', 1, 1, '{Nothing}')`,
      [end],
    );
    await test.database.pool.query(
      `insert into parked_event (follower, position, stream, version, type, error, attempts, parked_at, retry_at)
       values ('due', 1, 's', 1, 'Nothing', 'x', 1, now(), now())`,
    );
    const names = ['idle', 'waiting', 'former', 'due', 'held'];
    const found = await test.database.transaction(async (client) => {
      await client.query(`select from checkpoint where name = 'held' for update`);
      return checkpoints.settle(names);
    });
    expect(found.sort()).toEqual(['due', 'waiting']);
    const { rows } = await test.database.pool.query(
      'select name from checkpoint where name = any($1) and position = $2 order by 1',
      [names, end],
    );
    expect(rows.map(({ name }) => name)).toEqual(['due', 'former', 'idle']);
    await test.database.pool.query('delete from parked_event');
    await test.database.pool.query('delete from checkpoint where name = any($1)', [names]);
  });

  it('[OPS-107] handle several streams at a time, each in its order; one that fails holds up no other', async () => {
    const seen: string[] = [];
    let atWork = 0;
    let open = () => {};
    const allThere = new Promise<void>((resolve) => (open = resolve));
    let isMended = false;
    const events = await store.append(
      ['a', 'b', 'c', 'd'].map((name) => ({
        stream: `lane-${name}`,
        expectedVersion: 0,
        events: [1, 2].map((n) => ({ type: 'Laned', data: { n } })),
      })),
      METADATA,
    );
    const [first] = events as [RecordedEvent];
    const reactor: Reactor<AnyEvent> = {
      name: 'lanes',
      types: ['Laned'],
      streamsAtOnce: 3,
      async handle({ stream, version }) {
        // All wait until three streams are in progress.
        if ((atWork += 1) === 3) open();
        await allThere;
        if (stream === 'lane-a' && !isMended) throw new Error('not yet');
        seen.push(`${stream} ${version}`);
      },
    };
    running = new LogSubscriptions(test.database, store, [], log);
    await running.start([reactor]);
    await until(() => seen.includes('lane-d 2'));
    const others = ['lane-b', 'lane-c', 'lane-d'].flatMap((name) => [`${name} 1`, `${name} 2`]);
    for (const name of ['lane-b', 'lane-c', 'lane-d'])
      expect(seen.filter((line) => line.startsWith(name))).toEqual([`${name} 1`, `${name} 2`]);
    // The checkpoint stops before the failed event, so a killed process would not lose it.
    await until(async () => (await standing('lanes'))?.position === first.position - 1);
    isMended = true;
    await until(() => seen.includes('lane-a 2'));
    expect(seen.filter((line) => line.startsWith('lane-a'))).toEqual(['lane-a 1', 'lane-a 2']);
    // No event was handled a second time.
    expect(seen.toSorted()).toEqual(['lane-a 1', 'lane-a 2', ...others]);
    expect(await running.caughtUp((events.at(-1) as RecordedEvent).position, 10_000, ['lanes'])).toBe(true);
  });
});
