import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { parse } from 'yaml';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { CatalogueModule } from '../../adapters/catalogue/catalogue.module.js';
import { PROBLEMS } from '../../application/shared/problems.js';
import { LibraryModule } from '../../adapters/library/library.module.js';
import { ReportsModule } from '../../adapters/reports/reports.module.js';
import { Database } from '../../adapters/platform/database/database.js';
import { Metrics } from '../../adapters/platform/observability/metrics.js';
import { DatabaseProbe } from '../../application/operations/readiness.js';
import { Mailer } from '../../application/mail/mailer.js';
import { ObjectStorage } from '../../application/storage/object-storage.js';
import type { Config } from '../../bootstrap/config.js';
import { warnOfForwarding } from '../../adapters/platform/http/middleware.js';
import { startTestApp, TestClock, type TestApp } from '../support/app.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let store: TestDatabase;
let test: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({
    database: store.database,
    imports: [CatalogueModule, LibraryModule, ReportsModule],
  });
});

afterAll(async () => {
  await test?.close();
  await store?.close();
});

describe('faults of pages', () => {
  it('[WEB-16] stand in the log under the id that the visitor copies, once they are well formed', async () => {
    const written = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const visitor = test.browser();
    const crash = { errorId: 'E-1a2b3c4d', message: 'Cannot read length', path: '/sounds', stack: 'at Row' };
    expect((await visitor.post('/api/crashes', crash)).status).toBe(204);
    expect(written).toHaveBeenCalledWith(crash);
    written.mockClear();
    for (const bad of [{}, { ...crash, errorId: 'mine' }, { ...crash, message: 'x'.repeat(1_001) }])
      expect(await visitor.post('/api/crashes', bad)).toMatchObject({
        status: 400,
        body: { code: 'InvalidRequest' },
      });
    expect(written).not.toHaveBeenCalled();
    written.mockRestore();
  });
});

describe('health', () => {
  it('[OPS-01] answers while the process lives, and is ready with database and storage', async () => {
    const browser = test.browser();
    expect(await browser.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await browser.get('/readyz')).toMatchObject({
      status: 200,
      body: { ready: true, database: 'up', storage: 'up' },
    });
  });

  it('[OPS-01] is not ready without the database, and says so of every route that needs it', async () => {
    const absent = new Database('postgres://nobody:nothing@127.0.0.1:1/none');
    const alone = await startTestApp({ database: absent, isNeverReady: true });
    const browser = alone.browser();
    expect((await browser.get('/healthz')).status).toBe(200);
    expect(await browser.get('/readyz')).toMatchObject({
      status: 503,
      body: { code: 'ServiceUnavailable', database: 'down', storage: 'up' },
    });
    const signIn = await browser.post('/api/auth/sign-in', { email: 'a@example.com', password: 'x' });
    expect(signIn).toMatchObject({ status: 503, body: { code: 'ServiceUnavailable' } });
    expect(JSON.stringify(signIn.body)).not.toMatch(/ECONN|127\.0\.0\.1/);
    await alone.close();
    await absent.close();
  });

  it('[OPS-01] says that the storage is down, and serves what needs no file', async () => {
    const clock = new TestClock();
    const root = '/dev/null/nowhere';
    const broken = new DiskObjectStorage({
      root,
      publicUrl: test.url,
      signingKey: Buffer.alloc(32, 1),
      clock,
    });
    const alone = await startTestApp({
      database: store.database,
      providers: [{ provide: ObjectStorage, useValue: broken }],
    });
    expect(await alone.browser().get('/readyz')).toMatchObject({
      status: 200,
      body: { ready: true, database: 'up', storage: 'down' },
    });
    await alone.close();
  });
});

describe('[DOOR-08] every answer', () => {
  it('[EAR-714] keeps camera and the like from whatever runs in a page, and the microphone from frames', async () => {
    for (const path of ['/healthz', '/api/auth/session', '/api/nothing-here'])
      expect((await test.browser().get(path)).headers.get('permissions-policy')).toMatch(
        /camera=\(\).*geolocation=\(\).*payment=\(\).*usb=\(\).*microphone=\(self\)/,
      );
  });
});

describe('[DOOR-09] a proxy whose word is not believed', () => {
  it('is warned of at the first request, and then once an hour with their number', () => {
    const said: string[] = [];
    let now = 0;
    const watch = warnOfForwarding(
      (sentence) => said.push(sentence),
      () => now,
    );
    const send = (headers: Record<string, string>) => watch({ headers } as never, {} as never, () => {});
    send({});
    expect(said).toEqual([]);
    send({ 'x-forwarded-for': '203.0.113.7' });
    for (let n = 0; n < 3; n += 1) send({ forwarded: 'for=203.0.113.7' });
    expect(said).toEqual([expect.stringMatching(/^a request names .*TRUST_PROXY is 0/)]);
    now = 3_600_000;
    send({ 'x-forwarded-for': 'x' });
    expect(said.slice(1)).toEqual([expect.stringMatching(/^4 requests name /)]);
  });
});

describe('what operators read', () => {
  it('[OPS-02] /metrics speaks Prometheus, by route and never by id', async () => {
    const browser = await test.signedUp();
    await browser.delete('/api/library/saved/some-very-own-id');
    const { status, headers, body } = await browser.get('/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(body).toMatch(
      /http_request_duration_seconds_count\{method="DELETE",route="\/api\/library\/saved\/:itemId",status="204"\} 1/,
    );
    expect(body).toContain('process_cpu_seconds_total');
    expect(body).not.toContain('some-very-own-id');
  });

  it('[DOOR-07] /metrics is read with the token of monitoring, or at its own port, and in production not without', async () => {
    const token = 'a-token-of-monitoring';
    const asked = async (metrics: Partial<Config>['metrics'], headers: Record<string, string> = {}) => {
      const app = await startTestApp({ database: store.database, config: { metrics } });
      const answers: number[] = [];
      for (const path of ['/metrics', '/METRICS/'])
        answers.push((await app.browser().get(path, { headers })).status);
      await app.close();
      return answers;
    };
    expect(await asked({ isOpen: true })).toEqual([200, 200]);
    expect(await asked({ isOpen: false })).toEqual([404, 404]);
    expect(await asked({ isOpen: true, port: 9 })).toEqual([404, 404]);
    expect(await asked({ isOpen: true, token })).toEqual([401, 401]);
    expect(await asked({ isOpen: true, token }, { authorization: `Bearer ${token}x` })).toEqual([401, 401]);
    // The answer to monitoring is cached, but not for other callers.
    const app = await startTestApp({
      database: store.database,
      config: { metrics: { isOpen: false, token } },
    });
    const read = (headers: Record<string, string>) => app.browser().get('/metrics', { headers });
    const monitoring = { authorization: `Bearer ${token}` };
    expect(
      [await read(monitoring), await read({}), await read(monitoring)].map(({ status }) => status),
    ).toEqual([200, 401, 200]);
    await app.close();
  });

  it('[OPS-73] is made once for all who ask within a second, or once and for all', async () => {
    const browser = test.browser();
    const asked: string[] = [];
    const probe = test.app.get(DatabaseProbe, { strict: false });
    const { isOutdated } = probe;
    Object.assign(probe, { isOutdated: () => (asked.push('database'), isOutdated.call(probe)) });
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.get('/readyz')));
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(asked.length).toBeLessThanOrEqual(1 + seconds);
    const { registry } = test.app.get(Metrics, { strict: false });
    const { metrics } = registry;
    Object.assign(registry, { metrics: () => (asked.push('metrics'), metrics.call(registry)) });
    const pages = await Promise.all(Array.from({ length: 16 }, () => browser.get('/metrics')));
    expect(pages.map(({ status, body }) => [status, typeof body])).toEqual(Array(16).fill([200, 'string']));
    expect(asked.filter((what) => what === 'metrics').length).toBeLessThanOrEqual(2);
    for (const path of ['/api/openapi.json', '/api/openapi.yaml']) {
      const [first, again] = [await browser.get(path), await browser.get(path)];
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      expect(again.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('[DOOR-36] others are answered while the description of the API is drawn', async () => {
    const app = await startTestApp({ database: store.database });
    const answered: string[] = [];
    const ask = (path: string) =>
      app
        .browser()
        .get(path, { headers: { 'accept-encoding': 'identity' } })
        .then(({ status }) => answered.push(`${status} ${path}`));
    const drawings = ['/api/openapi.yaml', '/api/openapi.json'].map(ask);
    for (let asked = 0; asked < 10; asked += 1) await ask('/healthz');
    expect(answered).toEqual(Array(10).fill('200 /healthz'));
    await Promise.all(drawings);
    const yaml = (await app.browser().get('/api/openapi.yaml')).body as string;
    expect(parse(yaml)).toEqual((await app.browser().get('/api/openapi.json')).body);
    await app.close();
  });

  it('[OPS-02] /api/openapi.json lists the mounted routes with the contracts’ shapes', async () => {
    const { body } = await test.browser().get('/api/openapi.json');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/healthz',
        '/api/auth/sign-in',
        '/api/me',
        '/api/library/saved/{itemId}',
        '/api/reports',
      ]),
    );
    const signIn = body.paths['/api/auth/sign-in'].post;
    expect(JSON.stringify(signIn.requestBody)).toContain('password');
    expect(JSON.stringify(signIn.responses['200'])).toContain('SignedIn');
    expect(JSON.stringify(body.components.schemas.SignedIn)).toContain('access_token');
    expect(body.paths['/dev/mailbox']).toBeUndefined();
  });

  it('[OPS-02] /api/docs shows it without inline scripts, which the policy forbids', async () => {
    const { status, body } = await test.browser().get('/api/docs');
    expect(status).toBe(200);
    expect(body).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>\s*\S/);
    const files = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => String(file));
    expect(files).toHaveLength(3);
    for (const file of files) expect((await test.browser().get(file)).status).toBe(200);
  });
});

describe('the page of problems', () => {
  it('[API-762] explains every code, at the address that is the type of a problem', async () => {
    const refused = await test.browser().get('/api/me/export');
    const { origin, pathname, hash } = new URL(refused.body.type);
    expect(origin).toBe(test.config.publicUrl);
    const page = await test.browser().get(pathname);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(hash).toBe('#NotSignedIn');
    const sections = new Set([...page.body.matchAll(/<section id="(\w+)">/g)].map(([, id]) => String(id)));
    expect([...sections]).toEqual(Object.keys(PROBLEMS));
    expect(page.body).toContain('<code>nextBillingDate</code>');
    expect(page.body).not.toContain('<script');
  });
});

describe('the mailbox page', () => {
  it('[OPS-04] shows every mail sent, for people and for scripts', async () => {
    const mail = {
      to: 'eve@example.com',
      subject: '<script>alert(1)</script>',
      text: 'Look & see',
      links: [`${test.url}/auth?x="1"`],
    };
    await test.app.get(Mailer).deliver(mail);
    const listed = await test.browser().get('/dev/mailbox?format=json');
    expect(listed.headers.get('content-type')).toContain('application/json');
    expect(listed.body[0]).toEqual({
      ...mail,
      headers: null,
      sentAt: test.clock.now().toISOString(),
    });
    const page = await test.browser().get('/dev/mailbox');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.body).not.toContain('<script>alert');
  });

  it('[OPS-04] is absent in production, as everything for development', async () => {
    expect((await test.browser().get('/dev/info')).body).toEqual({ stripeApiBase: null });
    const live = await startTestApp({ database: store.database, config: { production: true } });
    expect((await live.browser().get('/dev/info')).status).toBe(404);
    expect((await live.browser().get('/dev/mailbox')).status).toBe(404);
    expect((await live.browser().get('/dev/mailbox?format=json')).status).toBe(404);
    await live.close();
  });
});
