import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { request } from 'node:http';
import { AccessLog } from '../../adapters/platform/observability/access-log.js';
import { CatalogueModule } from '../../adapters/catalogue/catalogue.module.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

type Line = Record<string, unknown>;

let store: TestDatabase;
let test: TestApp;
let log: AccessLog;
let written: string;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({
    database: store.database,
    imports: [CatalogueModule],
    config: { accessLog: 'on' },
  });
  log = test.app.get(AccessLog);
});
afterAll(async () => {
  await test?.close();
  await store?.close();
});
beforeEach(() => {
  written = '';
  jest.spyOn(log, 'write').mockImplementation((lines) => void (written += lines));
});
afterEach(() => void jest.restoreAllMocks());

/** Returns the log lines of the requests so far. */
function lines(): Line[] {
  log.onApplicationShutdown();
  return written
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}
/**
 * Waits for a line, because the log writes it when the connection has finished its answer, a moment after the
 * client has it.
 */
async function lineWith(known: Line): Promise<Line> {
  for (;;) {
    const line = lines().find((one) => Object.entries(known).every(([name, value]) => one[name] === value));
    if (line) return line;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
const lineOf = (requestId: string | null) => lineWith({ requestId });
/**
 * Returns the log of three requests, and the request ids of two of them in the answer's header, the refusal
 * and the log.
 */
async function askedWith(given: string, trustProxyHops: number) {
  const config = { accessLog: 'on', trustProxyHops } as const;
  const imports = [CatalogueModule];
  const { app, browser, close } = await startTestApp({ database: store.database, imports, config });
  let text = '';
  jest.spyOn(app.get(AccessLog), 'write').mockImplementation((part) => void (text += part));
  const headers = { 'x-request-id': given };
  // The response cache answers the second request.
  await browser().get('/api/home', { headers });
  const kept = await browser().get('/api/home', { headers });
  const refused = await browser().get('/api/me/export', { headers });
  // Closing writes the buffered lines.
  await close();
  const [, home, refusal] = text.split('\n').map((line) => (line ? (JSON.parse(line) as Line) : {}));
  return {
    text,
    kept: [kept.headers.get('x-request-id'), home?.requestId],
    refused: [refused.headers.get('x-request-id'), refused.body.requestId, refusal?.requestId],
  };
}

describe('the access log', () => {
  it('[OPS-180] tells of each request, whoever answered it, by the pattern of its route', async () => {
    const ada = await test.signedUp('ada@example.com');
    const [made, kept] = [await test.browser().get('/api/home'), await test.browser().get('/api/home')];
    for (const { headers } of [made, kept])
      expect(await lineOf(headers.get('x-request-id'))).toEqual({
        time: test.clock.now().toISOString(),
        requestId: expect.any(String),
        method: 'GET',
        route: '/api/home',
        status: 200,
        ms: expect.any(Number),
        bytes: expect.any(Number),
      });
    const length = (await kept.body) && Number(kept.headers.get('content-length'));
    expect((await lineOf(kept.headers.get('x-request-id'))).bytes).toBeGreaterThan(length);
    const own = await ada.get('/api/me/export');
    expect(await lineOf(own.headers.get('x-request-id'))).toMatchObject({
      route: '/api/me/export',
      by: expect.stringMatching(/^[\w-]{16}$/),
    });
    const refused = await test.browser().get('/api/me/export');
    const refusal = await lineOf(refused.headers.get('x-request-id'));
    expect(refusal).toMatchObject({ route: '/api/me/export', status: 401 });
    expect(refusal).not.toHaveProperty('by');
    const nowhere = await test.browser().get('/api/nowhere');
    expect(await lineOf(nowhere.headers.get('x-request-id'))).toMatchObject({
      route: 'unmatched',
      status: 404,
    });
  });

  it('[OPS-180] names a person the same for a month, and nobody as they are', async () => {
    const [ada, bob] = [await test.signedUp(), await test.signedUp()];
    const nameOf = async (client: typeof ada) =>
      (await lineOf((await client.get('/api/me/export')).headers.get('x-request-id'))).by;
    const [first, again, other] = [await nameOf(ada), await nameOf(ada), await nameOf(bob)];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    test.clock.advance(11 * 24 * 3_600_000);
    expect(await nameOf(ada)).not.toBe(first);
    expect(written).not.toContain(ada.userId);
  });

  it('[OPS-180] says that a client left before its answer was whole', async () => {
    const url = new URL('/api/auth/sign-in', test.url);
    const headers = {
      'content-type': 'application/json',
      'content-length': 100,
      origin: test.url,
    };
    const left = request(url, { method: 'POST', headers });
    left.on('error', () => {});
    left.write('{"email":', () => left.destroy());
    expect(await lineWith({ aborted: true })).toMatchObject({ method: 'POST' });
  });

  it.each([
    ['a client', 0, 'harmless-0123456789'],
    ['a proxy of ours, where it may be harmful', 1, '<script>alert(1)</script>'],
    ['a proxy of ours, where it is too short', 1, 'a-short'],
    ['a proxy of ours, where it is too long', 1, 'x'.repeat(65)],
  ])('[OPS-266] names a request itself, whatever id it has from %s', async (_, trustProxyHops, given) => {
    const { text, kept, refused } = await askedWith(given, trustProxyHops);
    for (const id of [...kept, ...refused]) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect([new Set(kept).size, new Set(refused).size, new Set([...kept, ...refused]).size]).toEqual([
      1, 1, 2,
    ]);
    expect(text).not.toContain(given);
  });

  it('[OPS-266] names a request as a proxy of ours does, where that is harmless', async () => {
    for (const given of ['a-proxys', 'x'.repeat(64)]) {
      const { kept, refused } = await askedWith(given, 1);
      expect([...kept, ...refused]).toEqual(Array(5).fill(given));
    }
  });

  it('[OPS-180] has nothing that a client sent', async () => {
    const canary = 'c4n4ry';
    const ada = await test.signedUp(`${canary}@example.com`);
    const asked = await Promise.all([
      ada.get(`/api/samples/${canary}?${canary}=${canary}`),
      ada.post(`/api/${canary}`, { [canary]: canary }),
      ada.patch('/api/me', { displayName: canary }),
      test.browser().post('/api/auth/sign-in', { email: `${canary}@example.com`, password: canary }),
      test.browser().get('/api/me/export', {
        headers: {
          authorization: `Bearer ${canary}`,
          cookie: `offcut_session=${canary}; ${canary}=1`,
          'user-agent': canary,
          referer: `https://${canary}.example`,
          'x-forwarded-for': canary,
          'idempotency-key': canary,
          'x-request-id': `${canary}-${canary}`,
        },
      }),
    ]);
    for (const { headers } of asked) await lineOf(headers.get('x-request-id'));
    expect(written).not.toContain(canary);
    expect(written).not.toContain(ada.cookies.get('offcut_session'));
    expect(written).not.toMatch(/127\.0\.0\.1|::1/);
  });

  it('[OPS-181] has probes only where they fail, only failures where it should, or nothing', async () => {
    const said = async (accessLog: 'on' | 'errors' | 'off') => {
      const app = await startTestApp({ database: store.database, config: { accessLog } });
      const own = app.app.get(AccessLog);
      let text = '';
      Object.assign(own, { write: (part: string) => (text += part) });
      const browser = app.browser();
      for (const path of ['/healthz', '/metrics', '/api/auth/session', '/api/me/export'])
        await browser.get(path);
      await app.close();
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => `${(JSON.parse(line) as Line).route} ${(JSON.parse(line) as Line).status}`);
    };
    expect(await said('on')).toEqual(['/api/auth/session 200', '/api/me/export 401']);
    expect(await said('errors')).toEqual(['/api/me/export 401']);
    expect(await said('off')).toEqual([]);
  });
});
