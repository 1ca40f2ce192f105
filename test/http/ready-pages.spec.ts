import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Draining } from '../../adapters/platform/http/draining.js';
import { PackQueries } from '../../adapters/catalogue/pack-queries.js';
import type { PackCard } from '../../application/catalogue/contract.js';
import { recordPack, recordPurchases } from '../support/catalogue.js';
import type { HttpClient } from '../support/http-client.js';
import { published } from '../support/pack-events.js';
import { breaksBooks } from '../support/invariants.js';
import { startPublishingApp, type PublishingApp } from '../support/publishing.js';

let test: PublishingApp;
let visitor: HttpClient;
let mira: HttpClient;
/** Calls of the reader, which are the requests that no cache answered. */
let reads: string[];
/** The reader waits for this. */
let gate: Promise<void> | undefined;
let reached = (): void => {};

beforeAll(async () => {
  test = await startPublishingApp();
  visitor = test.browser();
  mira = await test.creator('mira@example.com');
  const reader = test.app.get(PackQueries, { strict: false });
  for (const method of ['list', 'byAddress', 'sounds', 'home', 'creator', 'discover'] as const) {
    const read = reader[method].bind(reader) as (...given: unknown[]) => Promise<unknown>;
    Object.assign(reader, {
      [method]: (...given: unknown[]) => {
        reads.push(method);
        reached();
        return gate ? gate.then(() => read(...given)) : read(...given);
      },
    });
  }
});
afterAll(async () => test?.close());
beforeEach(() => {
  reads = [];
});

/** Makes the reader wait until the release. `reached` resolves once the reader is called. */
function holdReads(): { reached: Promise<void>; release(): void } {
  let release = (): void => {};
  gate = new Promise((resolve) => {
    release = () => {
      gate = undefined;
      resolve();
    };
  });
  const first = new Promise<void>((resolve) => {
    reached = resolve;
  });
  return { reached: first, release: () => release() };
}

let packs = 0;
/** Adds a pack as another process does: this process learns of it only from the log. */
async function packAppears(name: string): Promise<string> {
  const packId = `pack-${(packs += 1)}`;
  await recordPack(test.eventStore, { packId, creatorId: mira.userId, name }, [{ title: `${name} one` }]);
  await test.settled();
  return packId;
}
const titles = async (path = '/api/packs'): Promise<string[]> =>
  ((await visitor.get(path)).body.items as PackCard[]).map((pack) => pack.title).sort();

describe('pages for every visitor', () => {
  it('come from memory until an event of the log changes them, and then at once anew', async () => {
    await packAppears('First');
    expect(await titles()).toEqual(['First']);
    expect(await titles()).toEqual(['First']);
    expect(reads).toEqual(['list']);
    const second = await packAppears('Second');
    expect(await titles()).toEqual(['First', 'Second']);
    const stream = [
      {
        stream: `pack-${second}`,
        expectedVersion: 3,
        events: [{ type: 'PackUnpublished' as const, data: { packId: second, at: published().data.at } }],
      },
    ];
    await test.eventStore.append(stream, { actor: mira.userId, correlationId: 'x' });
    await test.settled();
    expect(await titles()).toEqual(['First']);
    expect(reads).toEqual(['list', 'list', 'list']);
  });

  it('[PAGE-07] follow downloads within ten seconds, and are not made anew for events that show in none of them', async () => {
    const busy = await packAppears('Busy');
    await visitor.get('/api/packs?sort=popular');
    const sold = { sampleId: `${busy}-0`, packId: busy, creatorId: mira.userId };
    breaksBooks(test.database, 'what is counted was sold without credits', [5, 7, 'owned-samples']);
    await recordPurchases(test.eventStore, sold, ['a', 'b']);
    await test.settled();
    test.clock.advance(9_999);
    await visitor.get('/api/packs?sort=popular');
    expect(reads).toEqual(['list']);
    test.clock.advance(1);
    expect((await visitor.get('/api/packs?sort=popular')).body.items[0].title).toBe('Busy');
    expect(reads).toEqual(['list', 'list']);
    await recordPack(test.eventStore, { packId: 'draft', creatorId: 'x' }, [], { draft: true });
    await test.settled();
    await visitor.get('/api/packs?sort=popular');
    expect(reads).toEqual(['list', 'list']);
  });

  it('[PAGE-07] are old for a moment for all but the one who has them made anew, and at no time for what is on sale', async () => {
    const busy = await packAppears('Slow');
    await visitor.get('/api/home');
    const sold = { sampleId: `${busy}-0`, packId: busy, creatorId: mira.userId };
    breaksBooks(test.database, 'what is counted was sold without credits', [5, 7, 'owned-samples']);
    await recordPurchases(test.eventStore, sold, ['c']);
    await test.settled();
    test.clock.advance(10_000);
    const held = holdReads();
    const maker = visitor.get('/api/home');
    await held.reached;
    const others = await Promise.all(Array.from({ length: 5 }, () => visitor.get('/api/home')));
    expect(others.map(({ status }) => status)).toEqual(Array(5).fill(200));
    await packAppears('Newer');
    const waiting = visitor.get('/api/home');
    held.release();
    expect((await maker).status).toBe(200);
    expect(JSON.stringify((await waiting).body)).toContain('Newer');
    expect(reads).toEqual(['home', 'home', 'home']);
  });

  it('[PAGE-07] follow what is not in the log as soon as it is changed, by whichever process', async () => {
    await packAppears('Named');
    await titles();
    await mira.patch('/api/me', { displayName: 'Mira Renamed' });
    expect((await visitor.get('/api/packs')).body.items[0].creator.displayName).toBe('Mira Renamed');
    await test.database.pool.query("update user_account set display_name = 'Elsewhere' where user_id = $1", [
      mira.userId,
    ]);
    expect((await visitor.get('/api/packs')).body.items[0].creator.displayName).toBe('Elsewhere');
    expect(reads).toEqual(['list', 'list', 'list']);
    await visitor.patch('/api/me', { displayName: 'Nobody' });
    await mira.patch('/api/me', { displayName: 'Elsewhere' });
    await titles();
    expect(reads).toEqual(['list', 'list', 'list']);
  });

  it('[PAGE-07] follow the calendar within a minute', async () => {
    await packAppears('Dated');
    await titles();
    test.clock.advance(59_999);
    await titles();
    test.clock.advance(1);
    await titles();
    expect(reads).toEqual(['list', 'list']);
  });

  it('[OPS-12] ask for another connection while the node drains', async () => {
    const name = await packAppears('Draining');
    expect((await visitor.get(`/api/packs/mira/${name}`)).headers.get('connection')).not.toBe('close');
    await visitor.get('/api/home');
    const draining = test.app.get(Draining, { strict: false });
    draining.isDraining = true;
    expect((await visitor.get('/api/home')).headers.get('connection')).toBe('close');
    expect(reads).toContain('home');
    draining.isDraining = false;
  });

  it('say the same as before, tagged, and are not sent twice to who has them', async () => {
    await packAppears('Tagged');
    const [made, kept] = [await visitor.get('/api/sounds'), await visitor.get('/api/sounds')];
    expect(reads).toEqual(['sounds']);
    expect(kept.body).toEqual(made.body);
    const etag = String(kept.headers.get('etag'));
    expect(made.headers.get('etag')).toBe(etag);
    expect(Object.fromEntries(kept.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, no-cache',
      vary: 'Accept-Encoding, Cookie, Authorization',
      'x-content-type-options': 'nosniff',
    });
    expect(kept.headers.get('x-request-id')).not.toBe(made.headers.get('x-request-id'));
    const known = await visitor.get('/api/sounds', { headers: { 'if-none-match': `W/${etag}, "other"` } });
    expect([known.status, known.body, known.headers.get('etag')]).toEqual([304, '', etag]);
    await packAppears('Another');
    const changed = await visitor.get('/api/sounds', { headers: { 'if-none-match': etag } });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('[OPS-71] are not made anew for what changed nothing, nor for another spelling of their address', async () => {
    await packAppears('Steady');
    await titles();
    await visitor.post('/api/nothing-here', { a: 1 });
    await visitor.post('/x');
    await visitor.post('/api/auth/sign-in', { email: 'nobody@example.com', password: 'x' });
    await mira.post('/api/creator/packs', {});
    for (const spelling of [
      '/api/packs?',
      '/api/packs?x=1',
      '/api/pack%73',
      '/api/packs/?utm=2',
      '/API/packs',
    ])
      expect(await titles(spelling)).toEqual(await titles());
    const path = '/api/creators/mira';
    for (const spelling of [path, `${path}?a=1`, `${path}/`, '/api/creators/%6Dira'])
      expect((await visitor.get(spelling)).status).toBe(200);
    expect(reads).toEqual(['list', 'creator']);
  });

  it('[DOOR-01] are not made anew for cookies and tokens that name no session', async () => {
    await packAppears('Guarded');
    await visitor.get('/api/home');
    const tokens = Array.from({ length: 50 }, (_, n) => `made-up-${n % 40}`);
    for (const carried of ['cookie', 'bearer', 'basic']) {
      const headers = (one: string): Record<string, string> =>
        carried === 'cookie'
          ? { cookie: `a=b; offcut_session=${one}` }
          : { authorization: `${carried} ${one}` };
      const answers = await Promise.all(
        tokens.map((one) => visitor.get('/api/home', { headers: headers(one) })),
      );
      for (const { status, headers: got } of answers)
        expect([status, got.get('cache-control')]).toEqual([200, 'public, no-cache']);
    }
    expect(reads).toEqual(['home']);
  });

  it('[DOOR-01] are a visitor’s again after signing out, and the owner’s with a token that was just made', async () => {
    await packAppears('Turning');
    const path = '/api/packs/mira/turning';
    const isOwn = async (cookie: string) =>
      'owned' in (await visitor.get(path, { headers: { cookie } })).body.samples[0];
    const cookieOf = (client: HttpClient) => `offcut_session=${client.cookies.get('offcut_session')}`;
    const listener = await test.signedUp();
    const [first] = [cookieOf(listener), await visitor.get(path)];
    expect(await isOwn(first)).toBe(true);
    await listener.post('/api/auth/refresh');
    expect([await isOwn(first), await isOwn(cookieOf(listener))]).toEqual([false, true]);
    const last = cookieOf(listener);
    await listener.post('/api/auth/sign-out');
    expect([await isOwn(last), await isOwn(last)]).toEqual([false, false]);
  });

  it('[DOOR-02] are not made anew for questions and encodings spelled oddly, nor for HEAD', async () => {
    await packAppears('Odd');
    const same = [
      '/api/packs',
      '/api/packs?limit=50',
      '/api/packs?limit=050',
      '/api/packs?limit=5e1',
      '/api/packs?limit=50.0&sort=samples',
      `/api/packs?${'junk=1&'.repeat(400)}`,
    ];
    for (const path of same) expect(await titles(path)).toEqual(await titles());
    expect(reads).toEqual(['list']);
    expect((await visitor.get('/api/packs?sort=new?')).status).toBe(400);
    const accepted = [
      'gzip',
      'gzip;q=0.1, x-strange',
      'GZIP ; q=1',
      'gzip, deflate, zstd;q=0.9',
      'br;q=0, gzip',
    ];
    const plain = ['identity', 'x-strange', 'gzip;q=0, br;q=0.0', '*', 'x'.repeat(2_000)];
    for (const [headers, encoding] of [
      ...accepted.map((value) => [{ 'accept-encoding': value }, 'gzip'] as const),
      ...plain.map((value) => [{ 'accept-encoding': value }, null] as const),
    ]) {
      const { body, headers: sent } = await visitor.get('/api/home', { headers });
      expect([sent.get('content-encoding'), body]).toEqual([
        encoding,
        expect.objectContaining({ hero: expect.anything() }),
      ]);
      const head = await visitor.call('HEAD', '/api/home', undefined, { headers });
      expect([head.status, head.body, head.headers.get('etag')]).toEqual([200, '', sent.get('etag')]);
    }
    expect(reads).toEqual(['list', 'home', 'home']);
  });

  it('[DOOR-02] are made by HEAD for GET too', async () => {
    await packAppears('Head');
    expect((await visitor.call('HEAD', '/api/home')).body).toBe('');
    expect((await visitor.get('/api/home')).body).toHaveProperty('featuredPacks');
    expect(reads).toEqual(['home']);
  });

  it('are counted like every other answer', async () => {
    await packAppears('Counted');
    const counted = async (): Promise<number> => {
      // Metrics are at most a second old.
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      const { body } = await visitor.get('/metrics');
      return Number(
        /^http_request_duration_seconds_count\{.*route="\/api\/discover".*\} (\d+)$/m.exec(body)?.[1] ?? 0,
      );
    };
    const before = await counted();
    for (const _ of 'abc') await visitor.get('/api/discover');
    expect(reads).toEqual(['discover']);
    expect(await counted()).toBe(before + 3);
  });

  it('come in the encoding that was asked for', async () => {
    await packAppears('Encoded');
    const plain = { headers: { 'accept-encoding': 'identity' } };
    const [zipped, unzipped] = [await visitor.get('/api/home'), await visitor.get('/api/home', plain)];
    const [again, plainAgain] = [await visitor.get('/api/home'), await visitor.get('/api/home', plain)];
    expect(plainAgain.headers.get('content-encoding')).toBeNull();
    expect(again.headers.get('content-encoding')).toBe(zipped.headers.get('content-encoding'));
    for (const answer of [unzipped, again, plainAgain]) expect(answer.body).toEqual(zipped.body);
  });

  it('are made once for all who ask at the same time', async () => {
    await packAppears('Crowd');
    const answers = await Promise.all(Array.from({ length: 40 }, () => visitor.get('/api/home')));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(reads).toEqual(['home']);
  });

  it('are never those of somebody who is signed in, nor theirs these', async () => {
    const packId = await packAppears('Mine');
    const path = '/api/packs/mira/mine';
    const listener = await test.signedUp();
    const own = (await listener.get(path)).body.samples[0];
    expect(own).toMatchObject({ id: `${packId}-0`, saved: false, owned: false });
    const seen = (await visitor.get(path)).body.samples[0];
    expect(seen).not.toHaveProperty('owned');
    expect((await listener.get(path)).body.samples[0]).toHaveProperty('owned');
    const script = await visitor.get(path, {
      headers: { authorization: `Bearer ${listener.cookies.get('offcut_session')}` },
    });
    expect(script.body.samples[0]).toHaveProperty('owned');
    expect(script.headers.get('cache-control')).toBe('no-store');
    expect(reads).toEqual(['byAddress', 'byAddress', 'byAddress', 'byAddress']);
    expect((await visitor.get(path)).body.samples[0]).not.toHaveProperty('owned');
    expect(reads).toHaveLength(4);
  });

  it('keep nothing that is not a page: absent ones, former addresses, bad questions', async () => {
    for (const [path, status] of [
      ['/api/packs/mira/nowhere', 404],
      ['/api/packs/MIRA/mine', 301],
      ['/api/packs?sort=loudest', 400],
    ] as const) {
      const [first, second] = [await visitor.get(path), await visitor.get(path)];
      expect([first.status, second.status]).toEqual([status, status]);
      expect(second.headers.get('cache-control')).toBe('no-store');
      expect(second.headers.get('etag')).toBeNull();
    }
  });
});
