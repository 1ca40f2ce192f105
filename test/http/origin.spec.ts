import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { Route, type Call } from '../../adapters/platform/http/route.js';
import { endpoint, rawBody } from '../../application/shared/endpoint.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const signed = endpoint('POST /api/probe/signed', {
  summary: 'Probe',
  tag: 'Probe',
  access: 'signature',
  body: rawBody<Buffer | undefined>('signed', 1_000),
  answers: { 200: z.any() },
});

@Controller()
class SignedController {
  @Route(signed)
  signed({ body: bytes, actor }: Call<typeof signed>) {
    return { bytes: bytes?.toString() ?? null, actor: actor ?? null };
  }
}

let store: TestDatabase;
let test: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({ database: store.database, controllers: [SignedController] });
});

afterAll(async () => {
  await test?.close();
  await store?.close();
});

const json = { 'content-type': 'application/json' };

describe('routes that a signature opens', () => {
  it('take foreign requests, get the raw bytes, and never learn whose cookie came along', async () => {
    const browser = await test.signedUp();
    const bytes = '{ "id":  "evt_1" }';
    const answer = await browser.post('/api/probe/signed', undefined, {
      raw: bytes,
      headers: { ...json, origin: 'https://payments.example' },
    });
    expect(answer).toMatchObject({ status: 200, body: { bytes, actor: null } });
    const upload = await browser.post('/api/probe/signed', undefined, {
      raw: Buffer.from('RIFF'),
      headers: { 'content-type': 'audio/wav' },
    });
    expect(upload.status).toBe(200);
  });
});

/** The public address, as in production. */
const PUBLIC = 'https://offcut.example:8443';

describe('[DOOR-06] in production', () => {
  let live: TestApp;
  beforeAll(async () => {
    live = await startTestApp({
      database: store.database,
      config: { production: true, publicUrl: PUBLIC, knownHosts: ['offcut.example', 'www.offcut.example'] },
    });
  });
  afterAll(() => live?.close());

  /** Sends the request as a browser behind a proxy does. */
  const send = (path: string, method: string, headers: Record<string, string>) =>
    new Promise<{ status: number; code: string | undefined }>((resolve, reject) => {
      const { port } = new URL(live.url);
      const body = method === 'GET' ? '' : '{}';
      const type = body && { 'content-type': 'application/json', 'content-length': `${body.length}` };
      const asked = request(
        { host: '127.0.0.1', port, path, method, headers: { ...type, ...headers } },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => (text += part));
          answer.on('end', () => {
            const code = /"code":"(\w+)"/.exec(text)?.[1];
            resolve({ status: answer.statusCode ?? 0, code });
          });
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });

  const routes = [
    ['POST', '/api/auth/sign-in'],
    ['POST', '/api/auth/sign-up'],
    ['POST', '/api/auth/sign-out'],
    ['POST', '/api/auth/password/forgot'],
    ['PATCH', '/api/me'],
    ['DELETE', '/api/me'],
    ['PUT', '/api/auth/password'],
    ['POST', '/api/auth/confirm'],
    ['POST', '/api/crashes'],
  ] as const;
  const foreign = [
    'http://offcut.example:8443',
    'https://offcut.example',
    'https://offcut.example:443',
    'https://OFFCUT.example:8443/',
    'https://offcut.example:8443.evil.example',
    'https://www.offcut.example:8443',
    'https://sub.offcut.example:8443',
    'https://offcut.example.:8443',
    'https://user@offcut.example:8443',
    'https://evil.example',
    'http://localhost:8443',
    'http://127.0.0.1',
    'null',
    '',
  ];

  it.each(routes)(
    '%s %s takes requests of PUBLIC_URL alone, by scheme, name and port',
    async (method, path) => {
      const host = 'offcut.example:8443';
      for (const origin of foreign)
        expect([origin, await send(path, method, { host, origin })]).toEqual([
          origin,
          { status: 403, code: 'CrossSiteRequest' },
        ]);
      // A request that names the same host is not ours for that reason.
      const rebound = { host: 'www.offcut.example', origin: 'http://www.offcut.example' };
      expect((await send(path, method, rebound)).code).toBe('CrossSiteRequest');
      expect((await send(path, method, { host, origin: PUBLIC })).code).not.toBe('CrossSiteRequest');
    },
  );

  it('answers under known names only, and about the node under any', async () => {
    for (const host of ['offcut.example', 'OFFCUT.example:8443', 'www.offcut.example:1'])
      expect((await send('/api/auth/session', 'GET', { host })).status).toBe(200);
    for (const host of ['127.0.0.1', 'localhost:3000', 'evil.example', 'offcut.example.evil.example', ''])
      expect(await send('/api/auth/session', 'GET', { host })).toEqual({ status: 421, code: 'UnknownHost' });
    for (const path of ['/healthz', '/readyz'])
      expect((await send(path, 'GET', { host: '10.1.2.3:3000' })).status).toBe(200);
  });
});

describe('other sites', () => {
  const foreign: Array<[string, Record<string, string>]> = [
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['a look-alike origin', { origin: 'http://127.0.0.1:1' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    [
      'a foreign origin that claims to be same-site',
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
  ];

  it.each(foreign)('[API-12] refuses a cookie request with %s', async (_, headers) => {
    const browser = await test.signedUp();
    const answer = await browser.patch('/api/me', { displayName: 'Mallory' }, { headers });
    expect(answer).toMatchObject({ status: 403, body: { code: 'CrossSiteRequest' } });
    expect((await browser.get('/api/auth/session')).body.user.displayName).not.toBe('Mallory');
  });

  it('[API-12] refuses a cookie request that does not say where it is from', async () => {
    const browser = await test.signedUp();
    const cookie = `offcut_session=${browser.cookies.get('offcut_session')}`;
    const answer = await fetch(`${test.url}/api/me`, {
      method: 'PATCH',
      headers: { cookie, ...json },
      body: '{"displayName": "Mallory"}',
    });
    expect(answer.status).toBe(403);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json-ish', ''])(
    '[API-12] refuses a cookie request with a body of type %j',
    async (type) => {
      const browser = await test.signedUp();
      const answer = await browser.post('/api/auth/sign-out', undefined, {
        raw: Buffer.from('{"a": 1}'),
        headers: type ? { 'content-type': type } : {},
      });
      expect(answer).toMatchObject({ status: 415, body: { code: 'UnsupportedMediaType' } });
      expect((await browser.get('/api/auth/session')).body.user).not.toBeNull();
    },
  );

  it('[API-12] refuses signing a visitor in from elsewhere', async () => {
    const answer = await test
      .browser()
      .post(
        '/api/auth/sign-in',
        { email: 'a@example.com', password: 'x' },
        { headers: { origin: 'https://evil.example' } },
      );
    expect(answer.status).toBe(403);
  });

  it('[API-12] lets this site, scripts with a bearer token and reading pass', async () => {
    const browser = await test.signedUp();
    const token = browser.cookies.get('offcut_session') as string;
    const same = { 'sec-fetch-site': 'same-origin' };
    expect((await browser.patch('/api/me', { displayName: 'One' }, { headers: same })).status).toBe(200);
    const scripted = await fetch(`${test.url}/api/me`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, origin: 'https://evil.example', ...json },
      body: '{"displayName": "Two"}',
    });
    expect(scripted.status).toBe(200);
    const read = await browser.get('/api/auth/session', { headers: { origin: 'https://evil.example' } });
    expect(read.body.user.displayName).toBe('Two');
    expect(read.headers.get('access-control-allow-origin')).toBeNull();
  });
});
