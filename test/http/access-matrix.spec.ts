import { randomUUID } from 'node:crypto';
import { request as send } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import {
  readsSession,
  TOKEN_SCOPES,
  usualStatus,
  type Access,
  type Endpoint,
} from '../../application/shared/endpoint.js';
import { EXCEPTIONS, NOBODYS, OWNED } from '../support/access-calls.js';
import {
  absentThings,
  buildAccessWorld,
  CALLERS,
  type AccessWorld,
  type Caller,
  type Things,
} from '../support/access-world.js';
import { HttpClient, type HttpAnswer } from '../support/http-client.js';
import { breaksBooks } from '../support/invariants.js';
import { allowLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';

let product: TestProduct;
let world: AccessWorld;

beforeAll(async () => {
  product = await startTestProduct({ AUTO_APPROVE_CREATORS: 'off', STAFF_SECOND_FACTOR: 'required' });
  world = await buildAccessWorld(product);
});
afterAll(async () => {
  breaksBooks(product.resources.database, 'statements are inserted, which no bank sent', ['payouts']);
  await product.stop();
});

/** These end the caller's session, so they come last. */
const FAREWELLS = ['POST /api/auth/sign-out'];
const called = [
  ...ENDPOINTS.filter(({ key }) => !FAREWELLS.includes(key)),
  ...ENDPOINTS.filter(({ key }) => FAREWELLS.includes(key)),
];

const CREATORS: readonly Caller[] = ['other creator', 'owner'];
const STAFF: Partial<Record<Caller, Access>> = { admin: 'admin', finance: 'finance' };

/** Returns the refusal that follows from the declaration alone. */
function refusal(access: Access, caller: Caller): string | undefined {
  if (access === 'public' || !readsSession(access)) return undefined;
  if (caller === 'visitor' || caller === 'ended session') return '401 NotSignedIn';
  if (access === 'user' || STAFF[caller] === access) return undefined;
  if (access === 'creator' || access === 'payee') {
    if (caller === 'suspended creator') return access === 'payee' ? undefined : '403 CreatorSuspended';
    return CREATORS.includes(caller) ? undefined : '403 CreatorAccessRequired';
  }
  return caller === 'staff without second factor' ? '403 SecondFactorRequired' : '403 NotAllowed';
}

const PARAMETER = /[:*](\w+)/g;

/** Returns the address for a person's things. Parameters that name no owned thing get an unknown name. */
const addressFor = ({ key, path }: Endpoint, things: Things): string =>
  path.replaceAll(PARAMETER, (_, name: string) => {
    const thing = OWNED[key]?.ids?.[name] ?? (name === 'userId' ? 'userId' : undefined);
    return thing ? things[thing] : 'nowhere';
  });

function call(client: HttpClient, endpoint: Endpoint, things: Things): Promise<HttpAnswer> {
  const { key, method, body } = endpoint;
  const owned = OWNED[key];
  const headers = { 'idempotency-key': randomUUID() };
  const raw = owned?.form?.();
  // An empty array fits no endpoint: a caller who passes the access check is refused and changes nothing.
  const sent = owned?.body?.(things) ?? (body && !raw ? [] : undefined);
  return client.call(method, addressFor(endpoint, things), sent, { headers, ...(raw && { raw }) });
}

const wordsOf = ({ status, body }: HttpAnswer): string =>
  body?.code ? `${status} ${body.code}` : `${status}`;

/** Sends the address unchanged; `fetch` would normalize it. */
async function statusOf(
  client: HttpClient,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(client.url);
    send({ hostname, port, method, path, headers: { ...(cookie && { cookie }), ...headers } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}

const PASSING = /^(date|business-time|x-request-id|server-timing|ratelimit.*|set-cookie)$/;

/** Returns the answer without the parts that differ between requests, with ids replaced by their kind. */
function written({ status, headers, body }: HttpAnswer, things: Things): string {
  const kept = [...headers].filter(([name]) => !PASSING.test(name));
  const { requestId: _, ...members } = typeof body === 'object' ? body : { body };
  return Object.entries(things).reduce(
    (text, [name, id]: [string, string]) => text.replaceAll(id, `<${name}>`),
    JSON.stringify([status, kept, members]),
  );
}

it('[ROLE-30] says of every endpoint whose things it answers for', () => {
  const named = (key: string, path: string) =>
    key in OWNED || Object.keys(NOBODYS).some((prefix) => path.startsWith(prefix));
  const missing = ENDPOINTS.filter(({ key, path }) => /[:*]/.test(path) && !named(key, path)).map(
    ({ key }) => `${key}: add it to OWNED of test/support/access-calls.ts, with the ids of its parameters \
(and a thing to test/support/access-world.ts, if the owner has none yet), or to NOBODYS with the reason`,
  );
  expect(missing).toEqual([]);
  const keys = ENDPOINTS.map(({ key }): string => key);
  const paths = ENDPOINTS.map(({ path }) => path);
  expect([...Object.keys(OWNED), ...Object.keys(EXCEPTIONS)].filter((key) => !keys.includes(key))).toEqual(
    [],
  );
  expect(Object.keys(NOBODYS).filter((prefix) => !paths.some((path) => path.startsWith(prefix)))).toEqual([]);
});

describe('every endpoint', () => {
  it('[ROLE-32] [ROLE-05, PAY-10] leaves a suspended creator what is theirs, and what it earned', async () => {
    expect(await strangeAnswersAtHome('suspended creator', world.atHome)).toEqual([]);
  });

  const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override'];
  const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
    'with a slash at its end': (path) => `${path}/`,
    'with two slashes': (path) => path.replace('/', '//').replace(/\/(?=[^/]*$)/, '//'),
    'with an encoded dot': (path) => path.replace(/^\/(\w+)/, '/$1/%2e'),
    'by way of another': (path) => path.replace(/^\/(\w+)/, '/$1/x/%2e%2e'),
    'with an encoded slash': (path) => path.replace(/\/(?=[^/]*$)/, '%2f'),
    'in capitals': (path) => path.replace(/^\/\w+\/\w+/, (start) => start.toUpperCase()),
    'with an encoded letter': (path) => path.replace(/^\/a/, '/%61'),
    'with a matrix parameter': (path) => path.replace(/^\/(\w+)/, '/$1;x=1'),
    'with an extension': (path) => `${path}.json`,
  };

  it('[ROLE-33] decides the same of HEAD, and of every spelling of an address', async () => {
    const wrong: string[] = [];
    const endpoints = called.filter(({ key, method }) => key in OWNED && method === 'GET');
    for (const caller of ['visitor', 'listener'] as const)
      for (const endpoint of endpoints) {
        const path = addressFor(endpoint, world.owned);
        const plain = await statusOf(world.callers[caller], 'GET', path);
        const head = await statusOf(world.callers[caller], 'HEAD', path);
        if (head !== plain) wrong.push(`HEAD ${endpoint.path}: ${head}, not ${plain}`);
        for (const [how, spell] of Object.entries(SPELLINGS)) {
          const status = await statusOf(world.callers[caller], 'GET', spell(path));
          if (![plain, 400, 404].includes(status)) wrong.push(`${endpoint.key} ${how}: ${status}`);
        }
      }
    expect(wrong).toEqual([]);
  });

  it('[ROLE-34] takes the method from the request line alone', async () => {
    const path = `/api/creator/packs/${world.owned.packId}`;
    const { owner } = world.callers;
    for (const name of OVERRIDES)
      expect(await statusOf(owner, 'GET', `${path}?_method=DELETE`, { [name]: 'DELETE' })).toBe(200);
    const patch = await owner.post(
      path,
      { description: 'x' },
      { headers: { [OVERRIDES[0] ?? '']: 'PATCH' } },
    );
    expect(patch.status).toBe(405);
    expect((await owner.get(path)).status).toBe(200);
  });

  it.each(['owner', 'admin'] as const)(
    '[AUTH-700] lets an access token of %s do what its scopes say, and nothing else',
    async (caller) => {
      const wrong: string[] = [];
      for (const scopes of [[...TOKEN_SCOPES], ...TOKEN_SCOPES.map((scope) => [scope])]) {
        const { body } = await world.callers[caller].post('/api/tokens', { name: 'Everything', scopes });
        const program = new HttpClient(product.url, body.token as string);
        for (const endpoint of called) {
          const { key, access, scope } = endpoint;
          if (access === 'public' || !readsSession(access)) continue;
          // Ids of nothing, so that no call changes anything.
          const got = wordsOf(await call(program, endpoint, absentThings()));
          const isAllowed = scope !== undefined && scopes.includes(scope);
          if ((got === '403 TokenNotAllowed') === isAllowed || /^(401|5)/.test(got))
            wrong.push(`${scopes.join(' ')}: ${key}: ${got}`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it.each(CALLERS.filter((caller) => caller !== 'owner'))(
    '[ROLE-31] [ROLE-05] [ACC-04] lets %s in as it declares, and answers for what is another’s as for what is not there',
    async (caller) => {
      allowLog(/./);
      const client = world.callers[caller];
      const before = (await world.callers.owner.get(`/api/creator/packs/${world.owned.packId}`)).body;
      const wrong: string[] = [];
      for (const endpoint of called) {
        const { key, access } = endpoint;
        const refused = refusal(access, caller);
        const owned = OWNED[key];
        const exception = EXCEPTIONS[key];
        const excepted = exception?.to?.includes(caller) === false ? undefined : exception?.answer;
        const expected = refused ?? excepted ?? (owned && (owned.others ?? '404 NotFound'));
        const answer = await call(client, endpoint, world.owned);
        const got = wordsOf(answer);
        const isRight = expected ? got === expected : !/^(401|403|5)/.test(got);
        if (!isRight) wrong.push(`${key}: ${got}, not ${expected ?? 'let in'}`);
        if (!owned) continue;
        const absent = absentThings();
        const nothing = await call(client, endpoint, absent);
        const [theirs, none] = [written(answer, world.owned), written(nothing, absent)];
        if (theirs !== none)
          wrong.push(`${key} tells what is there: ${theirs.slice(0, 999)} and ${none.slice(0, 999)}`);
      }
      expect(wrong).toEqual([]);
      const after = (await world.callers.owner.get(`/api/creator/packs/${world.owned.packId}`)).body;
      expect(after).toEqual(before);
    },
  );
  it('[ROLE-32] gives the owner their own things', async () => {
    expect(await strangeAnswersAtHome('owner', world.owned)).toEqual([]);
  });
});

/** Returns unexpected answers that callers get for their own things. */
async function strangeAnswersAtHome(caller: Caller, things: Things): Promise<string[]> {
  const wrong: string[] = [];
  for (const [key, { own, suspended }] of Object.entries(OWNED)) {
    const endpoint = ENDPOINTS.find((each) => each.key === key) as Endpoint;
    const differs = caller === 'suspended creator' ? suspended : undefined;
    const expected = refusal(endpoint.access, caller) ?? differs ?? own ?? String(usualStatus(endpoint));
    const got = wordsOf(await call(world.callers[caller], endpoint, things));
    if (got !== expected) wrong.push(`${key}: ${got}, not ${expected}`);
  }
  return wrong;
}
