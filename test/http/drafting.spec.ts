import { describe, expect, it } from '@jest/globals';
import { creatorStatus } from '../../adapters/publishing/creator-status.js';
import { ownPacks } from '../../adapters/publishing/own-packs.js';
import { ReinstateCreator, SuspendCreator } from '../../application/publishing/creators/decide-on-creator.js';
import { picture } from '../support/access-calls.js';
import type { HttpClient } from '../support/http-client.js';
import { makeStems, makeZip } from '../support/zip.js';
import {
  draftPack,
  packOf,
  sha256,
  upload,
  wav,
  withPublishingApp,
  type PublishingApp,
} from '../support/publishing.js';

let test: PublishingApp;
let ada: HttpClient;
withPublishingApp((app, creator) => ([test, ada] = [app, creator]));

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

  it('[ROLE-440] stops every change of what is on sale and of the public profile, but not taking it off sale', async () => {
    const client = await test.creator();
    const pack = await draftPack(client);
    const path = `/api/creator/packs/${pack.id}`;
    const ids: string[] = [];
    for (const seconds of [0.2, 0.3])
      ids.push((await upload(client, `${path}/samples`, { bytes: wav(undefined, seconds) })).body.sample.id);
    const sample = `${path}/samples/${ids[0]}`;
    await client.post(`${path}/publish`);
    const draft = await draftPack(client, { name: 'Still a draft' });
    await test.commands.execute(new SuspendCreator(client.userId, 'root', 'theft'));
    const read = async () => [(await client.get(path)).body, (await client.get('/api/creator/profile')).body];
    const before = await read();
    const image = { bytes: picture, name: 'c.png', part: 'image' };
    const answers = [
      await client.patch(path, { description: 'While suspended' }),
      await client.patch(path, { name: 'Another name' }),
      await client.patch(path, { genre: 'Soul' }),
      await client.put(`${path}/order`, { sampleIds: [...ids].reverse() }),
      await client.post(`${path}/default-cost`, { creditCost: 5, applyToAll: false }),
      await client.post(`${path}/default-cost`, { creditCost: 5, applyToAll: true }),
      await client.patch(sample, { creditCost: 5 }),
      await client.patch(sample, { isRoyaltyFree: false }),
      await client.patch(`${path}/samples`, { changes: [{ sampleId: ids[0], name: 'Renamed' }] }),
      await upload(client, `${path}/samples`, { bytes: wav() }),
      await upload(client, `${path}/cover`, image, { method: 'put' }),
      await client.put('/api/creator/profile', { bio: 'While suspended' }),
      await upload(client, '/api/creator/avatar', image, { method: 'put' }),
      await upload(client, '/api/me/avatar', image, { method: 'put' }),
      await client.patch('/api/me', { displayName: 'While suspended' }),
      await client.put('/api/creator/ai-preference', { trains: true }),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      answers.map(() => '403 CreatorSuspended'),
    );
    expect(await read()).toEqual(before);

    expect((await client.patch(`/api/creator/packs/${draft.id}`, { description: 'Later' })).status).toBe(200);
    expect((await client.put('/api/creator/ai-preference', { trains: false })).status).toBe(200);
    expect((await client.call('DELETE', sample)).status).toBe(204);
    expect((await client.post(`${path}/unpublish`)).status).toBe(200);
    expect((await client.call('DELETE', path)).status).toBe(204);
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

describe('a name of any script', () => {
  it('[PROF-10] makes handle and folder, and everything stays reachable', async () => {
    const client = await test.signedUp();
    expect((await client.patch('/api/me', { displayName: '東京 Beats é' })).status).toBe(200);
    expect((await client.becomeCreator()).body.handle).toBe('東京_Beats_é');
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

  it('[SMOD-442] gives the former audio back, under a version of its own', async () => {
    const pack = await draftPack(ada);
    const path = `/api/creator/packs/${pack.id}/samples`;
    const { sample } = (await upload(ada, path, { bytes: wav(220), name: 'former.wav' })).body;
    const undo = (client = ada) => client.post(`${path}/${sample.id}/audio/undo`);
    expect(await undo()).toMatchObject({ status: 404 });
    await upload(
      ada,
      `${path}/${sample.id}/audio`,
      { bytes: wav(700, 1), name: 'new.wav' },
      { method: 'put' },
    );
    expect((await undo(await test.creator())).status).toBe(404);
    const back = await undo();
    expect(back).toMatchObject({ status: 200, body: { sample: { ...sample, saved: false } } });
    expect((await undo()).body.sample.filename).toBe('new.wav');
    const { rows } = await test.database.pool.query(
      'select original_key, preview_key from sample where sample_id = $1',
      [sample.id],
    );
    const gone = Object.values(rows[0] as Record<string, string>);
    await upload(
      ada,
      `${path}/${sample.id}/audio`,
      { bytes: wav(300), name: 'third.wav' },
      { method: 'put' },
    );
    for (const key of gone) await test.storage.delete(key);
    expect((await undo()).status).toBe(404);
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
    expect(await attach('stems', await makeZip({ 'index.html': Buffer.from('<script>') }))).toMatchObject({
      status: 422,
      body: { code: 'StemsRefused', detail: '“index.html” is not an audio file' },
    });
    expect((await attach('stems', await makeStems(Buffer.from('drums')))).body.sample).toMatchObject({
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

describe('[FIN-18] packs, samples and status', () => {
  it('refolded from the log equal the live rows', async () => {
    for (const projection of [ownPacks, creatorStatus])
      for (const drift of await test.projector.drift(projection)) expect(drift).toMatchObject({ rows: 0 });
  });
});
