import { randomUUID } from 'node:crypto';
import { once, EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import {
  IndexSubscription,
  registerIndexMetrics,
} from '../../adapters/catalogue/search/index-subscription.js';
import { PostgresMailLog } from '../../adapters/mail/postgres-mails.js';
import { Metrics, BatchMetrics } from '../../adapters/platform/observability/metrics.js';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { OutgoingCalls } from '../../adapters/platform/observability/call-durations.js';
import { WebhookCounter, type WebhookOutcome } from '../../application/payments/payment-events.js';
import { SystemClock } from '../../application/shared/clock.js';
import type { HttpClient } from '../support/http-client.js';
import { allowLog, expectLog } from '../support/log.js';
import { MailServer } from '../support/mail-server.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { press, sdkFor } from '../support/stripe.js';
import { LIMIT_MS } from '../support/until.js';

const server = new MailServer();
let product: TestProduct;
let ada: HttpClient;

beforeAll(async () => {
  product = await startTestProduct();
  ada = await product.signedUp();
});
afterAll(async () => {
  await product?.stop();
});

type Series = { name: string; labels: Record<string, string>; value: number };

/** Returns the series of this name, with their labels and values. */
async function series(name: string, from = product.app.get(Metrics).registry): Promise<Series[]> {
  const text = await from.metrics();
  return text.split('\n').flatMap((line) => {
    const [, found, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (found !== name) return [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, said]) => [key, said]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}
const calls = async (service: string, from = product.app.get(Metrics).registry) =>
  (await series('outgoing_call_duration_seconds_count', from))
    .filter(({ labels }) => labels.service === service)
    .map(({ labels: { operation, outcome } }) => `${operation} ${outcome}`);

it('[OPS-200] calls of Stripe are timed by what they ask, refused ones too, and ids stand in none', async () => {
  await ada.post('/api/stripe/create-checkout-session', { plan: 'studio' });
  expect(await calls('stripe')).toContain('POST /v1/checkout/sessions done');
  await product.resources.payments.readInvoice('in_0nowhere00');
  expect(await calls('stripe')).toContain('GET /v1/invoices/:id refused');
  expect((await calls('stripe')).filter((call) => /_[A-Za-z]*\d/.test(call))).toEqual([]);
});

/** A bucket whose calls are timed. Without a server, calls fail. */
function bucketAt(endpoint: string) {
  const observer = new OutgoingCalls();
  const { registry } = new Metrics();
  observer.register(registry);
  const storage = new S3ObjectStorage({
    endpoint,
    region: 'us-east-1',
    bucket: 'nowhere',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    isForeign: true,
    clock: new SystemClock(),
    observe: observer.to('storage'),
  });
  return { storage, registry };
}

it('[OPS-200] a storage that nobody answers for fails, by the name of what was asked', async () => {
  const { storage, registry } = bucketAt('http://127.0.0.1:9');
  await expect(storage.head('a/b')).rejects.toThrow('does not serve');
  storage.close();
  expect(await calls('storage', registry)).toEqual(['HeadObject failed']);
});

it('[OPS-200] a storage that answers is done with what it has, and refuses what it has not', async () => {
  const answering = createServer(({ url }, response) => {
    if (url?.includes('missing')) response.statusCode = 404;
    response.end();
  });
  answering.listen(0, '127.0.0.1');
  await once(answering, 'listening');
  const { storage, registry } = bucketAt(`http://127.0.0.1:${(answering.address() as AddressInfo).port}`);
  try {
    await storage.ping();
    expect(await storage.head('a/there')).toMatchObject({ key: 'a/there' });
    expect(await storage.head('a/missing')).toBeUndefined();
    await storage.delete('a/there');
    const counted = await calls('storage', registry);
    expect(counted.sort()).toEqual(
      ['DeleteObject done', 'HeadBucket done', 'HeadObject done', 'HeadObject refused'].sort(),
    );
    const [sum] = await series('outgoing_call_duration_seconds_sum', registry);
    expect(sum?.value).toBeGreaterThan(0);
  } finally {
    storage.close();
    answering.closeAllConnections();
    answering.close();
  }
});

it('[OPS-201] webhooks are counted by type and outcome', async () => {
  const { payments, secrets } = product.resources;
  // The simulator sends its own webhooks at unpredictable times.
  const told = new EventEmitter();
  const counter = product.app.get(WebhookCounter, { strict: false });
  const { count } = counter;
  jest.spyOn(counter, 'count').mockImplementation((type: string, outcome: WebhookOutcome) => {
    Reflect.apply(count, counter, [type, outcome]);
    told.emit(`${type} ${outcome}`);
  });
  const counted = async () =>
    Object.fromEntries(
      (await series('webhooks_total')).map(({ labels, value }) => [
        `${labels.type} ${labels.outcome}`,
        value,
      ]),
    );
  const secret = `whsec_${(await secrets.get('stripe-simulator')).toString('base64url')}`;
  const { webhooks } = sdkFor({ url: product.url } as Parameters<typeof sdkFor>[0]);
  const send = async (type: string, object: object, id = `evt_${randomUUID()}`) => {
    const created = Math.floor(Date.now() / 1_000);
    const payload = JSON.stringify({ id, type, created, livemode: false, data: { object } });
    const headers = { 'stripe-signature': webhooks.generateTestHeaderString({ payload, secret }) };
    return (await ada.post('/api/stripe/webhook', undefined, { raw: payload, headers })).status;
  };

  const settled = once(told, 'invoice.paid handled', { signal: AbortSignal.timeout(LIMIT_MS) });
  const { body } = await ada.post('/api/stripe/create-checkout-session', { plan: 'studio' });
  await press(body.url, { outcome: 'paid', card: '4242424242424242' });
  await settled;

  const before = await counted();
  expect(before['invoice.paid handled']).toBe(1);
  expect(await send('no.such.type', { id: 'x' }, 'evt_same')).toBe(200);
  expect(await send('no.such.type', { id: 'x' }, 'evt_same')).toBe(200);
  jest.spyOn(payments, 'readInvoice').mockRejectedValueOnce(new Error('the provider is away'));
  expectLog(/the provider is away/);
  expect(await send('invoice.payment_succeeded', { id: 'in_later', object: 'invoice' })).toBe(500);
  const [unsigned, forged] = [{}, { 'stripe-signature': 't=1,v1=ff' }];
  for (const headers of [unsigned, forged])
    expect((await ada.post('/api/stripe/webhook', '{}', { headers })).status).toBe(400);
  const after = await counted();
  const added = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  expect(
    Object.fromEntries(
      [
        'no.such.type ignored',
        'no.such.type repeated',
        'invoice.payment_succeeded failed',
        'unknown refused',
      ].map((name) => [name, added(name)]),
    ),
  ).toEqual({
    'no.such.type ignored': 1,
    'no.such.type repeated': 1,
    'invoice.payment_succeeded failed': 1,
    'unknown refused': 2,
  });
});

it('[OPS-202] commands decided together are counted, and their wait is timed', async () => {
  const before = (await series('credit_batch_commands_count'))[0]?.value ?? 0;
  const { creditExecutor } = product.resources;
  await Promise.all(
    [1, 2, 3].map(() =>
      creditExecutor.grantPromotion(
        { userId: randomUUID(), grantId: randomUUID(), credits: 1, grantedAt: new Date() },
        { correlationId: 'test' },
      ),
    ),
  );
  const [batches] = await series('credit_batch_commands_count');
  const [waits] = await series('credit_batch_wait_seconds_count');
  expect(batches?.value).toBe(before + 1);
  expect(waits?.value).toBe(batches?.value);
});

it('[OPS-202] sizes of batches and the waits of their first commands are told as they were', async () => {
  const batches = new BatchMetrics();
  const { registry } = new Metrics();
  batches.register(registry);
  batches.observe({ commands: 3, waitedMs: 40 });
  batches.observe({ commands: 200, waitedMs: 2_000 });
  const upTo = async (name: string, le: string) =>
    (await series(`${name}_bucket`, registry)).find(({ labels }) => labels.le === le)?.value;
  expect([await upTo('credit_batch_commands', '2'), await upTo('credit_batch_commands', '4')]).toEqual([
    0, 1,
  ]);
  expect(await series('credit_batch_commands_sum', registry)).toMatchObject([{ value: 203 }]);
  expect([
    await upTo('credit_batch_wait_seconds', '0.025'),
    await upTo('credit_batch_wait_seconds', '0.05'),
    await upTo('credit_batch_wait_seconds', '1'),
    await upTo('credit_batch_wait_seconds', '2.5'),
  ]).toEqual([0, 1, 1, 2]);
  expect(await series('credit_batch_wait_seconds_sum', registry)).toMatchObject([{ value: 2.04 }]);
});

it('[OPS-202] the search index ages until it is found to be as the table is', async () => {
  let now = Math.floor(performance.now());
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  let look = () => {};
  const began = jest.spyOn(globalThis, 'setInterval').mockImplementation(((task: () => void) => {
    look = task;
    return { unref: () => {} };
  }) as never);
  const index = new IndexSubscription(product.resources.database, { warn: () => {} });
  const { registry } = new Metrics();
  registerIndexMetrics({ registry }, index);
  const ages = async () => (await series('search_index_age_seconds', registry)).map(({ value }) => value);
  try {
    // There is no age yet; 0 would mean fresh.
    expect(await ages()).toEqual([]);
    index.onApplicationBootstrap();
    began.mockRestore();
    await index.built();
    await index.current();
    expect(await ages()).toEqual([0]);
    now += 1_500;
    expect(await ages()).toEqual([1.5]);
    now += 60_000;
    expect(await ages()).toEqual([61.5]);
    look();
    // This call joins the look in progress.
    await index.current();
    expect(await ages()).toEqual([0]);
  } finally {
    jest.restoreAllMocks();
    await index.onApplicationShutdown();
  }
});

it('[OPS-200, OPS-201] mails are timed at the mail server and counted by state', async () => {
  const { record } = PostgresMailLog.prototype;
  const logged = new EventEmitter();
  jest.spyOn(PostgresMailLog.prototype, 'record').mockImplementation(async function (
    this: PostgresMailLog,
    mail,
  ) {
    await Reflect.apply(record, this, [mail]);
    logged.emit(mail.status);
  });
  const until = (status: string) => once(logged, status, { signal: AbortSignal.timeout(LIMIT_MS) });
  const mailing = await startTestProduct({ SMTP_URL: await server.start() });
  try {
    const { registry } = mailing.app.get(Metrics);
    const states = async () =>
      Object.fromEntries(
        (await series('mails_last_hour', registry)).map(({ labels, value }) => [labels.state, value]),
      );
    const signUp = async (name: string, status: string) => {
      const noted = until(status);
      const person = { email: `${name}@example.com`, password: 'a long pass phrase' };
      await mailing.browser().post('/api/auth/sign-up', person);
      await noted;
    };
    expect(await states()).toEqual({ sending: 0, sent: 0, failed: 0 });
    server.refusals = ['550 nobody here'];
    expectLog(/A mail was not delivered/);
    await signUp('gone', 'failed');
    expect(await states()).toEqual({ sending: 0, sent: 0, failed: 1 });
    await signUp('here', 'sent');
    expect(await states()).toEqual({ sending: 0, sent: 1, failed: 1 });
    // A server that accepts a mail without answering.
    server.isSilent = true;
    await signUp('slow', 'sending');
    expect(await states()).toEqual({ sending: 1, sent: 1, failed: 1 });
    expect((await calls('smtp', registry)).sort()).toEqual(['send done', 'send refused']);
    const { pool } = mailing.resources.database;
    await pool.query(
      `update mail_log set asked_at = asked_at - interval '61 minutes' where status = 'failed'`,
    );
    expect(await states()).toEqual({ sending: 1, sent: 1, failed: 0 });
  } finally {
    // The unanswered mail is retried, but the server is gone.
    allowLog(/the mail confirmation failed/);
    await server.stop();
    await mailing.stop();
  }
});
