import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { PostgresAttemptCounter } from '../../adapters/platform/http/limits/postgres-attempt-counter.js';
import { Route } from '../../adapters/platform/http/route.js';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import { endpoint, multipart } from '../../application/shared/endpoint.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const upload = endpoint('POST /api/probe/upload', {
  summary: 'Probe',
  tag: 'Probe',
  access: 'user',
  body: multipart(1_000, { audio: 'file' }),
  answers: { 200: z.object({}) },
});

const probe = { tag: 'Probe', access: 'public', answers: { 200: z.object({}) } } as const;
const listing = endpoint('GET /api/probe/listing', { ...probe, summary: 'Probe', rateLimit: 'listing' });
const search = endpoint('GET /api/probe/search', { ...probe, summary: 'Probe', rateLimit: 'search' });
const report = endpoint('GET /api/probe/report', {
  ...probe,
  access: 'user',
  summary: 'Probe',
  rateLimit: 'report',
});
const edit = endpoint('GET /api/probe/edit', {
  ...probe,
  access: 'user',
  summary: 'Probe',
  rateLimit: 'edit',
});
const archive = endpoint('GET /api/probe/archive', {
  ...probe,
  access: 'user',
  summary: 'Probe',
  rateLimit: 'archive',
});

@Controller()
class ReadingProbe {
  @Route(listing)
  list() {
    return {};
  }
  @Route(search)
  find() {
    return {};
  }
  @Route(report)
  report() {
    return {};
  }
  @Route(edit)
  edit() {
    return {};
  }
  @Route(archive)
  pack() {
    return {};
  }
}

@Controller()
class UploadProbe {
  @Route(upload)
  upload() {
    return {};
  }
}

let store: TestDatabase;
let test: TestApp;
/** Behind one trusted proxy, which names the caller's address. */
let behindProxy: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({ database: store.database, controllers: [ReadingProbe, UploadProbe] });
  behindProxy = await startTestApp({
    database: store.database,
    config: { trustProxyHops: 1 },
  });
});

beforeEach(() => store.database.pool.query('delete from rate_limit'));

afterAll(async () => {
  await behindProxy?.close();
  await test?.close();
  await store?.close();
});

const password = 'a fine pass phrase';
const signIn = (app: TestApp, email: string, word: string, address?: string) =>
  app
    .browser()
    .post(
      '/api/auth/sign-in',
      { email, password: word },
      address ? { headers: { 'x-forwarded-for': address } } : {},
    );

async function guessUntilRefused(app: TestApp, email: string, address?: string) {
  for (let attempt = 1; attempt <= 20; attempt++) {
    const answer = await signIn(app, email, `guess ${attempt}`, address);
    if (answer.status === 429) return { attempt, answer };
    expect(answer.status).toBe(401);
  }
  throw new Error('never refused');
}

describe('signing in', () => {
  it('[OPS-07] guessing is refused after ten attempts and says when to come back', async () => {
    await test.signedUp('victim@example.com');
    const { attempt, answer } = await guessUntilRefused(test, 'victim@example.com');
    expect(attempt).toBe(11);
    expect(answer.body).toMatchObject({ code: 'TooManyRequests', retryAfterSeconds: expect.any(Number) });
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(880);
    expect(wait).toBeLessThanOrEqual(900);
    expect((await signIn(test, 'VICTIM@example.com', password)).status).toBe(429);
    await store.database.pool.query(`update rate_limit set resets_at = now()`);
    expect((await signIn(test, 'victim@example.com', password)).status).toBe(200);
  });

  it('[OPS-07] guessing elsewhere does not lock the owner out', async () => {
    await test.signedUp('owner@example.com');
    await guessUntilRefused(behindProxy, 'owner@example.com', '203.0.113.7');
    expect((await signIn(behindProxy, 'owner@example.com', password, '198.51.100.4')).status).toBe(200);
  });

  it('[OPS-07] success is not counted', async () => {
    await test.signedUp('regular@example.com');
    for (let visit = 1; visit <= 15; visit++)
      expect((await signIn(test, 'regular@example.com', password)).status).toBe(200);
  });

  it('[DOOR-42] success is limited as well, at a hundred times, since it costs as much', async () => {
    await test.signedUp('busy@example.com');
    const refused: number[] = [];
    for (let visit = 1; visit <= 101; visit += 1)
      if ((await signIn(behindProxy, 'busy@example.com', password, '198.51.100.9')).status === 429)
        refused.push(visit);
    expect(refused).toEqual([101]);
    expect((await signIn(behindProxy, 'busy@example.com', password, '198.51.100.10')).status).toBe(200);
  });

  it('[OPS-07] many accounts from one address are refused too', async () => {
    let refused = 0;
    // Uses its own address, because reverted hits of other tests may reach the counter late.
    const signInFrom = (email: string) => signIn(behindProxy, email, 'x', '198.51.100.7');
    for (let number = 1; number <= 110; number++)
      if ((await signInFrom(`user${number}@example.com`)).status === 429) refused++;
    expect(refused).toBe(10);
  });

  it('[OPS-520] a neighbour behind the same address holds nobody up who was there before', async () => {
    const address = { headers: { 'x-forwarded-for': '198.51.100.20' } };
    const at = (browser: HttpClient, path: string, body?: object) => browser.post(path, body, address);
    const [known, fresh] = ['known@example.com', 'fresh@example.com'];
    const browser = await behindProxy.signedUp(known);
    await behindProxy.signedUp(fresh);
    const enter = (client: HttpClient, email: string) => at(client, '/api/auth/sign-in', { email, password });
    // Answers 429 are not guesses: only 10 of these attempts were checked.
    await Promise.all(
      Array.from({ length: 105 }, () =>
        at(behindProxy.browser(), '/api/auth/sign-in', { email: known, password: 'x' }),
      ).map(async (answer) => expect([401, 429]).toContain((await answer).status)),
    );
    expect((await enter(behindProxy.browser(), fresh)).status).toBe(200);
    expect((await enter(behindProxy.browser(), known)).status).toBe(429);
    const total = await store.database.pool.query(
      "select hits from rate_limit where key = 'sign-in:3:198.51.100.20'",
    );
    expect(total.rows[0].hits).toBe(11);
    expect((await enter(browser, known)).status).toBe(200);
    // Guesses at a hundred accounts block the address for browsers that are new to the account.
    const used = await store.database.pool.query(
      "update rate_limit set hits = 100 where key = 'sign-in:1:198.51.100.20'",
    );
    expect(used.rowCount).toBe(1);
    expect((await enter(behindProxy.browser(), fresh)).status).toBe(429);
    expect((await enter(browser, known)).status).toBe(200);
    expect((await enter(browser, fresh)).status).toBe(429);
    expect((await at(behindProxy.browser(), '/api/auth/passkey/options')).status).toBe(200);
    expect((await at(behindProxy.browser(), '/api/auth/second-factor/options')).status).toBe(410);
    expect((await at(browser, '/api/auth/confirm', { password: 'x' })).status).toBe(403);
    expect((await at(browser, '/api/auth/confirm', { password })).status).toBe(204);
  });

  it('[OPS-520] guesses of somebody signed in count for the session alone', async () => {
    const thief = await test.signedUp('own@example.com');
    const other = test.browser();
    await other.post('/api/auth/sign-in', { email: 'own@example.com', password });
    const confirm = async (browser: HttpClient, word: string) =>
      (await browser.post('/api/auth/confirm', { password: word })).status;
    for (let number = 1; number <= 10; number++) expect(await confirm(thief, 'x')).toBe(403);
    expect(await confirm(thief, password)).toBe(429);
    expect(await confirm(other, password)).toBe(204);
    // The hit of the successful sign-in may not be reverted yet.
    const { rows } = await store.database.pool.query(
      "select hits from rate_limit where key = 'sign-in:1:127.0.0.1'",
    );
    expect(rows[0]?.hits ?? 0).toBeLessThanOrEqual(1);
  });

  it('[OPS-07] a made-up X-Forwarded-For buys no attempts', async () => {
    const statuses: number[] = [];
    for (let number = 1; number <= 11; number++)
      statuses.push((await signIn(test, 'spoofed@example.com', 'x', `203.0.113.${number}`)).status);
    expect(statuses.at(-1)).toBe(429);
    // Behind our proxy only the address that the proxy itself appended counts.
    const behind: number[] = [];
    for (let number = 1; number <= 11; number++)
      behind.push(
        (await signIn(behindProxy, 'spoofed2@example.com', 'x', `10.9.8.${number}, 203.0.113.9`)).status,
      );
    expect(behind.at(-1)).toBe(429);
  });

  it('[OPS-07] the limit holds across nodes, and when all attempts come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, number) =>
        number % 2 ? signIn(test, 'rush@example.com', 'x') : signIn(behindProxy, 'rush@example.com', 'x'),
      ),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(14);
  });
});

describe('a counter with a limit', () => {
  const ofRow = async (key: string) =>
    (
      await store.database.pool.query<{ hits: number; version: string }>(
        'select hits, xmin::text as version from rate_limit where key = $1',
        [key],
      )
    ).rows[0];

  it('[OPS-642] asks the database only once what happens to attempts beyond it', async () => {
    const counter = new PostgresAttemptCounter(store.database);
    const count = async () => (await counter.count('full', 60_000, 2)).hits;
    expect([await count(), await count(), await count()]).toEqual([1, 2, 3]);
    const before = await ofRow('full');
    expect(before?.hits).toBe(2);
    expect([await count(), await count()]).toEqual([3, 3]);
    expect(await ofRow('full')).toEqual(before);
    await counter.forgive('full');
    expect([await count(), await count()]).toEqual([2, 3]);
  });

  it('[OPS-642] counts again in the next window', async () => {
    const counter = new PostgresAttemptCounter(store.database);
    const count = async () => (await counter.count('short', 50, 1)).hits;
    expect([await count(), await count()]).toEqual([1, 2]);
    while ((await count()) !== 1);
  });
});

describe('other attempts', () => {
  it('[OPS-07] signing up the same address again and again', async () => {
    const body = { email: 'again@example.com', password };
    const statuses: number[] = [];
    for (let number = 1; number <= 11; number++)
      statuses.push((await test.browser().post('/api/auth/sign-up', body)).status);
    expect(statuses).toEqual([...Array(10).fill(201), 429]);
  });

  it('[OPS-07] asking for password mails', async () => {
    const statuses: number[] = [];
    for (let number = 1; number <= 11; number++)
      statuses.push(
        (await test.browser().post('/api/auth/password/forgot', { email: 'flood@example.com' })).status,
      );
    expect(statuses).toEqual([...Array(10).fill(202), 429]);
  });

  it('[OPS-07] guessing the current password of a session left open', async () => {
    const browser = await test.signedUp();
    const statuses: number[] = [];
    for (let number = 1; number <= 11; number++) {
      const body = { currentPassword: `guess ${number}`, newPassword: 'the next pass phrase' };
      statuses.push((await browser.put('/api/auth/password', body)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(403), 429]);
    const neighbour = await test.signedUp();
    const body = { currentPassword: password, newPassword: 'the next pass phrase' };
    expect((await neighbour.put('/api/auth/password', body)).status).toBe(204);
  });

  it('[OPS-07] guessing mailed tokens', async () => {
    const guess = async () =>
      (await test.browser().post('/api/auth/verify-email', { token: 'guess' })).status;
    expect(await guess()).toBe(410);
    await store.database.pool.query("update rate_limit set hits = 2999 where key like 'proof:%'");
    expect([await guess(), await guess()]).toEqual([410, 429]);
  });

  it('[OPS-07] uploading without pause, an account at a time', async () => {
    const [busy, calm] = [await test.signedUp(), await test.signedUp()];
    const upload = (browser: typeof busy) => {
      const form = new FormData();
      form.set('audio', new Blob(['x']), 'a.wav');
      return browser.post('/api/probe/upload', undefined, { raw: form });
    };
    await store.database.pool.query('update rate_limit set hits = 0');
    for (let number = 1; number <= 240; number++) expect((await upload(busy)).status).toBe(200);
    const refused = await upload(busy);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await upload(calm)).status).toBe(200);
  });
});

describe('[DOOR-03] reading what is dear', () => {
  const times = async (many: number, read: () => Promise<{ status: number }>) => {
    const refused: number[] = [];
    for (let n = 1; n <= many; n += 1) if ((await read()).status === 429) refused.push(n);
    return refused;
  };

  it('[DOOR-580] limits listings by address, searches of visitors, and archives, reports and edits by account', async () => {
    const [visitor, member, other] = [test.browser(), await test.signedUp(), await test.signedUp()];
    expect(await times(61, () => visitor.get('/api/probe/listing'))).toEqual([61]);
    expect((await member.get('/api/probe/listing')).status).toBe(429);
    expect(await times(31, () => member.get('/api/probe/archive'))).toEqual([31]);
    expect((await other.get('/api/probe/archive')).status).toBe(200);
    expect(await times(21, () => member.get('/api/probe/report'))).toEqual([21]);
    expect(await times(241, () => member.get('/api/probe/edit'))).toEqual([241]);
    expect((await other.get('/api/probe/edit')).status).toBe(200);
    expect(await times(1_201, () => visitor.get('/api/probe/search'))).toEqual([1_201]);
    expect((await member.get('/api/probe/search')).status).toBe(200);
  });

  it('[API-753] says how many requests are left, and for how long', async () => {
    const client = await test.signedUp();
    const headersOf = async () => {
      const { headers } = await client.get('/api/probe/archive');
      return [headers.get('ratelimit'), headers.get('ratelimit-policy')];
    };
    const [left, policy] = await headersOf();
    expect(left).toMatch(/^"archive-0"; r=29; t=\d+$/);
    expect(policy).toMatch(/^"archive-0"; q=30; w=60; pk=:.+:$/);
    expect((await headersOf())[0]).toMatch(/^"archive-0"; r=28; /);
  });

  it('is declared where it is dear', () => {
    const limited = (name: string) =>
      ENDPOINTS.filter(({ rateLimit }) => rateLimit === name).map(({ key }) => key);
    expect(limited('listing')).toEqual(['GET /api/storage/list']);
    expect(limited('search').sort()).toEqual([
      'GET /api/collections',
      'GET /api/collections/shared/:token',
      'GET /api/feed',
      'GET /api/packs',
      'GET /api/samples',
      'GET /api/samples/:id/similar',
      'GET /api/samples/by-sound/histograms',
      'GET /api/search/suggestions',
      'GET /api/swipe',
      'GET /api/workbenches/shared/:token',
      'GET /embed/:kind/:id',
      'GET /feeds/creators/:file',
      'GET /feeds/tags/:file',
      'GET /oembed',
      'POST /api/samples/by-sound',
      'POST /api/workbenches/suggestions',
    ]);
    expect(limited('archive').sort()).toEqual([
      'GET /api/creator/packs/:id/export.zip',
      'GET /api/downloads/:sampleId/tagged',
      'GET /api/library/archives/:id.zip',
      'GET /api/library/downloads.zip',
      'GET /api/workbenches/:id/export',
      'POST /api/certificates/:id/dispute-pack',
      'POST /api/library/archives',
    ]);
    expect(limited('export').sort()).toEqual([
      'GET /api/finance/reports/creator-taxes/:year.csv',
      'GET /api/me/export',
      'POST /api/finance/exports',
      'POST /api/me/exports',
    ]);
    expect(limited('report')).toEqual(['POST /api/reports']);
    expect(limited('edit')).toEqual(
      expect.arrayContaining([
        'PATCH /api/creator/packs/:id',
        'PATCH /api/creator/packs/:id/samples',
        'POST /api/creator/packs/:id/default-cost',
        'PUT /api/creator/profile',
        'PATCH /api/me',
      ]),
    );
    expect(limited('new-pack')).toEqual(['POST /api/creator/packs']);
    expect(limited('picture').sort()).toEqual([
      'PUT /api/creator/avatar',
      'PUT /api/creator/packs/:id/cover',
      'PUT /api/me/avatar',
    ]);
  });
});
