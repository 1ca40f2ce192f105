import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { catalogueSearch } from '../../adapters/catalogue/search/catalogue-search.js';
import { creatorStatus } from '../../adapters/publishing/creator-status.js';
import { ownPacks } from '../../adapters/publishing/own-packs.js';
import { narrowed, srcSetOf } from '../../application/media/contract.js';
import { StorageUnavailable } from '../../application/storage/object-storage.js';
import { ReinstateCreator, SuspendCreator } from '../../application/publishing/creator-commands.js';
import { AddSample } from '../../application/publishing/pack-commands.js';
import { removeAbandonedUploads } from '../../application/publishing/samples/upload-folder.js';
import type { HttpClient } from '../support/http-client.js';
import { draftPack, startPublishingApp, upload, wav, type PublishingApp } from '../support/publishing.js';

let test: PublishingApp;
let ada: HttpClient;

beforeAll(async () => {
  test = await startPublishingApp();
  ada = await test.creator('ada@example.com');
}, 60_000);
afterAll(async () => test?.close());

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const packOf = async (client: HttpClient, id: string) => (await client.get(`/api/creator/packs/${id}`)).body;

async function read(key: string): Promise<Buffer> {
  const { body } = await test.storage.get(await test.keyOf(key));
  return Buffer.concat(await body.toArray());
}

describe('creator access', () => {
  it('[ACC-03] is given at once where configured, once, and isCreator follows', async () => {
    const client = await test.signedUp();
    expect((await client.get('/api/creator')).body).toMatchObject({ status: 'none', handle: null });
    expect(await client.post('/api/creator/application')).toMatchObject({
      status: 201,
      body: { status: 'approved', handle: expect.any(String) },
    });
    expect((await client.get('/api/auth/session')).body.user.isCreator).toBe(true);
    expect(await client.post('/api/creator/application')).toMatchObject({
      status: 409,
      body: { code: 'ApplicationExists' },
    });
  });

  it('[ACC-04] lets anybody signed in draft, but upload and publish only who is approved', async () => {
    expect((await test.browser().post('/api/creator/packs', {})).status).toBe(401);
    const client = await test.signedUp();
    const pack = await draftPack(client);
    const refused = { status: 403, body: { code: 'CreatorAccessRequired' } };
    expect(await upload(client, `/api/creator/packs/${pack.id}/samples`, { bytes: wav() })).toMatchObject(
      refused,
    );
    expect(await client.post(`/api/creator/packs/${pack.id}/publish`)).toMatchObject(refused);
  });

  it('[ACC-05] does not come with the Studio plan', async () => {
    const client = await test.signedUp();
    const pack = await draftPack(client);
    const started = {
      type: 'SubscriptionStarted',
      data: {
        userId: client.userId,
        subscriptionId: 'sub_1',
        plan: 'studio',
        periodStart: '2026-11-20T12:00:00.000Z',
        periodEnd: '2026-12-20T12:00:00.000Z',
        invoiceId: 'in_1',
      },
    };
    await test.eventStore.append(
      [{ stream: `subscription-${client.userId}`, expectedVersion: 0, events: [started] }],
      { actor: 'system:webhook', correlationId: 'x' },
    );
    const { rows } = await test.database.pool.query(
      'select plan, status from subscription where user_id = $1',
      [client.userId],
    );
    expect(rows).toEqual([{ plan: 'studio', status: 'active' }]);
    expect((await client.get('/api/auth/session')).body.user.isCreator).toBe(false);
    expect((await client.get('/api/creator')).body.status).toBe('none');
    expect((await upload(client, `/api/creator/packs/${pack.id}/samples`, { bytes: wav() })).status).toBe(
      403,
    );
  });

  it('[ROLE-05] ends with a suspension on the next request and comes back with the reinstatement', async () => {
    const client = await test.creator();
    const pack = await draftPack(client);
    const path = `/api/creator/packs/${pack.id}`;
    expect((await upload(client, `${path}/samples`, { bytes: wav() })).status).toBe(201);
    await test.commands.execute(new SuspendCreator(client.userId, 'root', 'theft'));
    const refused = { status: 403, body: { code: 'CreatorSuspended' } };
    expect(await upload(client, `${path}/samples`, { bytes: wav() })).toMatchObject(refused);
    expect(await client.post(`${path}/publish`)).toMatchObject(refused);
    await test.commands.execute(new ReinstateCreator(client.userId, 'root'));
    expect((await client.post(`${path}/publish`)).status).toBe(200);
  });
});

describe('a new pack', () => {
  it('[NEWP-03] is a draft with its date, default cost 1, no samples and a cover, in the list at once', async () => {
    const { status, body, headers } = await ada.post('/api/creator/packs', {
      name: 'Dusty Keys',
      genre: 'Expermental',
      mood: 'Chill',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: 'Dusty Keys',
      slug: 'dusty-keys',
      status: 'draft',
      genre: 'Experimental',
      defaultCreditCost: 1,
      samples: [],
      sampleCount: 0,
      createdAt: '2026-11-20T12:00:00.000Z',
      publishedAt: null,
      artworkUrl: expect.stringMatching(/^\/media\/covers\/[0-9a-f]{64}\.webp$/),
    });
    expect(headers.get('etag')).toBe(`"${body.version}"`);
    const list = (await ada.get('/api/creator/packs')).body;
    expect(list.items.map((pack: { id: string }) => pack.id)).toContain(body.id);
  });

  it('[NEWP-02] gets an address of its own', async () => {
    const client = await test.creator();
    const slugs = [];
    for (const name of ['R&B  Drums!', 'r b drums', 'R-B-DRUMS'])
      slugs.push((await draftPack(client, { name })).slug);
    expect(slugs).toEqual(['r-b-drums', 'r-b-drums-2', 'r-b-drums-3']);
    const other = await test.creator();
    expect((await draftPack(other, { name: 'R&B Drums' })).slug).toBe('r-b-drums');
  });

  it('[NEWP-01] needs name, genre and mood, and takes nothing else', async () => {
    for (const body of [
      {},
      { name: 'x', genre: 'Lofi' },
      { name: ' ', genre: 'Lofi', mood: 'Chill' },
      { name: 'x', genre: 'Polka', mood: 'Chill' },
      { name: 'x', genre: 'Lofi', mood: 'Chill', creatorId: 'somebody' },
      { name: 'x'.repeat(121), genre: 'Lofi', mood: 'Chill' },
    ])
      expect(await ada.post('/api/creator/packs', body)).toMatchObject({
        status: 400,
        body: { code: 'InvalidRequest', errors: expect.any(Array) },
      });
  });
});

describe('an upload', () => {
  it('[SMOD-08] [STOR-08] keeps the original to the byte, measures it and makes a preview', async () => {
    const pack = await draftPack(ada, { name: 'Upload One' });
    const bytes = wav(330);
    const { status, body } = await upload(
      ada,
      `/api/creator/packs/${pack.id}/samples`,
      { bytes, name: 'Felt_Keys_90bpm_Cmin.wav' },
      { meta: { instruments: ['Piano', 'Piano'], creditCost: 3 } },
    );
    expect(status).toBe(201);
    expect(body.sample).toMatchObject({
      name: 'Felt Keys',
      bpm: 90,
      key: 'C Minor',
      filename: 'Felt_Keys_90bpm_Cmin.wav',
      format: 'wav',
      sizeBytes: bytes.length,
      sha256: sha256(bytes),
      instruments: ['Piano'],
      creditCost: 3,
      isRoyaltyFree: true,
      hasStems: false,
      hasMidi: false,
      durationMs: 600,
      sampleRateHz: 44_100,
      bitDepth: 16,
    });
    expect(body.sample.waveform).toHaveLength(50);
    const [original, ...others] = await test.stored('Users/ada/Packs/upload-one/samples/');
    expect(others).toEqual([]);
    expect(original).toMatch(/^Users\/ada\/Packs\/upload-one\/samples\/\d+_[0-9a-f]+\.wav$/);
    expect(sha256(await read(original as string))).toBe(sha256(bytes));
    const preview = await read(body.sample.previewUrl.slice(1));
    expect(body.sample.previewUrl).toBe(`/media/previews/${sha256(preview)}.mp3`);
    expect(test.temporaryFiles()).toEqual([]);
  });

  it('is added once per upload id, also when sent twice at once, and tells its progress', async () => {
    const pack = await draftPack(ada);
    const uploadId = '5f0c7a52-4a51-4d0b-9d5b-0d6a0f7d3b11';
    const path = `/api/creator/packs/${pack.id}/samples`;
    const send = () =>
      upload(ada, `${path}?uploadId=${uploadId}`, { bytes: wav(440) }, { meta: { uploadId } });
    const [one, two] = await Promise.all([send(), send()]);
    const three = await send();
    expect([one.status, two.status, three.status]).toEqual([201, 201, 201]);
    expect(new Set([one, two, three].map((answer) => answer.body.sample.id)).size).toBe(1);
    expect((await packOf(ada, pack.id)).sampleCount).toBe(1);
    expect(await test.stored(`Users/ada/Packs/${pack.slug}/samples/`)).toHaveLength(1);
    expect(test.temporaryFiles()).toEqual([]);
    expect((await ada.get(`/api/creator/uploads/${uploadId}`)).body).toEqual({ phase: 'done', share: 1 });
    const other = await test.creator();
    expect((await other.get(`/api/creator/uploads/${uploadId}`)).status).toBe(404);
  });

  it('[STOR-09] as bare AAC is only taken from an import', async () => {
    const pack = await draftPack(ada);
    const bytes = readFileSync(new URL('../audio/fixtures/stream.aac', import.meta.url));
    const take = (isImport: boolean) => {
      const path = join(test.config.dataDir, 'given.aac');
      writeFileSync(path, bytes);
      const file = { path, filename: 'given.aac', sizeBytes: bytes.length, sha256: sha256(bytes) };
      return test.commands.execute(
        new AddSample({ packId: pack.id, userId: ada.userId, file, isImport }, {}),
      );
    };
    expect(await take(false)).toEqual({ accepted: false, rejection: { code: 'UnsupportedAudioType' } });
    expect(await take(true)).toMatchObject({ accepted: true, sample: { format: 'aac', name: 'given' } });
  });

  it('[ROLE-03] goes into nobody else’s pack', async () => {
    const pack = await draftPack(ada);
    const other = await test.creator();
    expect(await upload(other, `/api/creator/packs/${pack.id}/samples`, { bytes: wav() })).toMatchObject({
      status: 404,
      body: { code: 'NotFound' },
    });
    for (const [method, path, body] of [
      ['get', '', undefined],
      ['patch', '', { name: 'Mine' }],
      ['delete', '', undefined],
      ['post', '/publish', undefined],
      ['post', '/unpublish', undefined],
      ['put', '/order', { sampleIds: [] }],
      ['post', '/default-cost', { creditCost: 2 }],
    ] as const)
      expect(
        await other.call(method.toUpperCase(), `/api/creator/packs/${pack.id}${path}`, body),
      ).toMatchObject({ status: 404 });
    expect(await packOf(ada, pack.id)).toMatchObject({ version: pack.version, title: pack.title });
  });
});

describe('a name of any script', () => {
  it('[PROF-10] makes handle and folder, and everything stays reachable', async () => {
    const client = await test.signedUp();
    expect((await client.patch('/api/me', { displayName: '東京 Beats é' })).status).toBe(200);
    expect((await client.post('/api/creator/application')).body.handle).toBe('東京_Beats_é');
    const pack = await draftPack(client, { name: 'Neon ネオン' });
    expect(pack.slug).toBe('neon');
    const path = `/api/creator/packs/${pack.id}`;
    expect(
      (await upload(client, `${path}/samples`, { bytes: wav(), name: 'ネオン_鐘.wav' })).body.sample,
    ).toMatchObject({ name: 'ネオン 鐘', filename: 'ネオン_鐘.wav' });
    expect((await client.post(`${path}/publish`)).status).toBe(200);
    const page = await test.browser().get(`/api/packs/${encodeURIComponent('東京_Beats_é')}/neon`);
    expect(page).toMatchObject({ status: 200, body: { samples: [{ title: 'ネオン 鐘' }] } });
    expect((await test.browser().get(`/api/samples?q=${encodeURIComponent('東京')}`)).body.total).toBe(1);
    expect(await test.stored('Users/東京_Beats_é/Packs/neon/samples/')).toHaveLength(1);
  });
});

it('[PROF-10] a folder stays with whom it was made for, also when the handle is free again', async () => {
  const named = async () => {
    const client = await test.signedUp();
    await client.patch('/api/me', { displayName: 'Echo Room' });
    expect((await client.post('/api/creator/application')).body.handle).toBe('Echo_Room');
    expect((await draftPack(client, { name: 'Walls' })).slug).toBe('walls');
    return client;
  };
  const former = await named();
  expect((await former.delete('/api/me')).status).toBe(204);
  await named();
  expect(await test.stored('Users/Echo_Room/Packs/walls/covers/')).toHaveLength(1);
  expect(
    await test.stored(`Users/deleted_${former.userId.replaceAll('-', '').slice(0, 12)}/Packs/walls/covers/`),
  ).toHaveLength(1);
});

describe('what a killed process left of uploads', () => {
  it('is removed when it is old, and only then', async () => {
    const folder = join(test.config.dataDir, 'uploads');
    mkdirSync(folder, { recursive: true });
    for (const name of ['old', 'young']) writeFileSync(join(folder, name), 'x');
    const now = new Date();
    utimesSync(join(folder, 'old'), now, new Date(now.getTime() - 2 * 60 * 60_000));
    expect(await removeAbandonedUploads(folder, now)).toBe(1);
    expect(test.temporaryFiles()).toEqual(['young']);
    rmSync(join(folder, 'young'));
    expect(await removeAbandonedUploads(join(folder, 'nowhere'), now)).toBe(0);
  });
});

describe('editing', () => {
  it('[API-13] answers versions, and refuses a stale one', async () => {
    const pack = await draftPack(ada, { name: 'Versions' });
    const path = `/api/creator/packs/${pack.id}`;
    const change = (version: number, mood: string) =>
      ada.patch(path, { mood }, { headers: { 'if-match': `"${version}"` } });
    const changed = await change(pack.version, 'Dark');
    expect(changed).toMatchObject({ status: 200, body: { mood: 'Dark', version: pack.version + 1 } });
    expect(changed.headers.get('etag')).toBe(`"${pack.version + 1}"`);
    expect(await change(pack.version, 'Dreamy')).toMatchObject({
      status: 409,
      body: { code: 'StaleVersion', version: pack.version + 1 },
    });
    expect(await change(999, 'Dreamy')).toMatchObject({ status: 409, body: { code: 'StaleVersion' } });
    expect(await packOf(ada, pack.id)).toMatchObject({ mood: 'Dark' });
    expect(
      (await upload(ada, `${path}/samples`, { bytes: wav() }, { headers: { 'if-match': '"1"' } })).status,
    ).toBe(409);
    expect(await test.stored(`Users/ada/Packs/versions/samples/`)).toEqual([]);
    expect(test.temporaryFiles()).toEqual([]);
  });

  it('[API-13] of two writes on one version at once exactly one counts; without versions all count', async () => {
    const pack = await draftPack(ada);
    const path = `/api/creator/packs/${pack.id}`;
    const write = (mood: string) =>
      ada.patch(path, { mood }, { headers: { 'if-match': `"${pack.version}"` } });
    const answers = await Promise.all([write('Dark'), write('Dreamy')]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    const uploads = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        upload(ada, `${path}/samples`, { bytes: wav(200 + 10 * index) }),
      ),
    );
    expect(uploads.map((answer) => answer.status)).toEqual(Array(8).fill(201));
    expect((await packOf(ada, pack.id)).sampleCount).toBe(8);
  });

  it('[API-13] of facts changed by different people at once each stays', async () => {
    for (const mood of ['Dark', 'Dreamy', 'Funky']) {
      const { id } = await draftPack(ada);
      const facts = [{ name: `Late ${mood}` }, { description: `All ${mood}` }, { mood }];
      await Promise.all(facts.map((fact) => ada.patch(`/api/creator/packs/${id}`, fact)));
      expect(await packOf(ada, id)).toMatchObject({
        title: `Late ${mood}`,
        description: `All ${mood}`,
        mood,
      });
    }
  });

  it('changes, reorders and removes samples', async () => {
    const pack = await draftPack(ada);
    const path = `/api/creator/packs/${pack.id}`;
    const ids: string[] = [];
    for (const frequencyHz of [200, 300, 400])
      ids.push((await upload(ada, `${path}/samples`, { bytes: wav(frequencyHz) })).body.sample.id);
    const [a, b, c] = ids as [string, string, string];
    const changed = await ada.patch(`${path}/samples/${a}`, {
      name: 'Bell',
      bpm: 100,
      key: null,
      creditCost: 5,
      instruments: ['Mallets'],
      isRoyaltyFree: false,
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        sample: {
          name: 'Bell',
          bpm: 100,
          key: null,
          creditCost: 5,
          instruments: ['Mallets'],
          isRoyaltyFree: false,
        },
      },
    });
    for (const body of [
      { creditCost: 0 },
      { creditCost: 6 },
      { bpm: 1.5 },
      { key: 'H Minor' },
      { instruments: ['Kazoo'] },
      { sha256: 'x' },
    ])
      expect((await ada.patch(`${path}/samples/${a}`, body)).status).toBe(400);
    expect((await ada.patch(`${path}/samples/nope`, { bpm: 1 })).status).toBe(404);
    const order = async (...sampleIds: string[]) => ada.put(`${path}/order`, { sampleIds });
    expect((await order(c, a, b)).body.samples.map((sample: { id: string }) => sample.id)).toEqual([c, a, b]);
    expect(await order(c, a)).toMatchObject({ status: 409, body: { code: 'SampleOrderMismatch' } });
    expect((await ada.delete(`${path}/samples/${a}`)).status).toBe(204);
    expect((await ada.delete(`${path}/samples/${a}`)).status).toBe(404);
    expect((await packOf(ada, pack.id)).samples.map((sample: { id: string }) => sample.id)).toEqual([c, b]);
  });

  it('[EDIT-08] sets a default cost of 1 to 5, on request for all samples', async () => {
    const pack = await draftPack(ada);
    const path = `/api/creator/packs/${pack.id}`;
    await upload(ada, `${path}/samples`, { bytes: wav() });
    const set = (body: object) => ada.post(`${path}/default-cost`, body);
    expect((await set({ creditCost: 4 })).body).toMatchObject({
      defaultCreditCost: 4,
      samples: [{ creditCost: 1 }],
    });
    expect((await set({ creditCost: 4, applyToAll: true })).body).toMatchObject({
      samples: [{ creditCost: 4 }],
    });
    expect((await upload(ada, `${path}/samples`, { bytes: wav(500) })).body.sample.creditCost).toBe(4);
    for (const creditCost of [0, 6, 2.5, '3']) expect((await set({ creditCost })).status).toBe(400);
  });

  it('replaces audio under the same id, with the new file’s facts', async () => {
    const pack = await draftPack(ada);
    const path = `/api/creator/packs/${pack.id}/samples`;
    const { sample } = (await upload(ada, path, { bytes: wav(220) })).body;
    const bytes = wav(700, 1);
    const replaced = await upload(
      ada,
      `${path}/${sample.id}/audio`,
      { bytes, name: 'new.wav' },
      { method: 'put' },
    );
    expect(replaced).toMatchObject({
      status: 200,
      body: {
        sample: {
          id: sample.id,
          name: sample.name,
          sha256: sha256(bytes),
          durationMs: 1_000,
          filename: 'new.wav',
        },
      },
    });
    expect(await test.stored(`Users/ada/Packs/${pack.slug}/samples/`)).toHaveLength(2);
  });

  it('[SMOD-08] attaches stems and MIDI, and only those', async () => {
    const pack = await draftPack(ada);
    const path = `/api/creator/packs/${pack.id}/samples`;
    const { sample } = (await upload(ada, path, { bytes: wav() })).body;
    const attach = (kind: string, bytes: Buffer) =>
      upload(ada, `${path}/${sample.id}/${kind}`, { bytes, name: 'x.bin', part: 'file' }, { method: 'put' });
    expect(await attach('stems', wav())).toMatchObject({
      status: 415,
      body: { code: 'UnsupportedAttachment' },
    });
    expect((await attach('stems', Buffer.from('PK\x03\x04 and so on', 'latin1'))).body.sample).toMatchObject({
      hasStems: true,
      hasMidi: false,
    });
    expect((await attach('midi', Buffer.from('MThd....'))).body.sample).toMatchObject({
      hasStems: true,
      hasMidi: true,
    });
    expect(test.temporaryFiles()).toEqual([]);
    expect(await test.stored(`Users/ada/Packs/${pack.slug}/stems/`)).toHaveLength(1);
  });
});

describe('publishing', () => {
  it('[PUB-01] needs a sample', async () => {
    const pack = await draftPack(ada);
    expect(await ada.post(`/api/creator/packs/${pack.id}/publish`)).toMatchObject({
      status: 422,
      body: { code: 'PackHasNoSamples', title: 'Please add at least one sample before publishing' },
    });
    expect(await packOf(ada, pack.id)).toMatchObject({ status: 'draft', publishedAt: null });
  });

  it('[PUB-02] [PUB-04] [PUB-05] shows the pack to everybody at once, and hides it again', async () => {
    const pack = await draftPack(ada, { name: 'Zanzibar Nights' });
    const path = `/api/creator/packs/${pack.id}`;
    const { sample } = (
      await upload(ada, `${path}/samples`, { bytes: wav() }, { meta: { name: 'Zanzibar Bell' } })
    ).body;
    const visitor = test.browser();
    const visible = async () => {
      const [found, packs, page, one, suggested, swipe] = await Promise.all([
        visitor.get('/api/samples?q=zanzibar'),
        visitor.get('/api/packs?limit=100'),
        visitor.get('/api/packs/ada/zanzibar-nights'),
        visitor.get(`/api/samples/${sample.id}`),
        visitor.get('/api/search/suggestions?q=zanzi'),
        visitor.get('/api/swipe?limit=50'),
      ]);
      const has = (items: Array<{ id: string }>, id: string): boolean => items.some((item) => item.id === id);
      return [
        found.body.total === 1,
        has(packs.body.items, pack.id),
        page.status === 200,
        one.status === 200,
        suggested.body.items.length > 0,
        has(swipe.body.items, sample.id),
      ];
    };
    const nowhere = Array<boolean>(6).fill(false);
    expect(await visible()).toEqual(nowhere);
    const published = await ada.post(`${path}/publish`);
    expect(published).toMatchObject({
      status: 200,
      body: { status: 'published', publishedAt: '2026-11-20T12:00:00.000Z' },
    });
    expect(await visible()).toEqual(nowhere.map(() => true));
    expect(await ada.post(`${path}/publish`)).toMatchObject({
      status: 409,
      body: { code: 'PackAlreadyPublished' },
    });
    expect((await ada.post(`${path}/unpublish`)).body.status).toBe('unpublished');
    await test.settled();
    expect(await visible()).toEqual(nowhere);
    expect(await ada.post(`${path}/unpublish`)).toMatchObject({
      status: 409,
      body: { code: 'PackNotPublished' },
    });
    test.clock.advance(86_400_000);
    // Back again, but not new: its first date stays.
    expect(await ada.post(`${path}/publish`)).toMatchObject({
      status: 200,
      body: { publishedAt: published.body.publishedAt },
    });
    expect(await visible()).toEqual(nowhere.map(() => true));
  });

  it('[EDIT-20] leads from a former address of its own pack to the present one, for its creator only', async () => {
    const pack = await draftPack(ada, { name: 'Before' });
    await ada.patch(`/api/creator/packs/${pack.id}`, { name: 'After' });
    expect(await ada.get('/api/creator/packs/before')).toMatchObject({
      status: 200,
      body: { id: pack.id, slug: 'after' },
    });
    expect((await (await test.creator()).get('/api/creator/packs/before')).status).toBe(404);
    // A write names what it changes: a former address is not enough.
    expect((await ada.post('/api/creator/packs/before/unpublish')).status).toBe(404);
  });

  it('[EDIT-07] takes a cover of exactly 5 MiB, and refuses one byte more', async () => {
    const pack = await draftPack(ada);
    const png = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#a33' } })
      .png()
      .toBuffer();
    const sent = (sizeBytes: number) => {
      // What follows the end of a picture belongs to the file, not to the picture.
      const bytes = Buffer.concat([png, Buffer.alloc(sizeBytes - png.length)]);
      return upload(
        ada,
        `/api/creator/packs/${pack.id}/cover`,
        { bytes, name: 'c.png', part: 'image' },
        { method: 'put' },
      );
    };
    expect((await sent(5 * 1024 * 1024)).status).toBe(200);
    expect(await sent(5 * 1024 * 1024 + 1)).toMatchObject({ status: 413, body: { code: 'ImageTooLarge' } });
  });

  it('[EDIT-11] [API-06] deletes: gone from every list, its file kept for buyers', async () => {
    const pack = await draftPack(ada, { name: 'To Go' });
    const path = `/api/creator/packs/${pack.id}`;
    await upload(ada, `${path}/samples`, { bytes: wav() });
    await ada.post(`${path}/publish`);
    const call = (client: HttpClient, body: object) => client.delete('/api/packs', body);
    const mine = { slug: 'to-go', userId: ada.userId, userFolder: 'ada' };
    expect((await call(test.browser(), mine)).status).toBe(401);
    for (const wrong of [
      { ...mine, userId: 'anonymous' },
      { ...mine, userFolder: 'mallory' },
    ])
      expect(await call(ada, wrong)).toMatchObject({
        status: 403,
        body: { code: 'NotAllowed', error: expect.any(String) },
      });
    const other = await test.creator();
    expect((await call(other, mine)).status).toBe(403);
    expect((await call(other, { ...mine, userId: other.userId })).status).toBe(404);
    expect(await call(ada, mine)).toMatchObject({ status: 200, body: { success: true } });
    await test.settled();
    expect((await ada.get(path)).status).toBe(404);
    expect((await test.browser().get('/api/packs/ada/to-go')).status).toBe(404);
    expect(await ada.post(`${path}/publish`)).toMatchObject({ status: 410, body: { code: 'PackDeleted' } });
    expect(await upload(ada, `${path}/samples`, { bytes: wav() })).toMatchObject({
      status: 410,
      body: { code: 'PackDeleted' },
    });
    expect(await test.stored('Users/ada/Packs/to-go/samples/')).toHaveLength(1);
    expect(await test.stored('Users/ada/Packs/to-go/pack.json')).toEqual([]);
    expect((await ada.delete(path)).status).toBe(204);
  });

  it('[STOR-04] [STOR-06] [STOR-07] mirrors pack.json beside covers and samples', async () => {
    const now = test.clock.now().toISOString();
    const pack = await draftPack(ada, { name: 'Mirror', description: 'Shiny' });
    const path = `/api/creator/packs/${pack.id}`;
    const { sample } = (await upload(ada, `${path}/samples`, { bytes: wav() })).body;
    await ada.post(`${path}/publish`);
    await test.settled();
    const keys = await test.stored('Users/ada/Packs/mirror/');
    expect(keys.map((key) => key.split('/').slice(4, -1).join('/') || key.split('/').at(-1))).toEqual([
      'covers',
      'pack.json',
      'samples',
    ]);
    const json = JSON.parse((await read('Users/ada/Packs/mirror/pack.json')).toString());
    expect(json).toEqual({
      name: 'Mirror',
      genre: 'Lofi',
      mood: 'Chill',
      description: 'Shiny',
      slug: 'mirror',
      creator: 'ada',
      creatorId: ada.userId,
      creatorHandle: 'ada',
      creatorSanitized: 'ada',
      creatorFolder: 'ada',
      created: now,
      status: 'published',
      publishedAt: now,
      coverImage: pack.artworkUrl,
      defaultCreditCost: 1,
      samples: [
        {
          id: sample.id,
          title: 'Felt Keys',
          name: 'Felt Keys',
          duration: '0:01',
          key: 'C Minor',
          bpm: 90,
          hasStems: false,
          hasMidi: false,
          isRoyaltyFree: true,
          instruments: [],
          creditCost: 1,
          fileUrl: `/api/storage/object?bucket=Sounds&path=${encodeURIComponent(await test.keyOf(keys.at(-1) as string))}`,
        },
      ],
    });
    await ada.patch(`${path}/samples/${sample.id}`, { creditCost: 2 });
    await test.settled();
    expect(
      JSON.parse((await read('Users/ada/Packs/mirror/pack.json')).toString()).samples[0].creditCost,
    ).toBe(2);
  });
});

describe('[API-07] cleaning up images', () => {
  it('removes the caller’s own that no pack shows, and nothing else', async () => {
    const [one, two] = [await test.creator(), await test.creator()];
    // The same name and genre: the same drawn cover, shown by both.
    const [mine, theirs] = [await draftPack(one, { name: 'Same' }), await draftPack(two, { name: 'Same' })];
    expect(mine.artworkUrl).toBe(theirs.artworkUrl);
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const cover = (client: HttpClient, id: string) =>
      upload(
        client,
        `/api/creator/packs/${id}/cover`,
        { bytes: png, name: 'c.png', part: 'image' },
        { method: 'put' },
      );
    const shown = (await cover(one, mine.id)).body.artworkUrl;
    expect((await test.browser().post('/api/storage/cleanup-images')).status).toBe(401);
    expect((await one.post('/api/storage/cleanup-images')).body).toEqual({ success: true, removed: 1 });
    expect((await one.post('/api/storage/cleanup-images')).body).toEqual({ success: true, removed: 0 });
    expect((await two.post('/api/storage/cleanup-images')).body).toEqual({ success: true, removed: 0 });
    for (const url of [shown, theirs.artworkUrl]) expect(await test.stored(url.slice(1))).toHaveLength(1);
    for (const url of [shown, theirs.artworkUrl])
      await test.storage.put(narrowed(url.slice(1), 96), Buffer.from('narrow'), {
        contentType: 'image/webp',
      });
    const changed = await cover(two, theirs.id);
    expect(changed.status).toBe(200);
    // Another picture: all its widths have other addresses.
    expect(srcSetOf(changed.body.artworkUrl)).toContain(`${narrowed(shown, 96)} 96w`);
    expect(srcSetOf(changed.body.artworkUrl)).not.toContain(theirs.artworkUrl.slice(0, -5));
    expect((await two.post('/api/storage/cleanup-images')).body).toEqual({ success: true, removed: 1 });
    expect(await test.stored(theirs.artworkUrl.slice(1, -5))).toEqual([]);
    expect(await test.stored(shown.slice(1, -5))).toHaveLength(2);
  });
});

describe('when storage fails', () => {
  it.each(['/samples/', 'media/previews/'])(
    'at %s, an upload leaves nothing and may be sent again',
    async (place) => {
      const pack = await draftPack(ada);
      const path = `/api/creator/packs/${pack.id}/samples`;
      const bytes = wav(place.length * 50 + 5);
      await test.settled();
      const before = await test.stored();
      const put = test.storage.put.bind(test.storage);
      test.storage.put = async (key, body, options) => {
        const stored = await put(key, body, options);
        // The worst moment: the object is there, its answer is lost.
        if (key.includes(place)) throw new StorageUnavailable('lost');
        return stored;
      };
      try {
        expect(await upload(ada, path, { bytes })).toMatchObject({ status: 503 });
      } finally {
        test.storage.put = put;
      }
      const left = (await test.stored()).filter((key) => !before.includes(key));
      expect(left).toEqual([]);
      expect(test.temporaryFiles()).toEqual([]);
      expect((await packOf(ada, pack.id)).sampleCount).toBe(0);
      expect((await upload(ada, path, { bytes })).status).toBe(201);
    },
  );

  it('[PUB-03] a publish that cannot be recorded leaves the pack as it was', async () => {
    const pack = await draftPack(ada);
    const path = `/api/creator/packs/${pack.id}`;
    await upload(ada, `${path}/samples`, { bytes: wav() });
    const append = test.eventStore.append.bind(test.eventStore);
    test.eventStore.append = async () => {
      throw new Error('the database is gone');
    };
    try {
      expect((await ada.post(`${path}/publish`)).status).toBe(500);
    } finally {
      test.eventStore.append = append;
    }
    expect(await packOf(ada, pack.id)).toMatchObject({ status: 'draft', publishedAt: null });
    expect((await ada.post(`${path}/publish`)).status).toBe(200);
  });
});

describe('[FIN-18] packs, samples, standing and search', () => {
  it('refolded from the log equal the live rows, and a row tampered with is noticed', async () => {
    await test.settled();
    for (const projection of [ownPacks, creatorStatus, catalogueSearch])
      for (const drift of await test.projector.drift(projection)) expect(drift).toMatchObject({ rows: 0 });
    await test.database.pool.query(
      `update sample set price_credits = 77 where sample_id = (select min(sample_id) from sample)`,
    );
    expect(await test.projector.drift(ownPacks)).toContainEqual({ table: 'sample', rows: 2 });
    await test.projector.rebuild(ownPacks);
    expect(await test.projector.drift(ownPacks)).toEqual([
      { table: 'pack', rows: 0 },
      { table: 'sample', rows: 0 },
    ]);
  });
});
