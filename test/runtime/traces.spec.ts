import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CURRENT_CONSENT } from '../../application/subscriptions/values.js';
import { openTelemetry } from '../../adapters/platform/observability/opentelemetry.js';
import type { HttpClient } from '../support/http-client.js';
import { MailServer } from '../support/mail-server.js';
import { startTestDatabase } from '../support/postgres.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';
import { press } from '../support/stripe.js';
import { LIMIT_MS } from '../support/until.js';

const PASSWORD = 'a long pass phrase';

interface Told {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number; message?: string };
}

/** Stands for OpenTelemetry's collector: receives spans as OTLP over HTTP. */
class Receiver {
  readonly spans: Told[] = [];
  readonly bodies: string[] = [];
  private readonly came = new EventEmitter();
  private readonly server: Server = createServer((incoming, response) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    incoming.on('end', () => {
      this.bodies.push(body);
      const sent = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Told[] }[] }[] };
      for (const { scopeSpans } of sent.resourceSpans)
        for (const { spans } of scopeSpans) this.spans.push(...spans);
      response.setHeader('content-type', 'application/json').end('{}');
      this.came.emit('spans');
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this.url;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Waits for the first span of that name. */
  span(name: string, isIt: (span: Told) => boolean = () => true): Promise<Told> {
    return this.spanThat((span) => span.name === name && isIt(span));
  }

  /** Returns the names from a span up to the root of its trace, once all have arrived. */
  async lineOf({ name, parentSpanId }: Told): Promise<string[]> {
    if (!parentSpanId) return [name];
    return [name, ...(await this.lineOf(await this.spanThat(({ spanId }) => spanId === parentSpanId)))];
  }

  async spanThat(isIt: (span: Told) => boolean): Promise<Told> {
    for (;;) {
      const found = this.spans.find(isIt);
      if (found) return found;
      await once(this.came, 'spans', { signal: AbortSignal.timeout(LIMIT_MS) });
    }
  }
}

const receiver = new Receiver();
const mails = new MailServer();
let product: TestProduct;
let ada: HttpClient;

beforeAll(async () => {
  product = await startTestProduct({
    OTEL_EXPORTER_OTLP_ENDPOINT: await receiver.start(),
    SMTP_URL: await mails.start(),
    TRUST_PROXY: '1',
  });
  ada = product.browser();
  await ada.post('/api/auth/sign-up', { email: 'ada.secret@example.com', password: PASSWORD });
  const { rows } = await product.resources.database.pool.query(
    `update user_account set email_verified_at = now() where email = 'ada.secret@example.com' returning user_id`,
  );
  ada.userId = (rows as { user_id: string }[])[0]?.user_id ?? '';
  await ada.post('/api/auth/sign-in', { email: 'ada.secret@example.com', password: PASSWORD });
});
afterAll(async () => {
  await product?.stop();
  await Promise.all([receiver.stop(), mails.stop()]);
});

async function bought(): Promise<{ sampleId: string }> {
  const { database, storage, creditExecutor } = product.resources;
  const [sampleId = ''] = await stock(database, 1, { prefix: `t${randomUUID().slice(0, 8)}-` });
  await storage.put(`Users/x/${sampleId}`, Buffer.from('RIFF'), { contentType: 'audio/wav' });
  await creditExecutor.grantPromotion(
    { userId: ada.userId, grantId: randomUUID(), credits: 1, grantedAt: new Date() },
    { correlationId: 'test' },
  );
  const headers = { 'idempotency-key': randomUUID() };
  await ada.post('/api/me/contracts/consent', { version: CURRENT_CONSENT });
  const answer = await ada.post('/api/downloads', { sampleId, expectedCredits: 1 }, { headers });
  expect(answer.status).toBe(201);
  return { sampleId };
}

/** Waits for the reactors, so that they do not combine earlier events with later ones. */
async function haveFollowed(): Promise<void> {
  const { eventStore, logSubscriptions } = product.resources;
  const { position } = await eventStore.head();
  expect(await logSubscriptions.caughtUp(position, 20_000, ['certificates', 'receipts'])).toBe(true);
}

describe('traces', () => {
  it('[OPS-203] lead from a request over its command and batch to the statements', async () => {
    await bought();
    const { attributes, kind, traceId } = await receiver.span('POST /api/downloads');
    const written = await receiver.spanThat(
      (span) => span.traceId === traceId && span.name.startsWith('SQL write-credit-batch'),
    );
    expect(await receiver.lineOf(written)).toEqual([
      written.name,
      'credit batch',
      'BuySamples',
      'POST /api/downloads',
    ]);
    expect(kind).toBe(2);
    expect(attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 201 } });
  });

  it('[OPS-203] go on in the job that the request ordered, and in what the job asks of others', async () => {
    const sent = await receiver.span('smtp send');
    expect(await receiver.lineOf(sent)).toEqual(['smtp send', 'job mail', 'POST /api/auth/sign-up']);
  });

  it('[OPS-203] lead from a request over its command to each call of Stripe', async () => {
    await ada.post('/api/stripe/create-checkout-session', { plan: 'studio' });
    for (const call of ['stripe POST /v1/customers', 'stripe POST /v1/checkout/sessions'])
      expect(await receiver.lineOf(await receiver.span(call))).toEqual([
        call,
        'StartCheckout',
        'POST /api/stripe/create-checkout-session',
      ]);
  });

  it('[OPS-267] go on from a purchase in the certificate that follows it', async () => {
    await haveFollowed();
    const before = new Set(receiver.spans.map(({ traceId }) => traceId));
    await bought();
    const saved = await receiver.span('SQL save-certificates', ({ traceId }) => !before.has(traceId));
    expect(await receiver.lineOf(saved)).toEqual([
      'SQL save-certificates',
      'reactor certificates',
      'credit batch',
      'BuySamples',
      'POST /api/downloads',
    ]);
  });

  it('[OPS-267] go on from a webhook in the receipt that is mailed', async () => {
    const { body } = await ada.post('/api/stripe/create-checkout-session', { plan: 'studio' });
    await haveFollowed();
    const before = new Set(receiver.spans.map(({ spanId }) => spanId));
    await press(body.url, { outcome: 'paid', card: '4242424242424242' });
    const sent = await receiver.span('smtp send', ({ spanId }) => !before.has(spanId));
    expect(await receiver.lineOf(sent)).toEqual([
      'smtp send',
      'job event-mails',
      'reactor receipts',
      'credit batch',
      'SettleInvoice',
      'POST /api/stripe/webhook',
    ]);
  });

  it('[OPS-330] have a request that is answered from memory, too', async () => {
    const asked = async () => {
      const traceId = randomUUID().replaceAll('-', '');
      const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
      expect((await product.browser().get('/api/home', { headers })).status).toBe(200);
      const span = await receiver.span('GET /api/home', (each) => each.traceId === traceId);
      expect(span.attributes).toContainEqual({
        key: 'http.response.status_code',
        value: { intValue: 200 },
      });
      return receiver.spans.filter((each) => each.traceId === traceId).map(({ name }) => name);
    };
    expect((await asked()).length).toBeGreaterThan(1);
    // A cached answer sends no query.
    expect(await asked()).toEqual(['GET /api/home']);
  });

  it('[OPS-204] go on with what a proxy of ours began', async () => {
    const traceId = randomUUID().replaceAll('-', '');
    await ada.get('/api/credits', { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } });
    const span = await receiver.span('GET /api/credits', (each) => each.traceId === traceId);
    expect(span.parentSpanId).toBe('00f067aa0ba902b7');
    const { port } = new URL(product.url);
    for (const wrong of ['00-0-0-01', 'x'.repeat(9_000)])
      await new Promise((resolve, reject) =>
        request({ port, path: '/api/plans', headers: { traceparent: wrong } }, resolve)
          .on('error', reject)
          .end(),
      );
    const { parentSpanId } = await receiver.span('GET /api/plans');
    expect(parentSpanId ?? '').toBe('');
  });

  it('[OPS-205] tell nothing about anybody, and nothing that a client sent', async () => {
    const { sampleId } = await bought();
    await receiver.span('POST /api/downloads', ({ spanId }) => spanId !== '');
    const named = randomUUID();
    await ada.get('/api/samples?q=a+private+word', { headers: { 'x-request-id': named } });
    await receiver.span('GET /api/samples');
    const told = receiver.bodies.join('\n');
    for (const secret of [ada.userId, 'ada.secret', PASSWORD, sampleId, 'private', named])
      expect(told).not.toContain(secret);
  });

  it('[OPS-206] cost nothing where nobody wants them: a product that serves has not loaded the libraries', async () => {
    const test = await startTestDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), 'offcut-untraced-'));
    const program = `
      const { registerHooks } = await import('node:module');
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { startProduct } = await import('./bootstrap/product.ts');
      const { readConfig } = await import('./bootstrap/config.ts');
      const product = await startProduct(readConfig(process.env), {});
      const { status } = await fetch(product.url + '/api/plans');
      await product.stop();
      console.log(JSON.stringify([status, loaded.length, loaded.filter((url) => /@opentelemetry\\/(?!api\\/)/.test(url))]));`;
    const env = { ...process.env, NODE_ENV: 'test', PORT: '0', DATA_DIR: dataDir, DATABASE_URL: test.url };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', './test/support/typescript.mjs', '--input-type=module', '--eval', program],
      { env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: '' } },
    ).finally(async () => {
      await test.close();
      rmSync(dataDir, { recursive: true, force: true });
    });
    const [status, all, traces] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]') as [
      number,
      number,
      string[],
    ];
    expect(status).toBe(200);
    expect(all).toBeGreaterThan(500);
    expect(traces).toEqual([]);
  });
});

it('[OPS-204] without a proxy of ours every request begins a trace of its own', async () => {
  const open = await startTestProduct({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  try {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await open.browser().get('/api/collections', { headers: { traceparent } });
    const span = await receiver.span('GET /api/collections');
    expect([span.traceId === 'a'.repeat(32), span.parentSpanId ?? '']).toEqual([false, '']);
  } finally {
    await open.stop();
  }
});

it.each([
  ['is kept', '1', { traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) }],
  ['is not kept', '0', {}],
])(
  '[OPS-267] the log remembers the span that led to an event, where the trace %s',
  async (_, ratio, remembered) => {
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: ratio };
    const own = await startTestProduct(settings);
    try {
      const { creditExecutor, eventStore } = own.resources;
      const grant = { userId: randomUUID(), grantId: randomUUID(), credits: 1, grantedAt: new Date() };
      await creditExecutor.grantPromotion(grant, { correlationId: 'test' });
      const [event] = await eventStore.readStream(`credits-${grant.userId}`);
      expect(event?.metadata).toEqual({ actor: expect.any(String), correlationId: 'test', ...remembered });
    } finally {
      await own.stop();
    }
  },
);

it('[OPS-331] what waits for a receiver of traces is bounded, the rest is dropped', async () => {
  const own = new Receiver();
  const tracer = openTelemetry({ url: `${await own.start()}/v1/traces`, service: 'test', ratio: 1 });
  try {
    // In one turn of the event loop, so that no span is sent in the meantime.
    for (let n = 0; n < 10_000; n += 1) tracer.begin(`span ${n}`, 'internal', undefined).end();
    await tracer.close();
    const [onTheirWay, waiting] = [512, 4_096];
    expect(own.spans.length).toBe(onTheirWay + waiting);
    expect(own.spans.some(({ name }) => name === `span ${onTheirWay + waiting - 1}`)).toBe(true);
  } finally {
    await own.stop();
  }
});

it('[OPS-207] a receiver that is away stops neither requests nor the end of the product', async () => {
  const nobody = createServer().listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const { port } = nobody.address() as AddressInfo;
  await new Promise((resolve) => nobody.close(resolve));
  const alone = await startTestProduct({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  try {
    for (let n = 0; n < 20; n += 1) expect((await alone.browser().get('/api/plans')).status).toBe(200);
  } finally {
    await alone.stop();
  }
});

it('[OPS-207] a receiver that takes everything and says nothing stops neither requests nor the end of the product', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const alone = await startTestProduct({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  try {
    const asked = once(silent, 'request', { signal: AbortSignal.timeout(LIMIT_MS) });
    for (let n = 0; n < 20; n += 1) expect((await alone.browser().get('/api/plans')).status).toBe(200);
    await asked;
    expect((await alone.browser().get('/api/plans')).status).toBe(200);
  } finally {
    await alone.stop();
    silent.closeAllConnections();
    silent.close();
  }
});
