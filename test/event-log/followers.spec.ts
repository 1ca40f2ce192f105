import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresEventStore } from '../../adapters/postgres/event-store.js';
import { Followers } from '../../adapters/postgres/followers.js';
import type { AsyncProjection } from '../../adapters/postgres/projection.js';
import { SystemClock } from '../../application/ports/clock.js';
import type { RecordedEvent } from '../../application/ports/event-store.js';
import type { Reaction } from '../../application/ports/reaction.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const METADATA = { actor: 'test', correlationId: 'c' };

/** Adds up without remembering what it has seen: any event applied twice or left out shows in the sum. */
const sums: AsyncProjection = {
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

describe('followers of the log', () => {
  let test: TestDatabase;
  let store: PostgresEventStore;
  let running: Followers[] = [];
  let stream = 0;
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };

  beforeAll(async () => {
    test = await startTestDatabase();
    store = new PostgresEventStore(test.database, new SystemClock());
    await test.database.pool.query(
      'create table sums (name text primary key, total bigint not null, events int not null)',
    );
  });
  afterEach(async () => {
    await Promise.all(running.map((followers) => followers.stop()));
    running = [];
  });
  afterAll(() => test.close());

  const follow = async (projections: AsyncProjection[], reactions: Reaction[] = []) => {
    // A store of its own, as in another process: woken by NOTIFY alone.
    const followers = new Followers(
      test.database,
      new PostgresEventStore(test.database, new SystemClock()),
      projections,
      log,
    );
    await followers.start(reactions);
    running.push(followers);
    return followers;
  };
  const append = async (...numbers: number[]) => {
    const events = numbers.map((n) => ({ type: 'Counted', data: { n } }));
    const recorded = await store.append(
      [{ stream: `count-${(stream += 1)}`, expectedVersion: 0, events }],
      METADATA,
    );
    return (recorded.at(-1) as RecordedEvent).position;
  };
  const row = async () => (await test.database.pool.query(`select total, events from sums`)).rows[0];
  const truth = async () =>
    (
      await test.database.pool.query(
        `select sum((data->>'n')::int) as total, count(*)::int as events from event where type = 'Counted'`,
      )
    ).rows[0];
  const recorded = (name: string, seen: number[], fail?: (n: number) => void): Reaction => ({
    name,
    types: ['Counted'],
    async handle(event) {
      fail?.(event.data.n as number);
      seen.push(event.data.n as number);
    },
  });
  const until = async (condition: () => boolean) => {
    for (let n = 0; n < 400 && !condition(); n += 1) await new Promise((resolve) => setTimeout(resolve, 25));
    expect(condition()).toBe(true);
  };

  it('[OPS-06] applies every event once, with three workers at it', async () => {
    const [first] = await Promise.all([follow([sums]), follow([sums]), follow([sums])]);
    let position = 0;
    for (let n = 1; n <= 60; n += 1) position = await append(n, n * 2);
    expect(await first?.caughtUp(position, 10_000)).toBe(true);
    expect(await row()).toEqual(await truth());
  });

  it('says when it is not caught up in time', async () => {
    const position = await append(5);
    const idle = new Followers(test.database, store, [{ ...sums, name: 'never-started' }], log);
    expect(await idle.caughtUp(position, 50)).toBe(false);
  });

  it('[FIN-18] rebuilds beside the live rows when the version rises, while events arrive', async () => {
    await test.database.pool.query(`update sums set total = -1`);
    const followers = await follow([{ ...sums, version: 2 }]);
    let position = 0;
    for (let n = 1; n <= 30; n += 1) position = await append(n);
    expect(await followers.caughtUp(position, 10_000)).toBe(true);
    expect(await row()).toEqual(await truth());
  });

  it('[FIN-18] rebuilds once where several workers find an old version', async () => {
    let applied = 0;
    const slow = (version: number): AsyncProjection => ({
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
    expect(await workers[0]?.caughtUp(position, 10_000)).toBe(true);
    expect(await row()).toEqual(await truth());
    expect(applied).toBe(events + 1);
    expect(warnings).toEqual([]);
  });

  it('hands reactions every event in order, and goes on after a restart where it was', async () => {
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

  it('tries a reaction that fails again, and skips nothing meanwhile', async () => {
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
});
