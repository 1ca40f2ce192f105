import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { IndexSubscription } from '../../adapters/catalogue/search/index-subscription.js';
import { Metrics } from '../../adapters/platform/observability/metrics.js';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { OutgoingCalls } from '../../adapters/platform/observability/outgoing-calls.js';
import { SystemClock } from '../../application/shared/clock.js';
import type { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { MailServer } from '../support/mail-server.js';
import { startTestProduct, type TestProduct } from '../support/product.js';

const server = new MailServer();
let product: TestProduct;
let ada: HttpClient;

beforeAll(async () => {
  product = await startTestProduct();
  ada = await product.signedUp();
}, 60_000);
afterAll(async () => {
  await product?.stop();
});

type Series = { name: string; labels: Record<string, string>; value: number };

/** What `/metrics` has of a name, or of what counts it. */
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

it('[OPS-200] a storage that nobody answers for fails, by the name of what was asked', async () => {
  const observer = new OutgoingCalls();
  const { registry } = new Metrics();
  observer.register(registry);
  const storage = new S3ObjectStorage({
    endpoint: 'http://127.0.0.1:9',
    region: 'us-east-1',
    bucket: 'nowhere',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    isForeign: true,
    clock: new SystemClock(),
    observe: observer.to('storage'),
  });
  await expect(storage.head('a/b')).rejects.toThrow('does not serve');
  storage.close();
  expect(await calls('storage', registry)).toEqual(['HeadObject failed']);
});

it('[OPS-201] webhooks are counted by type and outcome', async () => {
  const refused = await ada.post('/api/stripe/webhook', '{}', {
    headers: { 'stripe-signature': 't=1,v1=ff' },
  });
  expect(refused.status).toBe(400);
  const counted = (await series('webhooks_total')).map(
    ({ labels: { type, outcome } }) => `${type} ${outcome}`,
  );
  expect(counted).toContain('unknown refused');
  expect(counted.filter((each) => each !== 'unknown refused')).not.toEqual([]);
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

it('[OPS-202] the age of the search index is that of its last look at the table', async () => {
  const index = product.app.get(IndexSubscription);
  await index.built();
  await index.current();
  const [age] = await series('search_index_age_seconds');
  expect(age?.value).toBeGreaterThanOrEqual(0);
  expect(await series('nothing_of_the_kind')).toEqual([]);
});

it('[OPS-200, OPS-201] mails are timed at the mail server and counted by state', async () => {
  const mailing = await startTestProduct({ SMTP_URL: await server.start() });
  try {
    const { registry } = mailing.app.get(Metrics);
    expectLog(/A mail was not delivered/);
    server.refusals = ['550 nobody here'];
    await mailing
      .browser()
      .post('/api/auth/sign-up', { email: 'gone@example.com', password: 'a long pass phrase' });
    const isFailed = async () =>
      (await series('mails_last_hour', registry)).some(
        ({ labels, value }) => labels.state === 'failed' && value === 1,
      );
    const deadline = performance.now() + 20_000;
    while (!(await isFailed()) && performance.now() < deadline)
      await new Promise((done) => setTimeout(done, 50));
    expect(await isFailed()).toBe(true);
    expect(await calls('smtp', registry)).toEqual(['send refused']);
  } finally {
    await mailing.stop();
    await server.stop();
  }
}, 60_000);
