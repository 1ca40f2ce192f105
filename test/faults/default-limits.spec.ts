import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { DOUBT_MS } from '../../adapters/platform/database/connections.js';
import { Database } from '../../adapters/platform/database/database.js';
import { LOOK_MS, lookAnswerMs } from '../../adapters/platform/database/long-statements.js';
import {
  HEARTBEAT_MS,
  Listening,
  listeningLimits,
  RECONNECT_MS,
} from '../../adapters/platform/event-log/listening.js';
import { Subscription } from '../../adapters/platform/event-log/log-subscription.js';
import { isLostConnection } from '../../adapters/platform/database/lost-connection.js';
import { readConfig } from '../../bootstrap/config.js';
import { BlackProxy } from '../support/black-proxy.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';

const LEFT_WITHIN_MS = 5_000;
const config = readConfig({ S3_BUCKET: 'sounds' });
/** Returns the error of a query. */
const failureOf = (asked: Promise<unknown>): Promise<Error> =>
  asked.then(
    () => new Error('it was answered'),
    (error: Error) => error,
  );

describe('a peer that vanishes, with the limits that nobody has set', () => {
  let behind: TestDatabase;
  beforeAll(async () => {
    behind = await startTestDatabase();
  });
  afterAll(() => behind?.close());
  /** Returns the number of statements that wait for a lock of the test. */
  const waiting = async (): Promise<number> => {
    const { rowCount } = await behind.database.pool.query(
      `select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
    );
    return rowCount ?? 0;
  };

  it('[OPS-255] is waited for no longer than five seconds, whoever waits', async () => {
    const near = new Database(behind.url, config.databaseOptions);
    const waits: Record<string, number> = {};
    for (const pool of ['pool', 'pipelines'] as const) {
      // The effective settings of the connections, on both sides.
      const { connectionTimeoutMillis = Infinity, query_timeout: answer = Infinity } = near[pool].options;
      waits[`${pool}: a connection`] = connectionTimeoutMillis;
      waits[`${pool}: an answer`] = answer;
      const { rows } = await near[pool].query<{ name: string; ms: number }>(
        `select name, setting::int as ms from pg_settings where name in ('statement_timeout', 'lock_timeout')`,
      );
      expect(rows).toHaveLength(2);
      for (const { name, ms } of rows) {
        waits[`${pool}: ${name}`] = ms || Infinity;
        // A working server reports its own timeout before the client gives up.
        expect(ms).toBeLessThan(answer);
      }
    }
    const { connectionTimeoutMillis: connect = Infinity } = near.pool.options;
    waits['statements that may take minutes'] = LOOK_MS + Math.max(connect, lookAnswerMs(near.limits));
    const { answerMs, silenceMs } = listeningLimits(near.limits);
    await near.close();
    waits['LISTEN and leases, seen from here'] = HEARTBEAT_MS + answerMs;
    waits['connections beside LISTEN'] = HEARTBEAT_MS + answerMs + DOUBT_MS;
    waits['LISTEN and leases, seen by the server'] = silenceMs;
    waits['LISTEN, when the server is back'] = RECONNECT_MS + answerMs;
    waits['the storage, reached'] = config.s3?.limits.connectMs ?? Infinity;
    waits['the storage, answering'] = config.s3?.limits.answerMs ?? Infinity;
    waits['Stripe'] = config.stripeLimits.timeoutMs;
    waits['the mail server, reached'] = config.smtpLimits.connectMs;
    waits['the mail server, greeting'] = config.smtpLimits.greetingMs;
    expect(Object.entries(waits).filter(([, ms]) => !(ms <= LEFT_WITHIN_MS))).toEqual([]);
    // A late answer to a heartbeat must not close the connection.
    expect(silenceMs).toBeGreaterThan(HEARTBEAT_MS + answerMs);
  });

  it('[OPS-255, OPS-256] is left by each of these limits: requests, transactions, long statements and LISTEN', async () => {
    const { url, proxy } = await BlackProxy.before(behind.url);
    const near = new Database(url, config.databaseOptions);
    const listening = new Listening(near, () => {});
    await listening.start();
    const held = await behind.database.pool.connect();
    await held.query('select pg_advisory_lock(255)');
    const long = failureOf(near.long.query('select pg_advisory_lock(255)'));
    const told = new EventEmitter();
    const amid = once(told, 'amid');
    const transaction = failureOf(
      near.transaction(async (client) => {
        told.emit('amid');
        await once(told, 'black');
        await client.query('select 1');
      }),
    );
    await amid;
    await near.pool.query('select 1');
    await until(async () => (await waiting()) === 1);
    proxy.goBlack();
    told.emit('black');
    const requests = Array.from({ length: 30 }, () => failureOf(near.pool.query('select 1')));
    const failures = await Promise.all([long, transaction, ...requests]);
    expect(failures.every(isLostConnection)).toBe(true);
    expect(failures[0]?.message).toBe('Connection terminated unexpectedly');
    await until(() => !listening.hears);
    proxy.goLight();
    await until(() => listening.hears);
    expect((await near.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect((await near.long.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await held.query('select pg_advisory_unlock(255)');
    held.release();
    await listening.stop();
    await near.close();
    await proxy.close();
  });

  it('[OPS-256] a long statement is left whose answer went lost on the way, and one that takes its time is not', async () => {
    const { url, proxy } = await BlackProxy.before(behind.url);
    const near = new Database(url, config.databaseOptions);
    const held = await behind.database.pool.connect();
    await held.query('select pg_advisory_lock(256), pg_advisory_lock(257)');
    const lost = failureOf(near.long.query('select pg_advisory_lock_shared(256)'));
    await until(async () => (await waiting()) === 1);
    proxy.goBlack();
    proxy.goLight();
    // Uses a connection from after the outage. The earlier checks used the other connection.
    const slow = near.long.query('select pg_advisory_lock_shared(257)');
    await until(async () => (await waiting()) === 2);
    await held.query('select pg_advisory_unlock(256)');
    expect((await lost).message).toBe('Connection terminated unexpectedly');
    await held.query('select pg_advisory_unlock(257)');
    expect((await slow).rowCount).toBe(1);
    held.release(true);
    await near.close();
    await proxy.close();
  });

  it('[OPS-258] gives up the leases that it held, if it was a node, though its connection stays', async () => {
    const { url, proxy } = await BlackProxy.before(behind.url);
    const databases = [
      new Database(url, config.databaseOptions),
      new Database(behind.url, config.databaseOptions),
    ] as const;
    const [gone, other] = databases.map((database) => new Listening(database, () => {})) as [
      Listening,
      Listening,
    ];
    await gone.start(['the books']);
    await until(() => gone.holds('the books'));
    await other.start(['the books']);
    proxy.goBlack();
    await until(() => other.holds('the books'));
    expect(gone.holds('the books')).toBe(false);
    await Promise.all([gone.stop(), other.stop()]);
    await Promise.all(databases.map((database) => database.close()));
    await proxy.close();
  });
});

describe('what follows the log', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('[OPS-259] asks a database that is away once a second, however long, and at once when it hears that it is back', async () => {
    const pauses: number[] = [];
    let outages = 300;
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((told: () => void, ms: number) => {
      pauses.push(ms);
      // The last pause lasts until a notification arrives.
      if (outages > 0) setImmediate(told);
    }) as typeof setTimeout);
    const [stopping, tried] = [new AbortController(), new EventEmitter()];
    const subscription = new Subscription(
      {
        name: 'follower',
        types: ['Noted'],
        step: async () => {
          outages -= 1;
          setImmediate(() => tried.emit(outages >= 0 ? 'in vain' : 'again'));
          if (outages >= 0) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
          return { reached: 1, more: false };
        },
      },
      { warn: () => {}, error: () => {} },
      stopping.signal,
    );
    const running = subscription.run();
    while (outages > 0) await once(tried, 'in vain');
    expect(pauses).toEqual(Array.from({ length: 300 }, () => 1_000));
    const again = once(tried, 'again');
    subscription.hurry();
    await again;
    stopping.abort();
    await running;
  });
});
