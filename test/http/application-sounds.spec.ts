import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApplicationSounds } from '../../application/publishing/creators/application-sounds.js';
import { KnownSounds } from '../../application/publishing/sounds/known-sounds.js';
import { UnreferencedObjects } from '../../application/storage/unreferenced-objects.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { sha256, upload, wav } from '../support/publishing.js';
import { signedUpAs } from '../support/staff.js';

const SOUNDS = '/api/creator/application/sounds';
let product: TestProduct;
let admin: HttpClient;
let names = 0;

beforeAll(async () => {
  product = await startTestProduct({ AUTO_APPROVE_CREATORS: 'off' });
  admin = await signedUpAs(product, 'admin');
});
afterAll(() => product.stop());

async function named(name: string): Promise<HttpClient> {
  const client = await product.signedUp();
  await client.patch('/api/me', { displayName: `${name} ${(names += 1)}` });
  return client;
}
const send = (client: HttpClient, bytes = wav()) =>
  upload(client, SOUNDS, { bytes, name: 'Kitchen Tape.wav' });
const decide = (client: HttpClient, decision: string, body: object = {}) =>
  admin.post(`/api/admin/creator-applications/${client.userId}/${decision}`, body);
const auditioned = async (client: HttpClient) =>
  (await admin.get(`/api/admin/creator-applications/${client.userId}/history`)).body.sounds;
const sounds = async (client: HttpClient) => (await client.get(SOUNDS)).body.items as { id: string }[];
const sweep = () => product.app.get(ApplicationSounds, { strict: false }).sweep();
const keysOf = async (client: HttpClient) => {
  const { rows } = await product.resources.database.pool.query<{ key: string }>(
    'select unnest(array[original_key, preview_key]) as key from sample where creator_id = $1',
    [client.userId],
  );
  return rows.map(({ key }) => key);
};
/** Whether original and preview are stored and referred to. The daily sweep removes other previews, which uploads may share. */
const areKept = async ([original = '', preview = '']: readonly string[]) => [
  (await product.resources.storage.head(original)) !== undefined,
  !(await product.app.get(UnreferencedObjects, { strict: false }).among([preview])).has(preview),
];
const age = (client: HttpClient, days: number) =>
  Promise.all(
    ['application_pack set created_at = created_at', 'creator_standing set updated_at = updated_at'].map(
      (set) =>
        product.resources.database.pool.query(
          `update ${set} - make_interval(days => ${days}) where user_id = '${client.userId}'`,
        ),
    ),
  );

it('[APPLY-700] takes up to three sounds from applicants, also at once, and nothing else', async () => {
  const ada = await named('Ada');
  const answers = await Promise.all([send(ada), send(ada), send(ada), send(ada), send(ada)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 422, 422]);
  expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
    code: 'TooManySamples',
    limit: 3,
  });
  const [first] = await sounds(ada);
  expect((await ada.delete(`${SOUNDS}/${first?.id}`)).body.items).toHaveLength(2);
  expect((await ada.delete(`${SOUNDS}/${first?.id}`)).status).toBe(404);
  expect((await send(ada, Buffer.from('not a sound'))).body.code).toBe('UnsupportedAudioType');
  const [pack] = (await ada.get('/api/creator/packs')).body.items;
  expect(pack).toMatchObject({ status: 'draft', sampleCount: 2 });
  const other = (await ada.post('/api/creator/packs', { name: 'Mine', genre: 'Soul', mood: 'Chill' })).body
    .id;
  for (const id of [pack.id, other])
    expect((await upload(ada, `/api/creator/packs/${id}/samples`, { bytes: wav() })).status).toBe(403);
  expect((await ada.post(`/api/creator/packs/${pack.id}/publish`)).status).toBe(403);
  await ada.becomeCreator();
  await decide(ada, 'approve');
  expect((await upload(ada, `/api/creator/packs/${pack.id}/samples`, { bytes: wav() })).status).toBe(201);
  await age(ada, 400);
  await sweep();
  expect((await ada.get(`/api/creator/packs/${pack.id}`)).body.samples).toHaveLength(3);
});

it('[APPLY-701] lets administrators hear them beside the recordings in the catalogue that they resemble', async () => {
  const mia = await named('Mia');
  await mia.becomeCreator();
  await decide(mia, 'approve');
  const bytes = wav();
  const packId = (await mia.post('/api/creator/packs', { name: 'Known', genre: 'Soul', mood: 'Chill' })).body
    .id;
  const known = [bytes, wav()].map((each, index) =>
    upload(
      mia,
      `/api/creator/packs/${packId}/samples`,
      { bytes: each },
      { meta: { name: `Known ${index}` } },
    ),
  );
  const [same, alike] = (await Promise.all(known)).map(({ body }) => body.sample.id as string);
  expect((await mia.post(`/api/creator/packs/${packId}/publish`)).status).toBe(200);

  const ada = await named('Ada');
  const mine = (await send(ada, bytes)).body.items[0].id as string;
  const ada2 = (await ada.get('/api/creator/packs')).body.items[0].id as string;
  const side = { audioVersion: 1, sha256: sha256(bytes) };
  await product.app.get(KnownSounds, { strict: false }).keepPair({
    sound: { sampleId: mine, packId: ada2, creatorId: ada.userId, ...side },
    like: { sampleId: alike ?? '', packId, creatorId: mia.userId, ...side },
    by: 'fingerprint',
    tier: 'listed',
    score: 62,
    frames: { agree: 3, of: 4 },
    stretch: { fromMs: 0, toMs: 500, likeFromMs: 0, likeToMs: 500 },
    offsetMs: 0,
    speed: 1,
    pitchCents: 0,
  });
  expect(await auditioned(ada)).toEqual([]);
  await ada.post('/api/creator/application', { text: 'Tapes.' });
  const [sound] = await auditioned(ada);
  expect(sound).toMatchObject({
    id: mine,
    name: 'Kitchen Tape',
    alike: [
      {
        sampleId: same,
        title: 'Known 0',
        packTitle: 'Known',
        score: 100,
        path: expect.stringContaining('/pack/'),
      },
      { sampleId: alike, title: 'Known 1', score: 62 },
    ],
  });
});

it('[APPLY-701] lets administrators hear a sound that nothing resembles, until they have approved', async () => {
  const ada = await named('Ada');
  const { previewUrl } = (await send(ada)).body.items[0];
  const others = [product.browser(), await named('Eve')];
  const answers = async () =>
    Promise.all([admin, ada, ...others].map(async (client) => (await client.get(previewUrl)).status));
  expect(await answers()).toEqual([404, 200, 404, 404]);
  await ada.post('/api/creator/application', {});
  expect(await answers()).toEqual([200, 200, 404, 404]);
  await decide(ada, 'decline', { reason: 'Too quiet' });
  expect(await answers()).toEqual([200, 200, 404, 404]);
  await ada.post('/api/creator/application', {});
  await decide(ada, 'approve');
  expect(await answers()).toEqual([404, 200, 404, 404]);
});

it('[APPLY-702] never gives out the originals', async () => {
  const ada = await named('Ada');
  await send(ada);
  const [original = ''] = await keysOf(ada);
  const [{ id = '' } = {}] = await sounds(ada);
  for (const client of [product.browser(), await named('Eve'), admin]) {
    expect([401, 403, 404]).toContain((await client.get(`/${original}`)).status);
    expect([401, 403, 404]).toContain(
      (await client.get(`/api/storage/object?bucket=Sounds&path=${encodeURIComponent(original)}`)).status,
    );
    expect((await client.get(`/api/samples/${id}`)).status).toBe(404);
  }
});

it('[APPLY-703] deletes them 30 days after an application was declined, withdrawn or left unsent', async () => {
  const [declined, withdrawn, unsent, waiting] = [
    await named('Dan'),
    await named('Wim'),
    await named('Uma'),
    await named('Wei'),
  ];
  const all = [declined, withdrawn, unsent, waiting];
  for (const each of all) await send(each);
  for (const each of [declined, withdrawn, waiting]) await each.post('/api/creator/application', {});
  await decide(declined, 'decline', { reason: 'Too quiet' });
  expect((await withdrawn.delete('/api/creator/application')).body).toMatchObject({ status: 'none' });
  expect((await withdrawn.delete('/api/creator/application')).status).toBe(200);
  expect((await decide(withdrawn, 'approve')).status).toBe(404);
  const keys = await Promise.all(all.map(keysOf));
  await Promise.all(all.map((each) => age(each, 29)));
  await sweep();
  expect((await Promise.all(keys.map(areKept))).flat()).not.toContain(false);
  await Promise.all(all.map((each) => age(each, 2)));
  await sweep();
  expect(await Promise.all(keys.map(areKept))).toEqual([
    [false, false],
    [false, false],
    [false, false],
    [true, true],
  ]);
  expect(await sounds(declined)).toEqual([]);
  // Another application takes sounds again.
  expect((await send(declined)).status).toBe(201);
});

it('[APPLY-704] deletes them with the account of the applicant', async () => {
  const ada = await named('Ada');
  await send(ada);
  await ada.becomeCreator();
  const keys = await keysOf(ada);
  expect((await ada.delete('/api/me')).status).toBe(204);
  await sweep();
  expect(await areKept(keys)).toEqual([false, false]);
  const { rows } = await product.resources.database.pool.query(
    'select 1 from application_pack where user_id = $1',
    [ada.userId],
  );
  expect(rows).toEqual([]);
});

it('[APPLY-705] states the median time to a decision of staff, and nothing before the first', async () => {
  const time = async () => (await fresh.browser().get('/api/creator/approval-time')).body;
  const fresh = await startTestProduct({ AUTO_APPROVE_CREATORS: 'off' });
  try {
    expect(await time()).toEqual({ hours: null, decisions: 0 });
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
    const reason = { reason: '', remarkId: 'none' };
    const decided = (userId: string, hours: number, type: string, by = 'pia') => ({
      stream: `creator-${userId}`,
      expectedVersion: 0,
      events: [
        { type: 'CreatorApplied', data: { userId, at: at(0) } },
        // The answer to a question does not begin a new wait.
        { type: 'ApplicantAsked', data: { userId, by, at: at(1), ...reason } },
        { type: 'CreatorApplied', data: { userId, at: at(2) } },
        { type, data: { userId, by, at: at(hours), ...reason } },
      ],
    });
    await fresh.resources.eventStore.append(
      [
        decided('one', 3, 'CreatorApproved'),
        decided('two', 5, 'CreatorDeclined'),
        decided('three', 40, 'CreatorApproved'),
        decided('robot', 700, 'CreatorApproved', 'system:auto-approval'),
      ],
      { actor: 'pia', correlationId: 'decisions' },
    );
    expect(await time()).toEqual({ hours: 5, decisions: 3 });
  } finally {
    await fresh.stop();
  }
});
