import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { erasePerson } from '../../adapters/accounts/erase-personal-data.js';
import { FOLLOWED_LIMIT } from '../../application/library/values.js';
import { recordPack } from '../support/catalogue.js';
import type { HttpClient } from '../support/http-client.js';
import { startPublishingApp, type PublishingApp } from '../support/publishing.js';

let test: PublishingApp;
let mira: HttpClient;
let juno: HttpClient;

const pack = (packId: string, creatorId: string, genre: 'Soul' | 'Trap', at: string, instrument = 'Piano') =>
  recordPack(
    test.eventStore,
    { packId, creatorId, name: `Pack ${packId}`, genre, mood: 'Dark' },
    [{ title: 'A <sound> & more', instruments: [instrument] }],
    { publishedAt: at },
  );
const handleOf = async (creator: HttpClient): Promise<string> =>
  (await creator.get('/api/creator/profile')).body.username;
const follow = (client: HttpClient, path: string) => client.put(`/api/${path}/follow`);
const feed = async (client: HttpClient, query = '') => (await client.get(`/api/feed?${query}`)).body;
const ids = ({ items }: { items: { pack: { id: string } }[] }) => items.map(({ pack: { id } }) => id);

beforeAll(async () => {
  test = await startPublishingApp();
  mira = await test.creator('mira.moon@example.com');
  juno = await test.creator('juno@example.com');
  await pack('soul', mira.userId, 'Soul', '2026-11-01T00:00:00.000Z');
  await pack('trap', juno.userId, 'Trap', '2026-11-02T00:00:00.000Z', '808');
  await pack('soul-2', juno.userId, 'Soul', '2026-11-03T00:00:00.000Z');
  await pack('old', mira.userId, 'Soul', '2024-01-01T00:00:00.000Z');
  await recordPack(
    test.eventStore,
    { packId: 'draft', creatorId: mira.userId, genre: 'Soul', mood: 'Dark' },
    [{}],
    {
      draft: true,
    },
  );
  await test.settled();
});
afterAll(async () => test?.close());

describe('following', () => {
  it('[LIB-710] follows creators and tags once, and leaves them', async () => {
    const ada = await test.signedUp();
    const handle = await handleOf(mira);
    for (const path of [`creators/${handle}`, `creators/${handle}`, 'tags/soul', 'tags/hi-hat', 'tags/SOUL'])
      expect((await follow(ada, path)).status).toBe(204);
    const { body } = await ada.get('/api/following');
    expect(body).toMatchObject({ creators: [{ id: mira.userId, handle }], tags: ['Hi-Hat', 'Soul'] });
    expect((await follow(ada, 'tags/polka')).body.code).toBe('NotFound');
    expect((await follow(ada, 'creators/unknown')).body.code).toBe('NotFound');
    for (let press = 0; press < 2; press += 1) {
      expect((await ada.delete(`/api/creators/${handle}/follow`)).status).toBe(204);
      expect((await ada.delete('/api/tags/Soul/follow')).status).toBe(204);
    }
    expect((await ada.get('/api/following')).body).toEqual({ creators: [], tags: ['Hi-Hat'] });
    expect((await test.browser().get('/api/following')).status).toBe(401);
  });

  it('[LIB-710] follows at most 1,000, and forgets an erased account on both sides', async () => {
    const [ada, leaver] = [await test.signedUp(), await test.creator('leaver@example.com')];
    await follow(leaver, 'tags/Soul');
    await follow(ada, `creators/${await handleOf(leaver)}`);
    await test.database.pool.query(
      `insert into follow (user_id, kind, subject, created_at)
       select $1, 'creator', 'someone-' || n, now() from generate_series(2, $2) as n`,
      [ada.userId, FOLLOWED_LIMIT],
    );
    expect((await follow(ada, 'tags/Soul')).body.code).toBe('FollowsTooMany');
    expect((await follow(ada, `creators/${await handleOf(leaver)}`)).status).toBe(204);
    await test.database.transaction((_, db) => erasePerson(db, leaver.userId, test.clock.now()));
    const { rowCount } = await test.database.pool.query('select from follow where $1 in (user_id, subject)', [
      leaver.userId,
    ]);
    expect(rowCount).toBe(0);
  });

  it('[LIB-711] lists new packs with their reasons, page by page', async () => {
    const ada = await test.signedUp();
    expect(await feed(ada)).toEqual({ items: [], nextCursor: null });
    await follow(ada, `creators/${await handleOf(mira)}`);
    await follow(ada, 'tags/Soul');
    await follow(ada, 'tags/808');
    const all = await feed(ada);
    expect(ids(all)).toEqual(['soul-2', 'trap', 'soul']);
    const { displayName } = (await mira.get('/api/creator/profile')).body;
    expect(all.items.map(({ reasons }: { reasons: string[] }) => reasons)).toEqual([
      ['Soul'],
      ['808'],
      [displayName, 'Soul'],
    ]);
    const first = await feed(ada, 'limit=2');
    const second = await feed(ada, `limit=2&cursor=${encodeURIComponent(first.nextCursor)}`);
    expect([...ids(first), ...ids(second)]).toEqual(ids(all));
    expect(second.nextCursor).toBeNull();
    await follow(mira, 'tags/Soul');
    expect(ids(await feed(mira))).toEqual(['soul-2']);
  });

  it('[LIB-712] has Atom feeds of creators and tags', async () => {
    const visitor = test.browser();
    const handle = await handleOf(mira);
    const { status, body: text, headers } = await visitor.get(`/feeds/creators/${handle}.atom`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    expect(text).toContain('<id>urn:offcut:pack:soul</id><title>Pack soul</title>');
    expect(text.match(/<entry>/g)).toHaveLength(2);
    const soul = await visitor.get('/feeds/tags/soul.atom');
    expect(soul.body.match(/urn:offcut:pack:[a-z0-9-]+/g)).toEqual([
      'urn:offcut:pack:soul-2',
      'urn:offcut:pack:soul',
      'urn:offcut:pack:old',
    ]);
    for (const path of [`creators/${handle}`, 'creators/unknown.atom', 'tags/polka.atom'])
      expect((await visitor.get(`/feeds/${path}`)).status).toBe(404);
  });
});
