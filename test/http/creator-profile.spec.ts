import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { socialLink } from '../../domain/profiles/social-link.js';
import { AccountStore } from '../../application/accounts/account-store.js';
import type { FeaturedSample } from '../../application/profiles/contract.js';
import type { HttpClient } from '../support/http-client.js';
import { draftPack, startPublishingApp, upload, wav, type PublishingApp } from '../support/publishing.js';

let test: PublishingApp;
let ada: HttpClient;
let brook: HttpClient;
let candidates: FeaturedSample[];

beforeAll(async () => {
  test = await startPublishingApp();
  ada = await test.creator('ada@example.com');
  brook = await test.creator('brook@example.com');
  await published(ada, 'Loft', ['One', 'Two', 'Three']);
  await published(brook, 'Yard', ['Other']);
  await test.settled();
  candidates = (await ada.get('/api/creator/featured-candidates')).body.items;
});
afterAll(async () => test?.close());

let frequencyHz = 200;
async function published(client: HttpClient, name: string, samples: string[]): Promise<void> {
  const pack = await draftPack(client, { name });
  for (const title of samples) {
    const bytes = wav((frequencyHz += 20), 0.2);
    const path = `/api/creator/packs/${pack.id}/samples`;
    expect((await upload(client, path, { bytes }, { meta: { name: title } })).status).toBe(201);
  }
  expect((await client.post(`/api/creator/packs/${pack.id}/publish`)).status).toBe(200);
}

const save = (client: HttpClient, body: object) => client.put('/api/creator/profile', body);
const titles = (items: Array<{ title: string }>) => items.map(({ title }) => title);

async function json(key: string) {
  return JSON.parse((await test.read(key)).toString());
}

describe('the profile', () => {
  it('[FORM-06] is kept by user, answered again, shown on the public page, and mirrored to a file', async () => {
    const [first] = candidates as [FeaturedSample];
    const saved = await save(ada, {
      displayName: 'Ada Loft',
      bio: ' Tapes and rooms. ',
      twitter: '@adaloft',
      instagram: 'instagram.com/ada.loft',
      samples: [first],
    });
    expect(saved).toMatchObject({
      status: 200,
      body: {
        userId: ada.userId,
        displayName: 'Ada Loft',
        bio: 'Tapes and rooms.',
        twitter: 'adaloft',
        instagram: 'https://instagram.com/ada.loft',
        tiktok: '',
        samples: [first],
        updatedAt: '2026-11-20T12:00:00.000Z',
        savedTo: 'table',
      },
    });
    expect((await ada.get('/api/creator/profile')).body).toEqual(saved.body);
    const page = await test.browser().get(`/api/creators/${saved.body.username}`);
    expect(page.body).toMatchObject({
      displayName: 'Ada Loft',
      bio: 'Tapes and rooms.',
      twitter: 'adaloft',
      instagram: 'https://instagram.com/ada.loft',
    });
    expect(await json(`Users/${saved.body.username}/Profile/profile.json`)).toMatchObject({
      user_id: ada.userId,
      username: saved.body.username,
      display_name: 'Ada Loft',
      bio: 'Tapes and rooms.',
      samples: [{ title: first.title, pack: 'Loft', packSlug: 'loft', fileUrl: first.fileUrl }],
      updated_at: '2026-11-20T12:00:00.000Z',
    });
    // Fields that a later change omits keep their value.
    expect((await save(ada, { tiktok: 'adaloft' })).body).toMatchObject({
      twitter: 'adaloft',
      tiktok: 'adaloft',
      samples: [first],
    });
    expect((await brook.get('/api/creator/profile')).body).toMatchObject({
      bio: '',
      samples: [],
      twitter: '',
    });
  });

  it('[FORM-05] belongs to whoever is signed in', async () => {
    for (const [method, path] of [
      ['GET', 'profile'],
      ['PUT', 'profile'],
      ['PUT', 'avatar'],
      ['GET', 'featured-candidates'],
    ] as const)
      expect((await test.browser().call(method, `/api/creator/${path}`)).status).toBe(401);
    expect((await save(brook, { userId: ada.userId, bio: 'mine' })).status).toBe(400);
  });

  it.each([
    ['displayName', '   '],
    ['bio', 'x'.repeat(1_001)],
    ['twitter', 'https://evil.example/ada'],
    ['youtube', 'javascript://youtube.com/%0aalert(1)'],
  ])('[FORM-06] refuses %s %.20s and changes nothing', async (field, value) => {
    const before = (await ada.get('/api/creator/profile')).body;
    const answer = await save(ada, { [field]: value });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
    expect((await ada.get('/api/creator/profile')).body).toEqual(before);
  });
});

it('[GONE-520] saving a profile beside the deletion of its account answers 401', async () => {
  const leaving = await test.creator('leaving@example.com');
  const accounts = test.app.get(AccountStore, { strict: false });
  // The account is deleted between the check of the session and the first read.
  const find = jest.spyOn(accounts, 'findById').mockResolvedValue(undefined);
  const answer = await save(leaving, { displayName: 'Gone' });
  find.mockRestore();
  expect(answer).toMatchObject({ status: 401, body: { code: 'NotSignedIn' } });
});

describe('featured samples', () => {
  it('[FORM-02] are chosen from the own published ones, by id or file, at most 10, none twice', async () => {
    expect(titles(candidates)).toEqual(['Three', 'Two', 'One']);
    const found = async (q: string) =>
      titles((await ada.get(`/api/creator/featured-candidates?q=${encodeURIComponent(q)}`)).body.items);
    expect(await found('tWO')).toEqual(['Two']);
    expect(await found('one loft')).toEqual(['One']);
    expect(await found('%')).toEqual([]);
    expect(await found('other')).toEqual([]);
    const [three, , one] = candidates as [FeaturedSample, FeaturedSample, FeaturedSample];
    const saved = await save(ada, { samples: [{ fileUrl: one.fileUrl }, { id: three.id }] });
    expect(titles(saved.body.samples)).toEqual(['One', 'Three']);
    const twice = await save(ada, { samples: [{ id: one.id }, { fileUrl: one.fileUrl }] });
    expect(twice).toMatchObject({ status: 422, body: { code: 'FeaturedTwice' } });
    const [others] = (await brook.get('/api/creator/featured-candidates')).body.items;
    for (const sample of [{ id: others.id }, { fileUrl: others.fileUrl }, { fileUrl: 'blob:x' }, { id: 'x' }])
      expect((await save(ada, { samples: [sample] })).status).toBe(404);
    const many = Array.from({ length: 11 }, (_, n) => ({ id: `s${n}` }));
    expect((await save(ada, { samples: many })).status).toBe(400);
    expect(titles((await ada.get('/api/creator/profile')).body.samples)).toEqual(['One', 'Three']);
  });

  it('[PROF-06] come first on the public page, then the newest, and a removed one is passed over', async () => {
    const { username } = (await save(ada, { samples: [candidates[2], candidates[0]] })).body;
    const page = async () => titles((await test.browser().get(`/api/creators/${username}`)).body.samples);
    expect(await page()).toEqual(['One', 'Three', 'Two']);
    await save(ada, { samples: [candidates[1]] });
    expect((await page())[0]).toBe('Two');
    const [pack] = (await ada.get('/api/creator/packs')).body.items;
    await ada.delete(`/api/creator/packs/${pack.id}/samples/${candidates[1]?.id}`);
    await test.settled();
    expect((await page()).sort()).toEqual(['One', 'Three']);
    expect((await ada.get('/api/creator/profile')).body.samples).toEqual([]);
  });
});

describe('the avatar', () => {
  const picture = (red: number) =>
    sharp({ create: { width: 60, height: 40, channels: 3, background: { r: red, g: 80, b: 10 } } });
  const send = (client: HttpClient, bytes: Buffer) =>
    upload(client, '/api/creator/avatar', { part: 'image', name: 'me.gif', bytes }, { method: 'put' });
  const places = async () => (await test.stored()).filter((key) => /Profile\/avatar-|^avatars\//.test(key));

  it('[FORM-03] [STOR-05] is shown in the profile folder, numbered, and under the user id', async () => {
    const { username } = (await save(ada, {})).body;
    const first = await send(ada, await picture(10).gif().toBuffer());
    expect(first).toMatchObject({ status: 200, body: { success: true } });
    expect(await places()).toEqual([`Users/${username}/Profile/avatar-1.webp`, `avatars/${ada.userId}.webp`]);
    const second = await send(ada, await picture(200).jpeg().toBuffer());
    expect(second.body.avatarUrl).not.toBe(first.body.avatarUrl);
    expect(await places()).toEqual([`Users/${username}/Profile/avatar-2.webp`, `avatars/${ada.userId}.webp`]);
    expect((await ada.get('/api/creator/profile')).body.avatarUrl).toBe(second.body.avatarUrl);
  });

  it('[FORM-03] refuses svg and what is too large, in the words of the form', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const error = 'Failed to upload avatar. Please try again.';
    expect(await send(ada, svg)).toMatchObject({ status: 415, body: { error } });
    expect(await send(ada, Buffer.alloc(5 * 1024 * 1024 + 1))).toMatchObject({
      status: 413,
      body: { error },
    });
  });

  it('[STOR-05] a picture from before the first profile is shown once there is one, and goes with its person', async () => {
    const cleo = await test.creator('cleo@example.com');
    await send(cleo, await picture(90).png().toBuffer());
    expect((await places()).some((key) => key.includes(cleo.userId))).toBe(false);
    await save(cleo, { bio: 'Hello' });
    expect((await places()).some((key) => key.includes(cleo.userId))).toBe(true);
    expect((await cleo.delete('/api/me')).status).toBe(204);
    expect((await places()).some((key) => key.includes(cleo.userId))).toBe(false);
  });
});

it.each([
  ['twitter', '@@ada', 'ada'],
  ['twitter', 'x.com/ada', 'https://x.com/ada'],
  ['instagram', 'ada.loft', 'ada.loft'],
  ['instagram', 'http://www.Instagram.com/ada', 'https://www.instagram.com/ada'],
  ['tiktok', 'https://tiktok.com/@ada?lang=en', 'https://tiktok.com/@ada?lang=en'],
  ['youtube', 'youtube.com', 'https://youtube.com'],
  ['youtube', '  ', ''],
  ['twitter', 'two words', undefined],
  ['twitter', 'https://nottwitter.com/ada', undefined],
  ['twitter', 'https://twitter.com@evil.example/', undefined],
  ['twitter', 'https://twitter.com:8080/ada', undefined],
  ['twitter', 'ftp://twitter.com/ada', undefined],
  ['twitter', 'instagram.com/ada', undefined],
] as const)('[FORM-04] keeps %s %s as %s', (network, typed, kept) => {
  expect(socialLink(network, typed)).toBe(kept);
});

describe('while the table of profiles is missing', () => {
  it('[FORM-07] the profile is kept in profile.json and read from there until the table answers', async () => {
    const { pool } = test.database;
    await save(brook, { bio: 'In the table' });
    await pool.query('alter table creator_profile rename column bio to bio_away');
    try {
      const saved = await save(brook, { bio: 'In the file', youtube: '@brook' });
      expect(saved).toMatchObject({ status: 200, body: { bio: 'In the file', savedTo: 'storage' } });
      expect((await brook.get('/api/creator/profile')).body).toMatchObject({
        bio: 'In the file',
        youtube: 'brook',
        savedTo: 'storage',
      });
    } finally {
      await pool.query('alter table creator_profile rename column bio_away to bio');
    }
    expect((await brook.get('/api/creator/profile')).body).toMatchObject({
      bio: 'In the table',
      savedTo: 'table',
    });
  });
});
