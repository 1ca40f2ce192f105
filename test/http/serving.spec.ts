import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../adapters/platform/database/embedded/launch.js';
import { readConfig } from '../../bootstrap/config.js';
import { startProduct } from '../../bootstrap/product.js';
import { closeServer, listen, createLimitedServer } from '../../bootstrap/serving.js';
import type { HttpClient } from '../support/http-client.js';
import { apiRoutes } from '../cluster/settings.js';
import { expectLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { draftPack } from '../support/publishing.js';
import { wavOf } from '../support/wav.js';
import { until, valueOnce } from '../support/until.js';

const SILENCE_MS = 1_000;
const HEAD_MS = 1_500;
const KEPT_MS = 3_000;
const CONNECTIONS = 2_000;

let product: TestProduct;
let creator: HttpClient;
let packId: string;

beforeAll(async () => {
  product = await startTestProduct({
    HTTP_SILENCE_TIMEOUT_MS: String(SILENCE_MS),
    HTTP_HEADERS_TIMEOUT_MS: String(HEAD_MS),
    HTTP_KEEP_ALIVE_MS: String(KEPT_MS),
    HTTP_MAX_CONNECTIONS: String(CONNECTIONS),
  });
  creator = await product.signedUp();
  await creator.post('/api/creator/application', {});
  packId = (await draftPack(creator)).id;
});
afterAll(() => product?.stop());

interface Raw {
  socket: Socket;
  answer: Promise<string>;
}
/** Sends a request in parts, as slow networks do. */
function open(head: string[]): Raw {
  const { port } = new URL(product.url);
  return begin(`${[...head, `Host: localhost:${port}`, `Origin: ${product.url}`].join('\r\n')}\r\n\r\n`);
}
/** Opens a connection that first sends this text. */
function begin(text: string, port = Number(new URL(product.url).port), localAddress = '127.0.0.1'): Raw {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  if (text) socket.write(text);
  return { socket, answer: answerOf(socket) };
}
function answerOf(socket: Socket): Promise<string> {
  let text = '';
  return new Promise<string>((resolve) => {
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.once('close', () => resolve(text));
  });
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

describe('[OPS-316] a connection that is kept', () => {
  it('is not ended by the server before HTTP_KEEP_ALIVE_MS, which it tells', async () => {
    const { socket, answer } = open(['GET /healthz HTTP/1.1']);
    await new Promise((resolve) => socket.once('data', resolve));
    const answeredAt = performance.now();
    expect(await answer).toContain(`\r\nKeep-Alive: timeout=${KEPT_MS / 1_000}\r\n`);
    expect(performance.now() - answeredAt).toBeGreaterThanOrEqual(KEPT_MS);
  });

  it('lasts longer, unless it is set, than the balancer of the reference deployment and Amazon’s keep it', () => {
    const [, seconds] = /timeout http-keep-alive (\d+)s/.exec(apiRoutes([1, 2], '')) ?? [];
    for (const balancer of [Number(seconds), 60])
      expect(readConfig({}).serving.keepAliveMs).toBeGreaterThan(balancer * 1_000);
  });
});

describe('[OPS-11] a body', () => {
  it('may take as long as it progresses: an upload that trickles arrives', async () => {
    expect(product.app.getHttpServer().requestTimeout).toBe(0);
    const body = form();
    const { socket, answer } = upload(body.length);
    const pieces = 12;
    const size = Math.ceil(body.length / pieces);
    for (let at = 0; at < body.length; at += size) {
      socket.write(body.subarray(at, at + size));
      // In total three times as long as a silence may last.
      await pause(SILENCE_MS / 4);
    }
    expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('[DOOR-35] that is none of an upload cannot trickle for ever', async () => {
    const { socket, answer } = open([
      'POST /api/auth/sign-in HTTP/1.1',
      'Content-Type: application/json',
      'Content-Length: 1000',
    ]);
    let ended = false;
    void answer.then(() => (ended = true));
    let bytes = 0;
    for (; !ended && bytes < 200; bytes += 1) {
      socket.write(' ');
      await pause(SILENCE_MS / 8);
    }
    // Lasts longer than any silence between its bytes, and ends before all bytes have arrived.
    expect(bytes).toBeGreaterThan(8);
    expect(bytes).toBeLessThan(200);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
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
    // No temporary file is left.
    const uploads = join(product.dataDir, 'uploads');
    await until(() => !existsSync(uploads) || readdirSync(uploads).length === 0);
  });
});

describe('[DOOR-35] hundreds of slow connections', () => {
  it('keep nobody from being answered, and are ended', async () => {
    const names = { 'slow heads': 100, 'slow bodies': 100, 'idle connections': 100, 'silent ones': 20 };
    const heads = Array.from({ length: names['slow heads'] }, () =>
      begin('GET /api/home HTTP/1.1\r\nX-Slow: '),
    );
    const silent = Array.from({ length: names['silent ones'] }, () => begin(''));
    const bodies = Array.from({ length: names['slow bodies'] }, () =>
      open(['POST /api/auth/sign-in HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 900']),
    );
    const idle = Array.from({ length: names['idle connections'] }, () => open(['GET /healthz HTTP/1.1']));
    const ended: string[] = [];
    for (const { answer } of [...heads, ...silent]) void answer.then(() => ended.push('late'));
    for (const { answer } of idle) void answer.then(() => ended.push('idle'));
    const drip = setInterval(() => {
      for (const { socket } of [...heads, ...bodies]) if (!socket.destroyed) socket.write(' ');
    }, SILENCE_MS / 4);
    try {
      for (let asked = 0; asked < 50; asked += 1) expect((await creator.get('/api/home')).status).toBe(200);
      // The limit of sign-in attempts refuses most of them; no connection stays open.
      const ends = await Promise.all(bodies.map(({ answer }) => answer));
      expect(ends.filter((text) => !/^HTTP\/1\.1 (408|429) /.test(text))).toEqual([]);
      const answers = await Promise.all(idle.map(({ answer }) => answer));
      expect(answers.filter((text) => !text.startsWith('HTTP/1.1 200 '))).toEqual([]);
      expect((await creator.get('/api/home')).status).toBe(200);
      // A head that is incomplete in time is ended within the setting, even if bytes arrive, and before idle
      // connections.
      const late = await Promise.all([...heads, ...silent].map(({ answer }) => answer));
      expect(late.filter((text) => !text.startsWith('HTTP/1.1 408 '))).toEqual([]);
      expect(ended.lastIndexOf('late')).toBeLessThan(ended.indexOf('idle'));
    } finally {
      clearInterval(drip);
      for (const { socket } of [...heads, ...silent]) socket.destroy();
    }
  });
});

describe('[DOOR-38] connections beyond the limits', () => {
  const ASK = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const servingOf = (env: Record<string, string>) => readConfig({ NODE_ENV: 'test', ...env }).serving;

  async function withServer(
    env: Record<string, string>,
    ask: (port: number) => Promise<void>,
  ): Promise<void> {
    const server = createLimitedServer(servingOf(env), (_request, response) => response.end('here'));
    const port = await freePort();
    await listen(server, port, '127.0.0.1');
    try {
      await ask(port);
    } finally {
      await closeServer(server, 0);
    }
  }
  /** Opens a connection. Returns its first answer, which is empty if the server closed it. */
  async function knock(port: number, address: string): Promise<{ socket: Socket; text: string }> {
    const { socket, answer } = begin(ASK, port, address);
    const first = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
    return { socket, text: await Promise.race([first, answer]) };
  }
  const isKept = ({ text }: { text: string }) => text.startsWith('HTTP/1.1 200 ');

  it('of one address are closed, and nobody else is refused', async () => {
    await withServer({ HTTP_MAX_CONNECTIONS_PER_ADDRESS: '3' }, async (port) => {
      expectLog(/\[Connections\] 1 refused: .*HTTP_MAX_CONNECTIONS_PER_ADDRESS/);
      const kept = [];
      for (let n = 0; n < 3; n += 1) kept.push(await knock(port, '127.0.0.1'));
      expect(kept.map(isKept)).toEqual([true, true, true]);
      expect((await knock(port, '127.0.0.1')).text).toBe('');
      expect((await knock(port, '127.0.0.1')).text).toBe('');
      expect(isKept(await knock(port, '127.0.0.2'))).toBe(true);
      // A client that leaves makes room once the server has noticed.
      kept[0]?.socket.destroy();
      await valueOnce(() => knock(port, '127.0.0.1'), isKept);
    });
  });

  it('of all together are closed', async () => {
    await withServer({ HTTP_MAX_CONNECTIONS: '2', TRUST_PROXY: '1' }, async (port) => {
      expectLog(/\[Connections\] 1 refused: more than HTTP_MAX_CONNECTIONS/);
      const texts = [];
      for (let n = 0; n < 3; n += 1) texts.push((await knock(port, '127.0.0.1')).text);
      expect(texts.map((text) => isKept({ text }))).toEqual([true, true, false]);
    });
  });

  it('are those of the settings; behind a proxy an address may have all', () => {
    expect(product.app.getHttpServer().maxConnections).toBe(CONNECTIONS);
    expect(servingOf({})).toMatchObject({ connections: 10_000, connectionsPerAddress: 1_000 });
    expect(servingOf({ TRUST_PROXY: '1' })).toMatchObject({ connectionsPerAddress: 0 });
    const both = servingOf({ TRUST_PROXY: '1', HTTP_MAX_CONNECTIONS_PER_ADDRESS: '7' });
    expect(both.connectionsPerAddress).toBe(7);
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
    expect(await ask(`localhost:${port}\r\nHost: localhost:${port}`)).toMatch(/^HTTP\/1\.1 400 /);
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
