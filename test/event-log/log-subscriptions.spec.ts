import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../adapters/platform/observability/metrics.js';
import { listProjections, retryParked } from '../../cli/projections.command.js';
import type { Tools } from '../../cli/tools.js';
import { registerLogMetrics } from '../../adapters/platform/observability/gauges.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { LogSubscriptions } from '../../adapters/platform/event-log/subscriptions.js';
import { ParkedEvents } from '../../adapters/platform/event-log/parked-events.js';
import type { AsyncProjection } from '../../adapters/platform/projections/projection.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { catalogueSearch } from '../../adapters/catalogue/search/catalogue-search.js';
import { SystemClock } from '../../application/shared/clock.js';
import type { AnyEvent, RecordedEvent, Reactor } from '../../application/shared/event-store.js';
import { StorageUnavailable } from '../../application/storage/object-storage.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { LIMIT_MS, until } from '../support/until.js';

const METADATA = { actor: 'test', correlationId: 'c' };

/** Adds up without remembering events, so a doubled or missing event changes the sum. */
const sums: AsyncProjection<AnyEvent> = {
  name: 'sums',
  version: 1,
  lifecycle: 'async',
  types: ['Counted'],
  tables: ['sums'],
  async apply(client, events) {
    for (const event of events) {
      await client.query(
        `insert into sums as s (name, total, events) values ('all', $1, 1)
         on conflict (name) do update set total = s.total + excluded.total, events = s.events + 1`,
        [event.data.n],
      );
    }
  },
};

describe('subscribers of the log', () => {
  let test: TestDatabase;
  let store: PostgresEventStore;
  let running: LogSubscriptions[] = [];
  let stream = 0;
  const warnings: string[] = [];
  const log = {
    warn: (message: string) => void warnings.push(message),
    error: (message: string) => void warnings.push(message),
  };

  beforeAll(async () => {
    test = await startTestDatabase();
    store = new PostgresEventStore(test.database, new SystemClock());
    await test.database.pool.query(
      'create table sums (name text primary key, total bigint not null, events int not null)',
    );
  });
  afterEach(async () => {
    await Promise.all(running.map((logSubscriptions) => logSubscriptions.stop()));
    running = [];
  });
  afterAll(() => test.close());

  const follow = async (projections: AsyncProjection[], reactors: Reactor[] = []) => {
    // A store of its own, as in another process: only NOTIFY wakes it.
    const logSubscriptions = new LogSubscriptions(
      test.database,
      new PostgresEventStore(test.database, new SystemClock()),
      projections,
      log,
    );
    await logSubscriptions.start(reactors);
    running.push(logSubscriptions);
    return logSubscriptions;
  };
  const append = async (...numbers: number[]) => {
    const events = numbers.map((n) => ({ type: 'Counted', data: { n } }));
    const recorded = await store.append(
      [{ stream: `count-${(stream += 1)}`, expectedVersion: 0, events }],
      METADATA,
    );
    return (recorded.at(-1) as RecordedEvent).position;
  };
  const row = async () =>
    (await test.database.pool.query(`select total, events from sums where name = 'all'`)).rows[0];
  const truth = async () =>
    (
      await test.database.pool.query(
        `select sum((data->>'n')::int) as total, count(*)::int as events from event where type = 'Counted'`,
      )
    ).rows[0];
  const recorded = (name: string, seen: number[], fail?: (n: number) => void): Reactor<AnyEvent> => ({
    name,
    types: ['Counted'],
    async handle(event) {
      fail?.(event.data.n as number);
      seen.push(event.data.n as number);
    },
  });
  it('[OPS-06] applies every event once, with three workers at it', async () => {
    const [first] = await Promise.all([follow([sums]), follow([sums]), follow([sums])]);
    let position = 0;
    for (let n = 1; n <= 60; n += 1) position = await append(n, n * 2);
    expect(await first?.caughtUp(position, LIMIT_MS)).toBe(true);
    expect(await row()).toEqual(await truth());
  });

  it('says when it is not caught up in time', async () => {
    const position = await append(5);
    const idle = new LogSubscriptions(test.database, store, [{ ...sums, name: 'never-started' }], log);
    expect(await idle.caughtUp(position, 50)).toBe(false);
  });

  it('[FIN-18] rebuilds beside the live rows when the version rises, while events arrive', async () => {
    await test.database.pool.query(`update sums set total = -1`);
    const logSubscriptions = await follow([{ ...sums, version: 2 }]);
    let position = 0;
    for (let n = 1; n <= 30; n += 1) position = await append(n);
    expect(await logSubscriptions.caughtUp(position, LIMIT_MS)).toBe(true);
    expect(await row()).toEqual(await truth());
  });

  it('[FIN-18] rebuilds once where several workers find an old version', async () => {
    let applied = 0;
    const slow = (version: number): AsyncProjection<AnyEvent> => ({
      ...sums,
      version,
      apply: async (client, events) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        applied += events.length;
        await sums.apply(client, events);
      },
    });
    const { events } = await truth();
    const workers = await Promise.all([follow([slow(3)]), follow([slow(3)]), follow([slow(3)])]);
    const position = await append(7);
    expect(await workers[0]?.caughtUp(position, LIMIT_MS)).toBe(true);
    expect(await row()).toEqual(await truth());
    expect(applied).toBe(events + 1);
    expect(warnings).toEqual([]);
  });

  it('hands reactors every event in order, and goes on after a restart where it was', async () => {
    const seen: number[] = [];
    const first = await follow([], [recorded('listener', seen)]);
    await append(1101, 1102);
    await until(() => seen.includes(1102));
    await first.stop();
    await append(1103);
    await follow([], [recorded('listener', seen)]);
    await until(() => seen.includes(1103));
    const mine = seen.filter((n) => n > 1100);
    expect(mine).toEqual([1101, 1102, 1103]);
  });

  it('tries a reactor that fails again, and skips nothing meanwhile', async () => {
    const seen: number[] = [];
    let failures = 2;
    const shaky = recorded('shaky', seen, (n) => {
      if (n === 2202 && failures-- > 0) throw new Error('the mail server is away');
    });
    await follow([], [shaky]);
    await append(2201, 2202, 2203);
    await until(() => seen.includes(2203));
    expect(seen.filter((n) => n > 2200)).toEqual([2201, 2202, 2203]);
    expect(warnings.filter((line) => line.startsWith('shaky failed'))).toHaveLength(2);
  });

  describe('with an event that cannot be handled', () => {
    const poisonous = (seen: string[], isMended: () => boolean): Reactor<AnyEvent> => ({
      name: `poisoned-${stream}`,
      types: ['Counted'],
      async handle(event) {
        if (event.data.n === 6666 && !isMended()) throw new Error('nobody can handle this');
        seen.push(`${event.stream} ${event.data.n}`);
      },
    });
    const appendTo = async (name: string, version: number, n: number) =>
      (
        await store.append(
          [{ stream: name, expectedVersion: version, events: [{ type: 'Counted', data: { n } }] }],
          METADATA,
        )
      )[0] as RecordedEvent;

    it('[OPS-32, OPS-35] a reactor sets its stream aside by name, goes on with the others, and tries again when told', async () => {
      const seen: string[] = [];
      let mended = false;
      const parked = new ParkedEvents(test.database);
      const poison = await appendTo('poison-1', 0, 6666);
      await appendTo('poison-1', 1, 6667);
      await appendTo('healthy-1', 0, 6668);
      const reactor = poisonous(seen, () => mended);
      await follow([], [reactor]);
      await until(() => seen.includes('healthy-1 6668'));
      await until(async () => (await parked.list()).length === 2);
      expect(seen.filter((line) => line.startsWith('poison-1'))).toEqual([]);
      expect((await parked.list()).map(({ position, stream, error }) => [position, stream, error])).toEqual([
        [poison.position, 'poison-1', 'nobody can handle this'],
        [poison.position + 1, 'poison-1', ''],
      ]);
      expect(warnings).toContain(
        `${reactor.name} set aside Counted at position ${poison.position} (poison-1, version 1): nobody can handle this`,
      );
      mended = true;
      // [OPS-35] The operator finds the event and retries it.
      const tools = { database: test.database, eventStore: store } as Tools;
      const said: string[] = [];
      const print = (line: string) => void said.push(line);
      expect(await listProjections(tools, { json: false }, print)).toBe(1);
      expect(said.join('\n')).toContain(
        `${reactor.name}: Counted at position ${poison.position} (poison-1, version 1): nobody can handle this`,
      );
      const metrics = new Metrics();
      registerLogMetrics(metrics, tools);
      expect(await metrics.registry.metrics()).toContain(
        `log_follower_parked_events{follower="${reactor.name}"} 2`,
      );
      expect(await retryParked(tools, { name: reactor.name, stream: 'nobody' }, print)).toBe(1);
      expect(await retryParked(tools, { name: reactor.name }, print)).toBe(0);
      await until(() => seen.includes('poison-1 6667'));
      expect(seen.filter((line) => line.startsWith('poison-1'))).toEqual(['poison-1 6666', 'poison-1 6667']);
      await until(async () => (await parked.list()).length === 0);
    });

    it('[OPS-109] a reactor goes on with the stream once told to skip the event', async () => {
      const seen: string[] = [];
      const parked = new ParkedEvents(test.database);
      const poison = await appendTo('poison-3', 0, 6666);
      await appendTo('poison-3', 1, 6667);
      const reactor = { ...poisonous(seen, () => false), name: 'skipping' };
      await follow([], [reactor]);
      const ours = async () => (await parked.list()).filter(({ follower }) => follower === 'skipping');
      await until(async () => (await ours()).some(({ position }) => position === poison.position + 1));
      const events = await ours();
      for (const event of events.filter(({ error }) => error !== '')) await parked.skip('skipping', event);
      await until(() => seen.includes('poison-3 6667'));
      await until(async () => (await ours()).length === 0);
      expect(seen.filter((line) => line.endsWith(' 6666'))).toEqual([]);
    });

    it('[OPS-32] a projection sets its stream aside, commits the others, and tries again when told', async () => {
      let mended = false;
      const picky: AsyncProjection<AnyEvent> = {
        ...sums,
        name: 'picky',
        async apply(client, events) {
          if (!mended && events.some((event) => event.data.n === 7777))
            await client.query(`select 'not a number'::int`);
          await client.query(
            `insert into sums as s (name, total, events) values ('picky', $1, $2)
             on conflict (name) do update set total = s.total + excluded.total, events = s.events + excluded.events`,
            [events.reduce((sum, { data }) => sum + (data.n as number), 0), events.length],
          );
        },
      };
      const picked = async () =>
        (await test.database.pool.query(`select total, events from sums where name = 'picky'`)).rows[0];
      const parked = new ParkedEvents(test.database);
      const { rows } = await test.database.pool.query(
        `select sum((data->>'n')::int) as total, count(*)::int as events from event where type = 'Counted'`,
      );
      const [{ total, events }] = rows as [{ total: number; events: number }];
      await appendTo('poison-2', 0, 7777);
      await appendTo('poison-2', 1, 1);
      const last = await appendTo('healthy-2', 0, 2);
      const logSubscriptions = await follow([picky]);
      expect(await logSubscriptions.caughtUp(last.position, LIMIT_MS)).toBe(true);
      expect(await picked()).toEqual({ total: total + 2, events: events + 1 });
      expect((await parked.list()).map(({ follower, stream }) => [follower, stream])).toEqual([
        ['picky', 'poison-2'],
        ['picky', 'poison-2'],
      ]);
      mended = true;
      await parked.retry('picky');
      await until(async () => (await parked.list()).length === 0);
      expect(await picked()).toEqual({ total: total + 7780, events: events + 3 });
    });

    it('[OPS-32] a download that was set aside counts once it is handled, though later ones were counted', async () => {
      let mended = false;
      const counting: AsyncProjection<AnyEvent> = {
        ...catalogueSearch,
        name: 'counting',
        // A type that no book uses.
        types: ['Fetched'],
        async apply(client, events, how) {
          if (!mended && events.some((event) => event.stream === 'fetched-by-bob'))
            await client.query(`select 'not a number'::int`);
          const downloads = events.map((event) => ({ ...event, type: 'SamplePurchased' }));
          await catalogueSearch.apply(client, downloads, how);
        },
      };
      const data = { sampleId: 's1', packId: 'p1', creatorId: 'ada' };
      const fetchedBy = (name: string) => ({
        stream: `fetched-by-${name}`,
        expectedVersion: 0,
        events: [{ type: 'Fetched', data }],
      });
      const recorded = await store.append(['bob', 'eve'].map(fetchedBy), METADATA);
      const counts = async () =>
        (
          await test.database.pool.query(
            `select kind as of, downloads::int from download_count
             union all select 'hour', sum(downloads)::int from download_hour order by 1`,
          )
        ).rows.map(({ of, downloads }) => `${of} ${downloads}`);
      const logSubscriptions = await follow([counting]);
      expect(await logSubscriptions.caughtUp((recorded.at(-1) as RecordedEvent).position, LIMIT_MS)).toBe(
        true,
      );
      expect(await counts()).toEqual(['creator 1', 'hour 1', 'pack 1', 'sample 1']);
      mended = true;
      const parked = new ParkedEvents(test.database);
      await parked.retry('counting');
      await until(async () => (await parked.list()).length === 0);
      expect(await counts()).toEqual(['creator 2', 'hour 2', 'pack 2', 'sample 2']);
      await test.database.pool.query('truncate download_count, download_hour');
    });

    it('waits for a part that is away, and sets nothing aside', async () => {
      const seen: number[] = [];
      let away = 5;
      await follow(
        [],
        [
          recorded('patient', seen, (n) => {
            if (n === 8888 && away-- > 0) throw new StorageUnavailable('the object storage does not serve');
          }),
        ],
      );
      await appendTo('patient-1', 0, 8888);
      await until(() => seen.includes(8888));
      expect(await new ParkedEvents(test.database).list()).toEqual([]);
    });
  });

  it('[OPS-33] leaves the rows of a newer version alone', async () => {
    const before = await row();
    await test.database.pool.query(`update checkpoint set version = 99 where name = 'sums'`);
    const projector = new Projector(test.database, store, log);
    const position = await append(9);
    expect(await projector.advance({ ...sums, version: 3 })).toBe('busy');
    expect(await row()).toEqual(before);
    await test.database.pool.query(`update checkpoint set version = 3 where name = 'sums'`);
    expect(await (await follow([{ ...sums, version: 3 }])).caughtUp(position, LIMIT_MS)).toBe(true);
  });
});
