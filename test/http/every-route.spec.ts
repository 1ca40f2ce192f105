import { encodeCursor } from '../../adapters/platform/database/cursor.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import { codesOf, faultOf, Fuzzer, runAttacks, type ApiDescription } from '../support/fuzz.js';
import { keyed, type HttpAnswer, type HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { SEED, sizeOf } from '../support/sizes.js';
import { grantRoles } from '../support/staff.js';

interface MountedRoute {
  method: string;
  path: string;
}

let product: TestProduct;
let routes: MountedRoute[];
let api: ApiDescription;

const ATTACKS_A_ROUTE = sizeOf('ATTACKS_A_ROUTE');

beforeAll(async () => {
  product = await startTestProduct();
  api = (await product.browser().get('/api/openapi.json')).body as ApiDescription;
  routes = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
});

afterAll(() => product?.stop());

const fill = (path: string, value: string) => path.replaceAll(/\{\w+\}/g, encodeURIComponent(value));

/** Routes that anyone may call. `route-access` lists those among them that change something. */
const OPEN =
  /^\/(healthz|[.]well-known\/|readyz|metrics|robots|sitemap|feeds\/|oembed|media\/|api\/(auth|packs$|packs\/\{handle\}|creators|creator\/approval-time|home|sounds|discover|collections|samples|search|swipe|plans|products|legal|certificates|storage|stripe\/webhook|mailing-list|complaints\/|transparency|previews|workbenches\/shared))/;

/** Signs up an approved creator with the roles of staff. */
async function everythingAllowed(): Promise<HttpClient> {
  const client = await product.signedUp();
  await grantRoles(product.resources.database, client.userId, 'admin', 'finance');
  await client.post('/api/creator/application', {});
  return client;
}

it('[OPS-02] the description names every mounted route', () => {
  expect(routes.length).toBeGreaterThan(50);
  for (const route of ['POST /api/auth/sign-in', 'PUT /api/library/saved/{itemId}', 'GET /healthz'])
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toContain(route);
});

it('[ROLE-01] every saving, downloading, paying or creating route answers a visitor 401', async () => {
  const visitor = product.browser();
  const wrong: string[] = [];
  for (const { method, path } of routes) {
    if (OPEN.test(path) && method === 'GET') continue;
    if (
      /^\/(api\/(auth|certificates\/verify|samples\/by-sound|workbenches\/suggestions|stripe\/webhook|mailing-list|(notifications|inbox)\/unsubscribe|crashes)|media\/signed)/.test(
        path,
      )
    )
      continue;
    if (/^POST \/api\/(withdrawals|complaints(\/\{id\}\/(confirm|withdraw))?)$/.test(`${method} ${path}`))
      continue;
    const route = { method, path };
    const answer = await visitor.call(method, fill(path, randomUUID()), bodyFor(route), keyed());
    if (answer.status !== 401) wrong.push(`${method} ${path} ${answer.status}`);
  }
  expect(wrong).toEqual([]);
});

const JUNK_PARAMETERS = [
  'x',
  '..',
  '../../etc/passwd',
  'a\u0000b',
  "' or 1=1 --",
  '%',
  '_',
  'ü'.repeat(200),
  'x'.repeat(3_000),
  '-1',
  '__proto__',
  'constructor',
];
const JUNK_QUERIES = [
  'limit=-1',
  'limit=1e9',
  'limit=abc&cursor=abc',
  'cursor=e30',
  ...[
    [null, null],
    ['x'],
    [1.5],
    [1e300],
    [-1],
    ['x', 'y'],
    [1, 'y'],
    [1e300, 'y'],
    ['\u0000', '\u0000'],
    [0, 1e300],
  ].map((key) => `cursor=${Buffer.from(JSON.stringify(key)).toString('base64url')}`),
  `cursor=${'W'.repeat(400)}`,
  'q=%00',
  'q=%25_%5C%27',
  `q=${'x'.repeat(190)}`,
  'genre=x&genre=y&mood=%00&key=Z&bpmMin=9&bpmMax=-1',
  'genre[a]=1&mood[]=2&__proto__[x]=1',
  'ids=%00,x&period=never&plan=free&returnTo=//x',
  'prefix=../&path=..%2F..%2Fx&bucket=x&limit=99999999999999999999',
];
const JUNK_BODIES: unknown[] = [
  null,
  [],
  'text',
  7,
  {},
  { id: null, email: [], password: {}, token: 'x', sampleId: '\u0000', expectedCredits: 1e308 },
  { sampleIds: Array(2_000).fill('x'), items: [{}], name: 'a\u0000b', genre: 'x', plan: 'x', creditCost: -1 },
  { displayName: '\u202e\u0000', email: 'a@b', kind: 'x', reason: 'x', version: 'NaN', signature: 'x' },
  { 'a.b': { c: [[[[[]]]]] }, toString: 1, __defineGetter__: 2, length: -1 },
];

type Call = readonly [what: string, run: () => Promise<HttpAnswer>];

/** Returns the invalid calls above for one route. */
function junkFor(client: HttpClient, route: MountedRoute, path: string): Call[] {
  const { method } = route;
  const values = route.path.includes('{') ? JUNK_PARAMETERS : [];
  const send = (at: string, body?: unknown) => () => client.call(method, at, body, keyed());
  const parameters = values.map((value) => [value, send(fill(route.path, value), bodyFor(route))] as const);
  if (method !== 'GET')
    return [...parameters, ...JUNK_BODIES.map((body) => [JSON.stringify(body), send(path, body)] as const)];
  const ranges = route.path.startsWith('/media') ? ['bytes=9-1', 'bytes=-', 'x=1', 'bytes=0-0,2-3'] : [];
  return [
    ...parameters,
    ...JUNK_QUERIES.map((query) => [query, () => client.get(`${path}?${query}`)] as const),
    ...ranges.map((range) => [range, () => client.get(path, { headers: { range } })] as const),
  ];
}

const AT_ONCE = 4;

/** Returns the answers with a 5xx status or internal details, by route. */
async function breakdowns(client: HttpClient, tried: MountedRoute[]): Promise<string[]> {
  const broken: string[] = [];
  for (const [index, route] of tried.entries()) {
    const id = route.path.includes('/packs/{id}') ? await ownPack(client) : randomUUID();
    const junk = junkFor(client, route, fill(route.path, id));
    // Neighbouring routes get different parts of the junk.
    const step = Math.ceil(junk.length / sizeOf('JUNK_A_ROUTE'));
    const calls = junk.filter((_, nth) => (nth + index) % step === 0);
    // At most as many at once as one account may send, so that none is refused for the limit.
    for (let next = calls.splice(0, AT_ONCE); next.length > 0; next = calls.splice(0, AT_ONCE)) {
      const answers = await Promise.all(next.map(([, run]) => run()));
      answers.forEach((answer, at) => {
        const fault = faultOf(answer, codesOf(api));
        if (fault) broken.push(`${route.method} ${route.path} ${next[at]?.[0].slice(0, 60)} ${fault}`);
      });
    }
  }
  return broken;
}

/** Excludes routes that end the session or the account, and routes about the node. */
const harmless = ({ method, path }: MountedRoute) =>
  !/^\/(readyz|metrics)|sign-out|refresh/.test(path) && !(method === 'DELETE' && path === '/api/me');

/**
 * Creates a pack of the caller, so that invalid input reaches the code behind the access check. A visitor
 * gets a random id.
 */
async function ownPack(client: HttpClient): Promise<string> {
  const pack = { name: 'Kicks', genre: 'Trap', mood: 'Dark' };
  return (await client.post('/api/creator/packs', pack)).body.id ?? randomUUID();
}

const bodyFor = ({ method }: MountedRoute) => (method === 'GET' ? undefined : {});

it('[API-750] a method that a path does not have is refused with those it has', async () => {
  const visitor = product.browser();
  const answer = await visitor.call('PUT', '/api/plans', {});
  expect(answer).toMatchObject({ status: 405, body: { code: 'MethodNotAllowed' } });
  expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  expect((await visitor.call('DELETE', '/api/downloads', {})).headers.get('allow')).toBe('POST, OPTIONS');
  expect((await visitor.call('PUT', '/api/nothing', {})).status).toBe(404);
  const wrong: string[] = [];
  for (const { path } of routes.filter(({ path }) => path.startsWith('/api/'))) {
    const known = Object.keys(api.paths[path] ?? {}).map((method) => method.toUpperCase());
    const options = await visitor.call('OPTIONS', fill(path, 'x'));
    const allowed = options.headers.get('allow')?.split(', ') ?? [];
    if (options.status !== 204 || known.some((method) => !allowed.includes(method))) wrong.push(path);
  }
  expect(wrong).toEqual([]);
});

it('[API-751] pages of other sites read the catalogue, and nothing else', async () => {
  const headersOf = async (path: string) => {
    const { headers } = await product.browser().get(path, { headers: { origin: 'https://blog.example' } });
    return [
      'access-control-allow-origin',
      'access-control-allow-credentials',
      'cross-origin-resource-policy',
    ].map((name) => headers.get(name));
  };
  expect(await headersOf('/api/samples?limit=1')).toEqual(['*', null, 'cross-origin']);
  expect(await headersOf('/api/samples/unknown')).toEqual(['*', null, 'cross-origin']);
  for (const path of ['/api/auth/session', '/api/credits', '/api/me/sessions', '/api/finance/events'])
    expect(await headersOf(path)).toEqual([null, null, 'same-origin']);
  const asked = await product.browser().call('OPTIONS', '/api/samples');
  expect(asked.headers.get('access-control-allow-methods')).toBe('GET, HEAD');
  expect(asked.headers.get('access-control-allow-headers')).toBe('Authorization');
});

/** No cursor, a cursor of no list, and one that was cut. */
const BROKEN_CURSORS = ['nonsense', encodeCursor([1, 2, 3, 4, 5, 6, 7]), encodeCursor([null]).slice(0, -2)];

it('[API-752] a broken cursor is refused in every list', async () => {
  const client = await everythingAllowed();
  const wrong: string[] = [];
  const lists = ENDPOINTS.filter(
    ({ method, query }) => method === 'GET' && query && 'cursor' in query.shape,
  ).filter(
    // Histograms take the filters of a search, and have no pages.
    ({ path }) => !path.endsWith('/histograms'),
  );
  expect(lists.length).toBeGreaterThan(20);
  for (const { path } of lists) {
    const required = /\/sales\/(report|reach)$/.test(path) ? '&from=2026-01-01&to=2026-01-31' : '';
    for (const cursor of BROKEN_CURSORS) {
      const answer = await client.get(
        `${path.replace(':year', '2026').replaceAll(/:\w+/g, 'x')}?cursor=${cursor}${required}`,
      );
      const isRefused = answer.status === 400 && answer.body.code === 'InvalidCursor';
      if (!isRefused && answer.status !== 404) wrong.push(`${path} ${cursor} ${answer.status}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('no junk in addresses, queries or bodies breaks a route that visitors may call', async () => {
  const open = routes.filter((route) => harmless(route) && OPEN.test(route.path));
  expect(await breakdowns(product.browser(), open)).toEqual([]);
});

it('nor any route, for somebody who is signed in and may do everything', async () => {
  const client = await everythingAllowed();
  expect(await breakdowns(client, routes.filter(harmless))).toEqual([]);
  expect((await client.get('/readyz')).body.ready).toBe(true);
});

it(`[ERR-23, ERR-01] attacks made from the description break nothing, and every refusal has a declared code (seed ${SEED})`, async () => {
  const client = await everythingAllowed();
  const id = await ownPack(client);
  // Another user, because staff routes suspend people and end their sessions.
  const { userId } = await product.signedUp();
  const ids = { id, packId: id, userId, handle: 'nobody', slug: 'kicks', month: '2026-10' };
  const fuzzer = new Fuzzer(api, SEED, ids);
  const attacks = fuzzer
    .routes()
    .flatMap((route) => Array.from({ length: ATTACKS_A_ROUTE }, () => fuzzer.attack(route)));
  expect(attacks.length).toBeGreaterThan(1_000);
  const { faults } = await runAttacks(client, attacks, codesOf(api));
  expect(faults).toEqual([]);
  expect((await client.get('/readyz')).body.ready).toBe(true);
});

it('[ERR-23] attacks fill a part of the path that is one of a few with each of them', () => {
  const staff = Object.keys(api.paths).filter((path) => path.includes('{role}'));
  expect(staff.length).toBeGreaterThan(0);
  const fuzzer = new Fuzzer(api, SEED, { userId: 'somebody' });
  for (const { method, route, operation } of fuzzer.routes().filter(({ route }) => staff.includes(route))) {
    const paths = Array.from({ length: 200 }, () => fuzzer.attack({ method, route, operation }).path);
    for (const role of ['admin', 'finance'])
      expect(paths).toContain(route.replace('{userId}', 'somebody').replace('{role}', role));
  }
});

const part = (name: string, filename = 'a.wav') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n`;
const TORN_FORMS = [
  '',
  '--x',
  '--x\r\nContent-Disposition: form-data; name="audio"; file',
  `${part('audio')}RIFF`,
  `${part('image')}PNG`,
  `${part('other')}bytes`,
  `${part('audio')}RIFF\r\n${part('audio')}RIFF again`,
  `${part('other')}bytes\r\n${part('image')}PNG`,
  `${part('cover', '../../x.png')}\r\n--x--\r\n`,
  `--x\r\nContent-Disposition: form-data; name="meta"\r\n\r\n{"bpm": "x"\r\n--x--\r\n`,
];

it('forms that end early, or hold what nobody asked for, break nothing', async () => {
  const client = await product.signedUp();
  await client.post('/api/creator/application', {});
  const id = await ownPack(client);
  const wrong: string[] = [];
  const uploads = routes.filter(({ path }) => /\/(samples|audio|stems|midi|cover|avatar)$/.test(path));
  for (const { method, path } of uploads.filter(({ method }) => method !== 'GET'))
    for (const [index, raw] of TORN_FORMS.entries()) {
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      const answer = await client.call(method, fill(path, id), undefined, { raw, headers });
      if (answer.status < 400 || answer.status >= 500)
        wrong.push(`${method} ${path} ${index} ${answer.status}`);
    }
  expect(uploads.length).toBeGreaterThan(3);
  expect(wrong).toEqual([]);
  expect((await client.get('/healthz')).status).toBe(200);
});
