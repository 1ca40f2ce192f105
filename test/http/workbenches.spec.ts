import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { erasePerson } from '../../adapters/accounts/erase-personal-data.js';
import { WORKBENCHES_LIMIT } from '../../application/library/values.js';
import { SharedWorkbench, Workbench } from '../../application/library/workbenches/contract.js';
import { recordPack } from '../support/catalogue.js';
import { HttpClient } from '../support/http-client.js';
import { startPublishingApp, type PublishingApp } from '../support/publishing.js';

const AT = '/api/workbenches';
const VERSE = { name: 'Last bus, verse', tempo: 90.5, key: 'C Minor', timeSignature: '3/4' };
const PLAIN = { gainDb: 0, pan: 0, mute: false, semitones: 0, offsetBeats: 0, loopBeats: null };
const MOVED = { gainDb: -8.5, pan: 0.34, mute: true, semitones: 3, offsetBeats: 9.25, loopBeats: 16 };

let test: PublishingApp;
let mira: HttpClient;

beforeAll(async () => {
  test = await startPublishingApp();
  mira = await test.creator('mira@example.com');
  for (const [packId, titles] of [
    ['a', ['Alpha', 'Beta']],
    ['b', ['Omega']],
  ] as const)
    await recordPack(
      test.eventStore,
      { packId, creatorId: mira.userId },
      titles.map((title, at) => ({ title, priceCredits: at + 1 })),
    );
  await recordPack(test.eventStore, { packId: 'draft', creatorId: mira.userId }, [{}], { draft: true });
  await test.settled();
});
afterAll(async () => test?.close());

const lanes = (...sampleIds: string[]) => sampleIds.map((sampleId) => ({ sampleId }));
async function created(client: HttpClient, content: object = {}): Promise<Workbench> {
  const answer = await client.post(AT, { ...VERSE, ...content });
  expect(answer.status).toBe(201);
  return Workbench.parse(answer.body);
}
const read = async (client: HttpClient, id: string): Promise<Workbench> =>
  Workbench.parse((await client.get(`${AT}/${id}`)).body);
const save = (client: HttpClient, id: string, content: object, version?: number) =>
  client.put(
    `${AT}/${id}`,
    content,
    version === undefined ? {} : { headers: { 'if-match': `"${version}"` } },
  );
const titlesIn = ({ lanes: all }: SharedWorkbench) => all.map(({ title }) => title);
const tokenIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** Changes the sample of pack b until `work` is done. */
async function withB(
  change: 'available = false' | 'taken_down = true, available = false',
  work: () => Promise<void>,
) {
  const set = (columns: string) =>
    test.database.pool.query(`update sample set ${columns} where pack_id = 'b'`);
  await set(change);
  try {
    await work();
  } finally {
    await set('available = true, taken_down = false');
  }
}

describe('workbenches', () => {
  it('[WORK-700] are created, listed, read and deleted', async () => {
    const ada = await test.signedUp();
    const id = randomUUID();
    const first = await created(ada, { id, lanes: [{ sampleId: 'a-1', ...MOVED }, ...lanes('a-0', 'a-1')] });
    expect(first).toMatchObject({
      ...VERSE,
      id,
      version: 1,
      shareUrl: null,
      lanes: [
        { sampleId: 'a-1', title: 'Beta', ...MOVED, sample: { id: 'a-1', owned: false } },
        { sampleId: 'a-0', title: 'Alpha', ...PLAIN },
        { sampleId: 'a-1' },
      ],
      // A sample in two lanes is bought once.
      totalCredits: 3,
      missingCredits: 3,
    });
    // A request that is sent again creates no second one.
    expect(await created(ada, { id, name: 'Again' })).toEqual(first);
    test.clock.advance(1);
    const empty = await created(ada, { name: 'Kettle', key: null });
    expect((await ada.get(AT)).body.items).toMatchObject([
      { id: empty.id, name: 'Kettle', key: null, laneCount: 0, isShared: false },
      { id, ...VERSE, laneCount: 3 },
    ]);
    expect(await read(ada, id)).toEqual(first);
    for (let press = 0; press < 2; press += 1) expect((await ada.delete(`${AT}/${id}`)).status).toBe(204);
    expect((await ada.get(`${AT}/${id}`)).body.code).toBe('NotFound');
    expect((await test.browser().get(AT)).status).toBe(401);
  });

  it('[WORK-700] refuse values outside the bounds, nine lanes, and more than 100', async () => {
    const ada = await test.signedUp();
    const add = (content: object) => ada.post(AT, { ...VERSE, ...content });
    for (const wrong of [
      { name: '' },
      { tempo: 39.9 },
      { key: 'H Minor' },
      { timeSignature: '4/5' },
      { id: 'mine' },
      { other: 1 },
      { lanes: lanes(...Array.from({ length: 9 }, () => 'a-0')) },
      ...[
        { gainDb: 6.1 },
        { gainDb: -60.1 },
        { pan: 1.1 },
        { pan: -1.1 },
        { mute: 'yes' },
        { semitones: 13 },
        { semitones: -13 },
        { semitones: 0.5 },
        { offsetBeats: -0.25 },
        { offsetBeats: 128.25 },
        { offsetBeats: 0.1 },
        { loopBeats: 0 },
        { loopBeats: 256.25 },
        { solo: true },
        { sampleId: '' },
      ].map((lane) => ({ lanes: [{ sampleId: 'a-0', ...lane }] })),
    ])
      expect((await add(wrong)).body.code).toBe('InvalidRequest');
    await test.database.pool.query(
      `insert into workbench (user_id, workbench_id, name, tempo, time_signature, lanes, version, created_at, updated_at)
       select $1, n, 'Song', 90, '4/4', '[]', 1, now(), now() from generate_series(2, $2) as n`,
      [ada.userId, WORKBENCHES_LIMIT],
    );
    const answers = await Promise.all([add({}), add({})]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await add({})).body.code).toBe('TooManyWorkbenches');
  });

  it('[WORK-701] keep what one of two tabs saved, and refuse the other one', async () => {
    const ada = await test.signedUp();
    const { id, version } = await created(ada);
    const content = (name: string) => ({ ...VERSE, name, lanes: lanes('a-0') });
    const answers = await Promise.all(['One', 'Two'].map((name) => save(ada, id, content(name), version)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [saved, refused] = answers.sort((a, b) => a.status - b.status);
    expect(refused?.body.code).toBe('StaleVersion');
    expect(saved?.headers.get('etag')).toBe('"2"');
    expect(await read(ada, id)).toEqual(saved?.body);
    expect(saved?.body).toMatchObject({ version: 2, lanes: [{ title: 'Alpha' }] });
    expect((await save(ada, id, content('Three'))).body).toMatchObject({ name: 'Three', version: 3 });
    expect((await save(ada, id, { name: 'Half' }, 3)).body.code).toBe('InvalidRequest');
    expect((await save(ada, id, content('Four'), 2)).body.code).toBe('StaleVersion');
    expect((await save(ada, randomUUID(), content('Five'))).body.code).toBe('NotFound');
    // A tab that keeps a deleted workbench open does not bring it back.
    await ada.delete(`${AT}/${id}`);
    expect((await save(ada, id, content('Six'), 3)).body.code).toBe('NotFound');
  });

  it('[WORK-702] take samples that the listener may hear, and keep the lane of one that left sale', async () => {
    const [ada, ben] = [await test.signedUp(), await test.signedUp()];
    for (const unknown of ['draft-0', 'nothing'])
      expect((await ada.post(AT, { ...VERSE, lanes: lanes('a-0', unknown) })).body.code).toBe(
        'SampleNotAvailable',
      );
    expect(titlesIn(await created(mira, { lanes: lanes('draft-0') }))).toEqual(['Sample 0']);
    const [mine, owners] = [
      await created(ada, { lanes: lanes('b-0', 'a-0') }),
      await created(ben, { lanes: lanes('b-0') }),
    ];
    await test.database.pool.query(
      `insert into owned_sample (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits, certificate_id, audio_version, purchased_at)
       values ($1, 'b-0', 1, 'bought', 'b', $2, 1, 'c', 1, now())`,
      [ben.userId, mira.userId],
    );
    await withB('available = false', async () => {
      const seen = await read(ada, mine.id);
      expect(seen.lanes).toMatchObject([{ title: 'Omega', sample: null }, { title: 'Alpha' }]);
      expect(seen).toMatchObject({ totalCredits: 1, missingCredits: 1 });
      const moved = seen.lanes.map(({ sampleId }) => ({ sampleId, pan: 1 }));
      expect((await save(ada, mine.id, { ...VERSE, lanes: moved })).status).toBe(200);
      expect((await ada.post(AT, { ...VERSE, lanes: lanes('b-0') })).body.code).toBe('SampleNotAvailable');
      expect((await save(ada, mine.id, { ...VERSE, lanes: lanes('draft-0') })).body.code).toBe(
        'SampleNotAvailable',
      );
      expect(await read(ben, owners.id)).toMatchObject({
        lanes: [{ sample: { id: 'b-0', owned: true } }],
        missingCredits: 0,
      });
    });
    await withB('taken_down = true, available = false', async () => {
      for (const [client, { id }] of [
        [ada, mine],
        [ben, owners],
      ] as const)
        expect((await read(client, id)).lanes[0]).toMatchObject({ title: 'Omega', sample: null });
    });
  });

  it('[WORK-704] belong to one account, are exported with it and forgotten with it', async () => {
    const [ada, ben] = [await test.signedUp(), await test.signedUp()];
    const { id } = await created(ada, { lanes: lanes('a-0') });
    for (const answer of [
      await ben.get(`${AT}/${id}`),
      await save(ben, id, VERSE),
      await ben.post(`${AT}/${id}/share`),
      await ben.delete(`${AT}/${id}/share`),
    ])
      expect(answer.body.code).toBe('NotFound');
    await ben.delete(`${AT}/${id}`);
    expect(await created(ben, { id, name: 'Mine' })).toMatchObject({ name: 'Mine', lanes: [] });
    expect(await read(ada, id)).toMatchObject(VERSE);
    expect((await ada.get('/api/me/export')).body.workbenches).toEqual([
      {
        ...VERSE,
        lanes: [{ sampleId: 'a-0', ...PLAIN }],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    const { token } = (await ada.post('/api/tokens', { name: 'Sync', scopes: ['library:read'] })).body;
    const program = new HttpClient(ada.url, token);
    expect((await program.get(`${AT}/${id}`)).status).toBe(200);
    expect((await program.delete(`${AT}/${id}`)).body.code).toBe('TokenNotAllowed');
    await test.database.transaction((_, db) => erasePerson(db, ada.userId, test.clock.now()));
    const { rows } = await test.database.pool.query('select user_id from workbench where workbench_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ user_id: ben.userId }]);
  });
});

describe('the link of a workbench', () => {
  const share = async (client: HttpClient, id: string): Promise<string> =>
    (await client.post(`${AT}/${id}/share`)).body.url;
  const seenBy = async (client: HttpClient, url: string) => client.get(`${AT}/shared/${tokenIn(url)}`);

  it('[WORK-703] plays for visitors until it ends, and does not name the owner', async () => {
    const [ada, visitor] = [await test.signedUp(), test.browser()];
    const { id, version } = await created(ada, { lanes: [{ sampleId: 'a-0', ...MOVED }, ...lanes('b-0')] });
    const url = await share(ada, id);
    expect(await share(ada, id)).toBe(url);
    expect(tokenIn(url)).toMatch(/^[\w-]{43}$/);
    expect(await read(ada, id)).toMatchObject({ shareUrl: url, version });
    expect((await ada.get(AT)).body.items).toMatchObject([{ isShared: true }]);
    const { body } = await seenBy(visitor, url);
    const shared = SharedWorkbench.parse(body);
    expect(shared).toMatchObject({
      ...VERSE,
      lanes: [{ ...MOVED, title: 'Alpha', sample: { id: 'a-0' } }, { title: 'Omega' }],
      totalCredits: 2,
      missingCredits: 2,
    });
    expect(shared.lanes[0]?.sample?.previewUrl).toContain('/media/previews/');
    expect(JSON.stringify(body)).not.toContain(ada.userId);
    expect(Object.keys(body)).not.toContain('shareUrl');
    expect((await seenBy(mira, url)).body.missingCredits).toBe(0);
    await withB('taken_down = true, available = false', async () => {
      const { lanes: heard } = SharedWorkbench.parse((await seenBy(visitor, url)).body);
      expect(heard[1]).toMatchObject({ title: 'Sample', sample: null });
    });
    expect((await ada.delete(`${AT}/${id}/share`)).status).toBe(204);
    expect((await seenBy(visitor, url)).body.code).toBe('TokenInvalid');
    expect(await share(ada, id)).not.toBe(url);
  });
});
