import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../adapters/platform/database/embedded/launch.js';
import { readConfig } from '../../bootstrap/config.js';
import { startProduct } from '../../bootstrap/product.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { draftPack } from '../support/publishing.js';
import { wavOf } from '../support/wav.js';

jest.setTimeout(60_000);

const SILENCE_MS = 400;

let product: TestProduct;
let creator: HttpClient;
let packId: string;

beforeAll(async () => {
  product = await startTestProduct({ HTTP_SILENCE_TIMEOUT_MS: String(SILENCE_MS) });
  creator = await product.signedUp();
  await creator.post('/api/creator/application', {});
  packId = (await draftPack(creator)).id;
}, 60_000);
afterAll(() => product?.stop());

interface Raw {
  socket: Socket;
  answer: Promise<string>;
}
/** A request in parts, as slow networks send it. */
function open(head: string[], port = Number(new URL(product.url).port)): Raw {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.once('close', () => resolve(text));
  });
  socket.write(`${[...head, `Host: localhost:${port}`, `Origin: ${product.url}`].join('\r\n')}\r\n\r\n`);
  return { socket, answer };
}
const cookie = () => `Cookie: ${[...creator.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`;

function upload(bytes: number): Raw {
  return open([
    `POST /api/creator/packs/${packId}/samples HTTP/1.1`,
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${bytes}`,
    'Connection: close',
    cookie(),
  ]);
}
const form = (): Buffer =>
  Buffer.concat([
    Buffer.from(
      '--x\r\nContent-Disposition: form-data; name="audio"; filename="slow.wav"\r\nContent-Type: audio/wav\r\n\r\n',
    ),
    wavOf({ seconds: 1, hertz: 220 }),
    Buffer.from('\r\n--x--\r\n'),
  ]);

describe('[OPS-11] a body', () => {
  it('may take as long as it progresses: an upload that trickles arrives', async () => {
    expect(product.app.getHttpServer().requestTimeout).toBe(0);
    const body = form();
    const { socket, answer } = upload(body.length);
    const pieces = 12;
    const size = Math.ceil(body.length / pieces);
    for (let at = 0; at < body.length; at += size) {
      socket.write(body.subarray(at, at + size));
      // In all three times as long as a silence may last.
      await pause(SILENCE_MS / 4);
    }
    expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
  });

  it.each([
    ['an upload', () => upload(form().length), form().subarray(0, 5_000)],
    [
      'JSON',
      () =>
        open(['POST /api/auth/sign-in HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 100']),
      Buffer.from('{"email":'),
    ],
  ])('that falls silent is ended with 408: %s', async (_, send, begun) => {
    const { socket, answer } = send();
    socket.write(begun);
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toContain('"code":"RequestTimeout"');
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    // Nothing of it is left lying about.
    const uploads = join(product.dataDir, 'uploads');
    for (let tries = 0; existsSync(uploads) && readdirSync(uploads).length > 0; tries += 1) {
      expect(tries).toBeLessThan(200);
      await pause(10);
    }
  });
});

describe('[OPS-10] a machine on which somebody tries Offcut', () => {
  it('is not reached over the network', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each && !each.internal && each.family === 'IPv4');
    if (!outside) throw new Error('This test needs an address beside the loopback one');
    const refused = new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(product.url).port), outside.address, () => resolve('connected'));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });
    expect(await refused).toBe('ECONNREFUSED');
  });

  it('answers under its own names only', async () => {
    const { port } = new URL(product.url);
    const ask = (host: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1');
        socket.once('data', (chunk) => resolve(chunk.toString()) ?? socket.destroy());
        socket.write(`GET /api/auth/session HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      });
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST'])
      expect(await ask(host)).toMatch(/^HTTP\/1\.1 200 /);
    const elsewhere = await ask('evil.test');
    expect(elsewhere).toMatch(/^HTTP\/1\.1 421 /);
    expect(elsewhere).toContain('UnknownHost');
  });
});

describe('[OPS-01, DOOR-07] a worker', () => {
  it('answers for its own health, readiness and measurements, and nothing else', async () => {
    const { databaseUrl, dataDir } = product.resources.config;
    const monitored = await freePort();
    const worker = await startProduct(
      readConfig({
        NODE_ENV: 'test',
        PORT: '0',
        ROLE: 'worker',
        METRICS_PORT: String(monitored),
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl,
        STRIPE_SECRET_KEY: 'sk_test_x',
        STRIPE_WEBHOOK_SECRET: 'whsec_x',
        STRIPE_API_BASE: product.resources.stripeSimulator?.url,
      }),
    );
    try {
      const get = (path: string) => fetch(worker.url + path);
      expect([(await get('/healthz')).status, (await get('/readyz?x=1')).status]).toEqual([200, 200]);
      const { hostname } = new URL(worker.url);
      const metrics = await fetch(`http://${hostname}:${monitored}/metrics`);
      expect([metrics.status, (await get('/metrics')).status]).toEqual([200, 404]);
      expect(await metrics.text()).toContain('process_cpu');
      expect((await fetch(`http://${hostname}:${monitored}/api/samples`)).status).toBe(404);
      expect([(await get('/api/samples')).status, (await get('/')).status]).toEqual([404, 404]);
    } finally {
      await worker.stop();
    }
  });
});
