import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type pg from 'pg';
import { outageOf } from '../../adapters/platform/http/problem.filter.js';
import { PostgresCreditBatchStore } from '../../adapters/credits/postgres-credit-batch-store.js';
import { SmtpMailer } from '../../adapters/vendors/smtp/smtp-mailer.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { LogSubscriptions } from '../../adapters/platform/event-log/subscriptions.js';
import { Database } from '../../adapters/platform/database/database.js';
import { stripeClient } from '../../adapters/vendors/stripe/stripe-client.js';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import type { CreditBatch } from '../../application/credits/credit-batch.js';
import {
  CreditBatchStore,
  CreditExecutor,
  type BatchCommand,
} from '../../application/credits/credit-executor.js';
import { SystemClock } from '../../application/shared/clock.js';
import { StorageUnavailable } from '../../application/storage/object-storage.js';
import { readConfig } from '../../bootstrap/config.js';
import type { HttpClient } from '../support/http-client.js';
import { BlackProxy } from '../support/black-proxy.js';
import { allowLog, expectLog } from '../support/log.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { listenerWith, openShop } from '../support/shop.js';
import { LIMIT_MS, until } from '../support/until.js';

const METADATA = { actor: 'test', correlationId: 'c' };
/** The product's defaults, which other tests raise for busy machines. */
const LIMITS = readConfig({}).databaseOptions.limits;
describe('a database that vanishes without a word', () => {
  let behind: TestDatabase;
  let proxy: BlackProxy;
  let product: TestProduct;
  let person: HttpClient;

  beforeAll(async () => {
    behind = await startTestDatabase();
    const made = await BlackProxy.before(behind.url);
    ({ proxy } = made);
    product = await startTestProduct({
      DATABASE_URL: made.url,
      DATABASE_CONNECT_TIMEOUT_MS: String(LIMITS.connectMs),
      DATABASE_STATEMENT_TIMEOUT_MS: String(LIMITS.statementMs),
      DATABASE_LOCK_TIMEOUT_MS: String(LIMITS.lockMs),
    });
    person = await product.signedUp();
  });
  afterAll(async () => {
    await product?.stop();
    await proxy?.close();
    await behind?.close();
  });

  it('[OPS-34, OPS-36] is left by requests while it is away, and everything goes on without a restart', async () => {
    const asked = () => Promise.all(Array.from({ length: 30 }, () => person.get('/api/credits')));
    expect((await asked()).map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
    const visited = await product.browser().get('/api/home');
    expect(visited.status).toBe(200);
    proxy.goBlack();
    expectLog(
      /^error \[Http\].*(timeout exceeded|connection timeout|read timeout|Connection terminated).*"status":503/,
      /^error \[Http\].*A part of the service is unavailable.*"path":"\/readyz"/,
      /^warn \[(LogSubscriptions|Jobs)\] .*(timeout exceeded|Connection terminated|read timeout)/,
    );
    // [OPS-36] Public answers are still known.
    expect((await product.browser().get('/api/home')).body).toEqual(visited.body);
    // The proxy returns no bytes while it is black, so these answers come from timeouts.
    for (const answers of [await asked(), await asked()]) {
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      expect(answers[0]?.headers.get('retry-after')).toBe('5');
    }
    expect((await product.browser().get('/readyz')).body).toMatchObject({ database: 'down' });
    proxy.goLight();
    await until(async () => (await person.get('/api/credits')).status === 200);
    // The product does not try dead connections one after the other.
    expect((await asked()).map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
    // Log subscriptions and LISTEN recover too: a pack reaches the catalogue.
    const { position } = await product.resources.eventStore.head();
    expect(await product.resources.logSubscriptions.caughtUp(position, LIMIT_MS)).toBe(true);
  });

  it('[OPS-540] whose connections all fall silent, while new ones pass, serves every request that is sent after one waited in vain', async () => {
    const sounds = Array.from({ length: 8 }, (_, n) => ({ name: `Hum ${n}`, creditCost: 1 }));
    await openShop(product, [{ name: 'Silence', genre: 'Trap', mood: 'Dark', sounds }]);
    const buyer = await listenerWith(product, sounds.length);
    const found = await buyer.get('/api/samples?q=hum');
    const sampleIds = (found.body.items as { id: string }[]).map(({ id }) => id);
    const buy = () =>
      buyer.post(
        '/api/downloads',
        { sampleId: sampleIds.pop(), expectedCredits: 1 },
        { headers: { 'idempotency-key': randomUUID() } },
      );
    const reads = () => Array.from({ length: 30 }, () => person.get('/api/credits'));
    const { long } = product.resources.database;
    const slow = Array.from({ length: 4 }, () => long.query('select pg_sleep(0.1)'));
    await Promise.all([...reads(), buy(), buy(), ...slow]);
    // The pools are full of connections that are about to fall silent.
    await until(async () => {
      await Promise.all(
        Array.from({ length: 40 }, () => product.resources.database.pool.query('select pg_sleep(0.1)')),
      );
      return proxy.count >= 30;
    });
    expectLog(/^error \[Http\].*(Connection terminated|read timeout).*"status":503/);
    allowLog(/^warn \[(LogSubscriptions|Jobs)\] .*(timeout exceeded|Connection terminated|read timeout)/);
    proxy.silence();
    expect((await Promise.race([buy(), person.get('/api/credits')])).status).toBe(503);
    const answers = await Promise.all([...reads(), buy(), buy(), buy()]);
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 30 }, () => 200),
      201,
      201,
      201,
    ]);
  });

  it('[OPS-540] is left by the connections of all pools at once: by idle ones, and by those that wait', async () => {
    const made = await BlackProxy.before(behind.url);
    const near = new Database(made.url);
    const all = () =>
      Promise.all([
        ...Array.from({ length: 24 }, () => near.pool.query('select pg_sleep(0.05)')),
        near.long.query('select 1'),
        near.pipelinedTransaction(async (client) => ({ result: await client.query('select 1') })),
      ]);
    await all();
    made.proxy.silence();
    const [other] = await Promise.all([
      near.pool.query('select 1').catch(({ message }: Error) => message),
      expect(near.pool.query({ text: 'select 1', query_timeout: 200 } as pg.QueryConfig)).rejects.toThrow(
        'Query read timeout',
      ),
    ]);
    // Alone it would have waited for ten minutes.
    expect(other).toBe('Connection terminated unexpectedly');
    await all();
    await near.close();
    await made.proxy.close();
  });

  it('[OPS-34] is left by subscriptions and by LISTEN, which hear of appends again', async () => {
    const made = await BlackProxy.before(behind.url);
    const near = new Database(made.url, { limits: LIMITS });
    const store = new PostgresEventStore(behind.database, new SystemClock());
    const seen: string[] = [];
    const logSubscriptions = new LogSubscriptions(near, new PostgresEventStore(near, new SystemClock()), [], {
      warn: () => {},
      error: () => {},
    });
    await logSubscriptions.start([
      {
        name: 'in-the-dark',
        types: ['Noted'],
        handle: async ({ stream }) => void seen.push(stream),
      },
    ]);
    const append = (stream: string) =>
      store.append([{ stream, expectedVersion: 0, events: [{ type: 'Noted', data: {} }] }], METADATA);
    await append('before-1');
    await until(() => seen.includes('before-1'));
    made.proxy.goBlack();
    await append('during-1');
    // Long enough for a missed heartbeat.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    made.proxy.goLight();
    await until(() => seen.includes('during-1'));
    await append('after-1');
    await until(() => seen.includes('after-1'));
    // Delivery is at least once: an event is repeated if its completion was not recorded in time.
    expect([...new Set(seen)]).toEqual(['before-1', 'during-1', 'after-1']);
    await logSubscriptions.stop();
    await near.close();
    await made.proxy.close();
  });

  it('[OPS-235] does not keep what a node held that vanished amid a purchase: others wait for it, and are not refused', async () => {
    const made = await BlackProxy.before(behind.url);
    const [gone, other] = [
      new Database(made.url, { limits: LIMITS }),
      new Database(behind.url, { limits: LIMITS }),
    ];
    const taken = new Promise<void>((resolve, reject) => {
      gone
        .pipelinedTransaction(async (client) => {
          await client.query('select from log_head for update');
          made.proxy.goBlack();
          resolve();
          return { result: await client.query('select 1') };
        })
        .then(() => reject(new Error('it was heard')), reject);
    });
    await taken;
    expect((await other.pool.query('select from log_head for update')).rowCount).toBe(1);
    await Promise.all([gone.close(), other.close()]);
    await made.proxy.close();
  });

  it('[OPS-100] is left at once by all purchases that are on their way to it, however many', async () => {
    const made = await BlackProxy.before(behind.url);
    const near = new Database(made.url, { limits: LIMITS });
    const clock = new SystemClock();
    const store = new CountedBatches(
      new PostgresCreditBatchStore(near, new PostgresEventStore(near, clock), clock),
    );
    const executor = new CreditExecutor(store);
    const buy = (n: number) =>
      executor.buy({
        type: 'BuySamples',
        buyerId: `nobody-${n}`,
        items: [{ sampleId: 'nothing', purchaseId: `p-${n}`, certificateId: `c-${n}` }],
        expectedCredits: 1,
        metadata: METADATA,
      });
    expect((await buy(0)).outcome.status).toBe('refused');
    made.proxy.goBlack();
    store.count = 0;
    const answers = await Promise.allSettled(Array.from({ length: 600 }, (_, n) => buy(n)));
    const problems = answers.map((answer) => answer.status === 'rejected' && outageOf(answer.reason)?.code);
    expect(new Set(problems)).toEqual(new Set(['ServiceUnavailable']));
    // Two batches of 256; the commands that waited behind them start no batch.
    expect(store.count).toBe(2);
    made.proxy.goLight();
    expect((await buy(0)).outcome.status).toBe('refused');
    await near.close();
    await made.proxy.close();
  });
});

/** Counts the transactions that begin. */
class CountedBatches extends CreditBatchStore {
  count = 0;

  constructor(private readonly store: CreditBatchStore) {
    super();
  }

  override transact<Result>(
    commands: readonly BatchCommand[],
    decide: (batch: CreditBatch) => Result,
  ): Promise<Result> {
    this.count += 1;
    return this.store.transact(commands, decide);
  }
}

describe('other peers that take everything and answer nothing', () => {
  const silent = createServer((socket) => socket.on('error', () => {}).resume());
  let port: number;
  beforeAll(async () => {
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    ({ port } = silent.address() as { port: number });
  });
  afterAll(() => void silent.close());

  it('[OPS-34] an object storage is left by every question, also by an upload', async () => {
    const storage = new S3ObjectStorage({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'sounds',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      clock: new SystemClock(),
      limits: { connectMs: 200, answerMs: 400, silenceMs: 300 },
    });
    const put = () => storage.put('media/a', Buffer.from('a'), { contentType: 'audio/wav' });
    for (const ask of [() => storage.head('media/a'), () => storage.get('media/a'), put])
      await expect(ask()).rejects.toBeInstanceOf(StorageUnavailable);
    storage.close();
  });

  it('[OPS-540] kept connections to the storage and to Stripe are closed while one of them is silent, and new calls are answered', async () => {
    const server = createHttpServer((_, answer) => {
      answer.setHeader('content-type', 'application/json').setHeader('content-length', 2);
      // Slow enough that concurrent calls need a connection each.
      setTimeout(() => answer.end('{}'), 50);
    });
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port: open } = server.address() as { port: number };
    const { proxy, url } = await BlackProxy.before(`http://127.0.0.1:${open}`);
    const storage = new S3ObjectStorage({
      endpoint: url,
      region: 'us-east-1',
      bucket: 'sounds',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      clock: new SystemClock(),
      limits: { connectMs: 20_000, answerMs: 20_000, silenceMs: 20_000 },
    });
    const stripe = stripeClient({
      secretKey: 'sk_test_1',
      webhookSecret: 'whsec_1',
      apiBase: url,
      timeoutMs: 40_000,
      retries: 0,
    });
    const calls: (() => Promise<unknown>)[] = [
      () => storage.head('media/a'),
      () => stripe.balance.retrieve(),
    ];
    for (const call of calls) {
      const before = proxy.count;
      await Promise.all(Array.from({ length: 8 }, call));
      expect(proxy.count).toBeGreaterThan(before + 1);
      proxy.silence();
      const silent = call().catch(() => 'in vain');
      await until(() => proxy.count === before + 1);
      await Promise.all(Array.from({ length: 8 }, call));
      expect(await Promise.race([silent, 'no answer yet'])).toBe('no answer yet');
      proxy.cut();
      await silent;
    }
    storage.close();
    await proxy.close();
    server.close();
  });

  it('[OPS-34] a mail server is left', async () => {
    const log = { record: async () => {} };
    const limits = { connectMs: 300, greetingMs: 300, silenceMs: 3_000 };
    const mailer = new SmtpMailer(`smtp://127.0.0.1:${port}`, {
      from: 'Offcut <no-reply@offcut.example>',
      log,
      clock: new SystemClock(),
      limits,
    });
    const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', links: [] };
    expectLog(/^error \[Mail\].*A mail was not delivered: Greeting never received/);
    await expect(mailer.deliver(mail)).rejects.toThrow();
    await mailer.close();
  });
});
