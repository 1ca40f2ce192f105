import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import * as z from 'zod';
import { Route, type Call } from '../../adapters/platform/http/route.js';
import { endpoint, rawBody } from '../../application/shared/endpoint.js';
import { TooBusy } from '../../application/shared/lanes.js';
import { StorageUnavailable } from '../../application/storage/object-storage.js';
import { PaymentGatewayUnavailable } from '../../application/payments/payment-gateway.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { grantRoles } from '../support/staff.js';
import { LIMIT_MS } from '../support/until.js';

const Echo = z.strictObject({ text: z.string().max(10), nested: z.object({ n: z.int() }).optional() });

const open = { summary: 'Probe', tag: 'Probe', access: 'public', answers: { 200: z.any() } } as const;
const echo = endpoint('POST /api/probe/echo', { ...open, body: Echo, answers: { 201: z.any() } });
const nothing = endpoint('POST /api/probe/nothing', { ...open, answers: { 201: z.any() } });
const members = endpoint('POST /api/probe/members', { ...open, access: 'user', body: Echo });
const table = endpoint('POST /api/probe/table', {
  ...open,
  body: rawBody<string>('csv', 100),
  answers: { 201: z.any() },
});
const bug = endpoint('GET /api/probe/bug', open);
const storage = endpoint('GET /api/probe/storage', open);
const busy = endpoint('GET /api/probe/busy', open);
const payments = endpoint('GET /api/probe/payments', open);
const creator = endpoint('GET /api/probe/creator', { ...open, access: 'creator' });
const finance = endpoint('GET /api/probe/finance', { ...open, access: 'finance' });

@Controller()
class ProbeController {
  @Get('api/probe/undeclared')
  undeclared() {
    return 'must never be seen';
  }

  @Route(echo)
  echo({ body }: Call<typeof echo>) {
    return { body, polluted: ({} as { admin?: boolean }).admin ?? null };
  }

  @Route(nothing)
  nothing() {
    return { received: true };
  }

  @Route(members)
  members({ body }: Call<typeof members>) {
    return body;
  }

  @Route(table)
  table({ body }: Call<typeof table>) {
    return { letters: body.length };
  }

  @Route(bug)
  bug() {
    throw new Error('select secret from user_account -- /home/me/file.ts');
  }

  @Route(storage)
  storage() {
    throw new StorageUnavailable('no route to 10.0.0.7');
  }

  @Route(busy)
  busy() {
    throw new TooBusy('pictures');
  }

  @Route(payments)
  payments() {
    throw new PaymentGatewayUnavailable('timeout at api.example');
  }

  @Route(creator)
  creator() {
    return {};
  }

  @Route(finance)
  finance() {
    return {};
  }
}

let store: TestDatabase;
let test: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({ database: store.database, controllers: [ProbeController] });
});

afterAll(async () => {
  await test?.close();
  await store?.close();
});

const json = { 'content-type': 'application/json' };
const raw = (text: string | Buffer, headers: Record<string, string> = json) =>
  test.browser().post('/api/probe/echo', undefined, { raw: text, headers });

describe('refusals', () => {
  it('[ERR-01] are problems with a stable code', async () => {
    const answer = await test.browser().get('/api/me/export');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.body).toEqual({
      type: `${test.config.publicUrl}/api/problems#NotSignedIn`,
      title: 'Sign in first',
      status: 401,
      code: 'NotSignedIn',
      detail: 'Sign in first',
      requestId: answer.headers.get('x-request-id'),
    });
  });

  it('[ERR-02] bad input names each path, unknown fields included', async () => {
    const answer = await test
      .browser()
      .post('/api/probe/echo', { text: 7, nested: { n: 'x' }, isAdmin: true, __proto__: { x: 1 } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } });
    const paths = answer.body.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['text', 'nested.n', '']));
    expect(JSON.stringify(answer.body.errors)).toContain('isAdmin');
  });

  it.each([
    [400, 'MalformedJson', '{"text": "a'],
    [400, 'MalformedJson', '{"text": 1e}'],
    [400, 'InvalidRequest', '[]'],
    [400, 'InvalidRequest', '"text"'],
    [400, 'InvalidRequest', 'null'],
    [400, 'InvalidRequest', ''],
    [400, 'InvalidRequest', '{"text": "a\\u0000b", "x": 1}'],
    [413, 'PayloadTooLarge', JSON.stringify({ text: 'x'.repeat(1_100_000) })],
  ])('[ERR-02] answers %i %s to a broken body', async (status, code, body) => {
    expect(await raw(body)).toMatchObject({ status, body: { code } });
  });

  it('[ERR-02] knows no such route, method or broken address', async () => {
    const browser = test.browser();
    for (const answer of [
      await browser.get('/api/nothing'),
      await browser.delete('/api/probe/echo'),
      await browser.get('/api/auth/constructor'),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: 'NotFound' } });
    expect((await browser.get('/api/%FF%FE')).status).toBeLessThan(500);
    expect((await browser.get('/api/library/saved/%E0%A4%A')).status).toBeLessThan(500);
  });

  it('[ERR-03] a mistake of ours shows an id, never a stack, SQL or path', async () => {
    const answer = await test.browser().get('/api/probe/bug');
    expect(answer).toMatchObject({
      status: 500,
      body: { code: 'InternalError', errorId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    expect(JSON.stringify(answer.body)).not.toMatch(/select|secret|home|\.ts|Error:/);
  });

  it('[ERR-02] a part that is down answers 503 and when to come back', async () => {
    for (const [path, code] of [
      ['storage', 'ServiceUnavailable'],
      ['payments', 'PaymentsUnavailable'],
      ['busy', 'TooBusy'],
    ]) {
      const answer = await test.browser().get(`/api/probe/${path}`);
      expect(answer).toMatchObject({ status: 503, body: { code } });
      expect(answer.headers.get('retry-after')).toBe(code === 'TooBusy' ? '2' : '5');
      expect(JSON.stringify(answer.body)).not.toMatch(/10\.0|api\.example/);
    }
  });
});

describe('who may call', () => {
  it('a route that declares nobody is refused to everybody', async () => {
    const answer = await (await test.signedUp()).get('/api/probe/undeclared');
    expect(answer).toMatchObject({ status: 500, body: { code: 'InternalError' } });
    expect(JSON.stringify(answer.body)).not.toContain('must never be seen');
  });

  it('[ROLE-04] roles and approval are needed where they are declared', async () => {
    const browser = await test.signedUp();
    expect((await test.browser().get('/api/probe/finance')).status).toBe(401);
    expect((await browser.get('/api/probe/finance')).body.code).toBe('NotAllowed');
    expect((await browser.get('/api/probe/creator')).body.code).toBe('CreatorAccessRequired');
    await grantRoles(store.database, browser.userId, 'admin');
    expect((await browser.get('/api/probe/finance')).status).toBe(403);
    await grantRoles(store.database, browser.userId, 'finance');
    expect((await browser.get('/api/probe/finance')).status).toBe(200);
  });

  it('[ROLE-05] a suspended creator is told so', async () => {
    const browser = await test.signedUp();
    const setStatus = (status: string) =>
      store.database.pool.query(
        `insert into creator_standing (user_id, status, updated_at) values ($1, $2, now())
         on conflict (user_id) do update set status = excluded.status`,
        [browser.userId, status],
      );
    await setStatus('approved');
    expect((await browser.get('/api/probe/creator')).status).toBe(200);
    await setStatus('suspended');
    expect((await browser.get('/api/probe/creator')).body.code).toBe('CreatorSuspended');
  });
});

describe('bodies', () => {
  const head = (path: string, headers: Record<string, string>) =>
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${new URL(test.url).host}`,
      ...Object.entries({ 'Content-Length': '1000000', ...headers }).map((pair) => pair.join(': ')),
      '\r\n',
    ].join('\r\n');
  /** Returns the answer to a request whose body never arrives. */
  const answered = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await sendRaw(head(path, headers));
    return [Number(answer.split(' ')[1]), /"code":"(\w+)"/.exec(answer)?.[1]];
  };

  it('[ERR-21] are not read before route, origin, session and declared body have let a request pass', async () => {
    const application = { 'Content-Type': 'application/json' };
    expect(await answered('/api/nothing-here', application)).toEqual([404, 'NotFound']);
    expect(await answered('/nothing-here', application)).toEqual([404, 'NotFound']);
    const foreign = { ...application, Origin: 'https://elsewhere.test' };
    expect(await answered('/api/probe/echo', foreign)).toEqual([403, 'CrossSiteRequest']);
    expect(await answered('/api/probe/members', application)).toEqual([401, 'NotSignedIn']);
    expect(await answered('/api/probe/nothing', application)).toEqual([415, 'UnsupportedMediaType']);
    const table = { 'Content-Type': 'text/csv' };
    expect(await answered('/api/probe/echo', table)).toEqual([415, 'UnsupportedMediaType']);
    expect(await answered('/api/probe/table', table)).toEqual([413, 'PayloadTooLarge']);
    expect(await answered('/api/probe/echo', application)).toEqual([413, 'PayloadTooLarge']);
    const packed = { ...application, 'Content-Encoding': 'gzip', 'Content-Length': '1056' };
    expect(await answered('/api/probe/echo', packed)).toEqual([415, 'UnsupportedMediaType']);
    await store.database.pool.query('delete from rate_limit');
    const signIn = { email: 'nobody@example.com', password: 'x' };
    for (let attempt = 0; attempt < 100; attempt += 1)
      await test.browser().post('/api/auth/sign-in', { ...signIn, email: `nobody${attempt}@example.com` });
    const small = { ...application, 'Content-Length': '100' };
    expect(await answered('/api/auth/sign-in', small)).toEqual([429, 'TooManyRequests']);
    await store.database.pool.query('delete from rate_limit');
  });

  it('[ERR-21] are of the type and size that the route declares', async () => {
    const send = (path: string, type: string, body: string) =>
      test.browser().post(`/api/probe/${path}`, undefined, { raw: body, headers: { 'content-type': type } });
    expect((await send('table', 'text/csv', 'a,b')).body).toEqual({ letters: 3 });
    expect((await send('table', 'text/csv', 'x'.repeat(101))).body.code).toBe('PayloadTooLarge');
    expect((await send('table', 'application/json', '{"a":1}')).body.code).toBe('UnsupportedMediaType');
    expect((await send('nothing', 'application/json', '{}')).body).toEqual({ received: true });
    expect((await send('nothing', 'application/json', '{"a":1}')).body.code).toBe('UnsupportedMediaType');
    expect((await send('echo', 'application/json; charset=utf-16', '{}')).status).toBe(415);
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const nested = (levels: number) =>
      send('echo', 'application/json', `{"text": "[[{{\\"", "x": ${deep(levels)}}`);
    expect(JSON.stringify((await nested(31)).body)).not.toContain('too deeply');
    expect(JSON.stringify((await nested(32)).body)).toContain('too deeply');
  });
});

describe('text', () => {
  it('[ERR-22] that cannot be stored is refused wherever it stands, and names its place', async () => {
    const member = await test.signedUp();
    for (const bad of ['a\u0000b', 'a\ud800', '\udc00\ud800b']) {
      const answers = [
        [await member.patch('/api/me', { displayName: bad }), 'displayName'],
        [
          await test.browser().post('/api/probe/echo', { text: 'a', [bad]: 1 }),
          // oxlint-disable-next-line no-control-regex -- The very one that was sent.
          expect.stringMatching(/\ufffd|\u0000/),
        ],
        [await test.browser().post('/api/probe/echo', { text: 'a', nested: { n: [bad] } }), 'nested.n.0'],
      ] as const;
      for (const [answer, path] of answers)
        expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidRequest', errors: [{ path }] } });
    }
  });

  it('[ERR-22] that people write is kept in the composed form', async () => {
    const member = await test.signedUp();
    const { body } = await member.patch('/api/me', { displayName: 'Jose\u0301 😀' });
    expect(body.user.displayName).toBe('Jos\u00e9 😀');
    expect(
      (await member.post('/api/auth/sign-in', { email: member.email, password: 'a fine pass phrase' }))
        .status,
    ).toBe(200);
  });
});

describe('protocol junk', () => {
  it('never pollutes prototypes', async () => {
    for (const body of [
      '{"__proto__": {"admin": true}, "text": "a"}',
      '{"constructor": {"prototype": {"admin": true}}, "text": "a"}',
      '{"text": "a", "nested": {"__proto__": {"admin": true}, "n": 1}}',
    ]) {
      const answer = await raw(body);
      expect(answer.status).toBeLessThan(500);
      expect(answer.body.polluted ?? null).toBeNull();
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    }
  });

  it.each([
    ['arrays', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
  ])('refuses %s nested without end', async (_, body) => {
    expect(await raw(body)).toMatchObject({ status: 400 });
  });

  it('survives strange cookies and tokens', async () => {
    const browser = test.browser();
    for (const cookie of [
      'offcut_session=',
      'offcut_session',
      ';;;=;=',
      'offcut_session=%00%FF; offcut_session=two',
      `offcut_session=${'x'.repeat(8_000)}`,
      `offcut_session=' or 1=1 --`,
    ])
      expect((await browser.get('/api/auth/session', { headers: { cookie } })).body).toEqual({ user: null });
    const huge = await browser.get('/api/auth/session', { headers: { cookie: 'x'.repeat(40_000) } });
    expect(huge.status).toBe(431);
    for (const authorization of ['Bearer', 'Bearer  ', 'Basic YTpi', `Bearer ${'y'.repeat(5_000)}`])
      expect((await browser.get('/api/me/export', { headers: { authorization } })).status).toBe(401);
  });

  it('survives broken encodings, lengths and content types', async () => {
    expect((await raw(Buffer.from([0xff, 0xfe, 0x00]), json)).status).toBe(400);
    expect((await raw('{}', { ...json, 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await raw('{}', { ...json, 'content-encoding': 'zip' })).status).toBe(415);
    expect((await raw('text=a', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await raw('{}', { 'content-type': 'application/json; charset=klingon' })).status).toBe(415);
    expect((await raw('--x', { 'content-type': 'multipart/form-data' })).status).toBe(415);
  });

  it('answers raw nonsense on the socket without dying', async () => {
    for (const text of ['GET\r\n\r\n', 'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n', '\u0000\u0001\u0002\r\n\r\n'])
      expect(await sendRaw(text)).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect((await test.browser().get('/healthz')).status).toBe(200);
  });

  it.each([
    ['a length and chunks', 'Content-Length: 6\r\nTransfer-Encoding: chunked'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6'],
    ['two lengths in one', 'Content-Length: 5, 6'],
    ['a signed length', 'Content-Length: +5'],
    ['a space before the colon', 'Transfer-Encoding : chunked'],
    ['chunks that are not last', 'Transfer-Encoding: chunked, identity'],
    ['a folded head', 'X-Folded: a\r\n Transfer-Encoding: chunked'],
    ['bare line feeds', 'X-Bare: a\nTransfer-Encoding: chunked'],
  ])('[DOOR-22] reads no second request out of one with %s', async (_, head) => {
    const { host } = new URL(test.url);
    const hidden = `0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const answer = await sendRaw(
      `POST /api/auth/sign-in HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n\r\n${hidden}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
    expect(answer.match(/^HTTP\/1\.1/gm)).toHaveLength(1);
  });

  it('[DOOR-22] refuses a request without a Host', async () => {
    expect(await sendRaw('GET /healthz HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
  });

  it('sends the headers that keep a page to itself', async () => {
    const { headers } = await test.browser().get('/api/auth/session');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toContain("media-src 'self' blob:");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    // Over plain HTTP, a promise of TLS would lock users out.
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(policy).not.toContain('upgrade-insecure-requests');
  });
});

function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(test.url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setTimeout(LIMIT_MS, () => socket.destroy());
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
