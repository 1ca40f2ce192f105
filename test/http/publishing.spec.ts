import sharp from 'sharp';
import { describe, expect, it } from '@jest/globals';
import { catalogueSearch } from '../../adapters/catalogue/search/catalogue-search.js';
import { creatorStatus } from '../../adapters/publishing/creator-status.js';
import { ownPacks } from '../../adapters/publishing/own-packs.js';
import { narrowed, srcSetOf } from '../../application/media/values.js';
import type { HttpClient } from '../support/http-client.js';
import {
  draftPack,
  packOf,
  upload,
  wav,
  withPublishingApp,
  type PublishingApp,
} from '../support/publishing.js';

let test: PublishingApp;
let ada: HttpClient;
withPublishingApp((app, creator) => ([test, ada] = [app, creator]));

describe('publishing', () => {
  it('[PUB-750] needs a name that its creator chose', async () => {
    const ben = await test.creator('ben@example.com');
    const rename = (name: string) =>
      test.database.pool.query('update user_account set display_name = $2 where user_id = $1', [
        ben.userId,
        name,
      ]);
    await rename('Listener 8572');
    const pack = await draftPack(ben);
    await upload(ben, `/api/creator/packs/${pack.id}/samples`, { bytes: wav() });
    const publish = () => ben.post(`/api/creator/packs/${pack.id}/publish`);
    expect(await publish()).toMatchObject({ status: 422, body: { code: 'DisplayNameNeeded' } });
    await rename('Ben Ohm');
    expect((await publish()).status).toBe(200);
  });

  it('[PUB-770] needs a confirmed address, now and at a later time', async () => {
    const dan = await test.signedUp('dan@example.com');
    await dan.post('/api/creator/application');
    const pack = await draftPack(dan);
    await upload(dan, `/api/creator/packs/${pack.id}/samples`, { bytes: wav() });
    const publish = () => dan.post(`/api/creator/packs/${pack.id}/publish`);
    const releaseAt = new Date(test.clock.now().getTime() + 60_000).toISOString();
    const schedule = () => dan.put(`/api/creator/packs/${pack.id}/release`, { releaseAt });
    for (const ask of [publish, schedule])
      expect(await ask()).toMatchObject({ status: 422, body: { code: 'EmailConfirmationNeeded' } });
    expect(await packOf(dan, pack.id)).toMatchObject({ status: 'draft', releaseAt: null });
    await dan.confirmEmail();
    expect((await schedule()).status).toBe(200);
    expect((await publish()).status).toBe(200);
  });

  it('[PUB-760] says whether the address is confirmed, and mails its link again until it is', async () => {
    const eve = await test.signedUp('eve@example.com');
    await eve.post('/api/creator/application');
    const isConfirmed = async () => (await eve.get('/api/creator')).body.hasConfirmedEmail;
    const mails = async () => {
      const { body } = await eve.get('/dev/mailbox?format=json');
      return (body as { to: string; links: string[] }[])
        .filter(({ to, links }) => to === eve.email && links.some((link) => link.includes('verify=')))
        .map(({ links }) => new URL(String(links[0])).searchParams.get('verify'));
    };
    const ask = () => eve.patch('/api/me', { email: eve.email });
    expect(await isConfirmed()).toBe(false);
    const before = (await mails()).length;
    expect((await ask()).body.emailToConfirm).toBe(eve.email);
    const [token, ...earlier] = await mails();
    expect(earlier).toHaveLength(before);
    expect((await eve.post('/api/auth/verify-email', { token })).status).toBe(204);
    expect(await isConfirmed()).toBe(true);
    expect((await ask()).body.emailToConfirm).toBeUndefined();
    expect(await mails()).toHaveLength(before + 1);
  });

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
    // The pack is back but not new: its first date stays.
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
    // A read accepts a former address; a write does not.
    expect((await ada.post('/api/creator/packs/before/unpublish')).status).toBe(404);
  });

  it('[EDIT-07] [PUB-771] takes a cover of exactly 5 MiB as the creator’s own, and refuses one byte more', async () => {
    const pack = await draftPack(ada);
    const png = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#a33' } })
      .png()
      .toBuffer();
    const sent = (sizeBytes: number) => {
      // Bytes after the end of a picture belong to the file, not to the picture.
      const bytes = Buffer.concat([png, Buffer.alloc(sizeBytes - png.length)]);
      return upload(
        ada,
        `/api/creator/packs/${pack.id}/cover`,
        { bytes, name: 'c.png', part: 'image' },
        { method: 'put' },
      );
    };
    expect(pack.hasOwnCover).toBe(false);
    expect(await sent(5 * 1024 * 1024)).toMatchObject({ status: 200, body: { hasOwnCover: true } });
    expect(await sent(5 * 1024 * 1024 + 1)).toMatchObject({ status: 413, body: { code: 'ImageTooLarge' } });
  });

  it('[PUB-780] counts plays and downloads of each sample', async () => {
    const pack = await draftPack(ada);
    const path = `/api/creator/packs/${pack.id}`;
    const { id } = (await upload(ada, `${path}/samples`, { bytes: wav() })).body.sample;
    const { pool } = test.database;
    const days = [
      `insert into sample_reach (sample_id, day, plays) values ($1, '2026-11-01', 4), ($1, '2026-11-02', 3)`,
    ];
    for (const sql of [...days, `insert into download_count values ('sample', $1, 2, 0)`])
      await pool.query(sql, [id]);
    expect((await packOf(ada, pack.id)).samples).toMatchObject([{ plays: 7, downloads: 2 }]);
    // The rows must equal the log again.
    await pool.query('delete from download_count where id = $1', [id]);
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
    const json = JSON.parse((await test.read('Users/ada/Packs/mirror/pack.json')).toString());
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
      aiTraining: false,
      created: now,
      status: 'published',
      publishedAt: now,
      coverImage: pack.artworkUrl,
      defaultCreditCost: 1,
      packCreditCost: null,
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
          kind: null,
          origin: null,
          previewStartMs: 0,
          instruments: [],
          creditCost: 1,
          fileUrl: `/api/storage/object?bucket=Sounds&path=${encodeURIComponent(await test.keyOf(keys.at(-1) as string))}`,
        },
      ],
    });
    await ada.patch(`${path}/samples/${sample.id}`, { creditCost: 2 });
    await test.settled();
    expect(
      JSON.parse((await test.read('Users/ada/Packs/mirror/pack.json')).toString()).samples[0].creditCost,
    ).toBe(2);
  });

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

describe('[API-07] cleaning up images', () => {
  it('removes the caller’s own that no pack shows, and nothing else', async () => {
    const [one, two] = [await test.creator(), await test.creator()];
    // The same name and genre draw the same cover, which both packs show.
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
    // A new picture changes the addresses of all its widths.
    expect(srcSetOf(changed.body.artworkUrl)).toContain(`${narrowed(shown, 96)} 96w`);
    expect(srcSetOf(changed.body.artworkUrl)).not.toContain(theirs.artworkUrl.slice(0, -5));
    expect((await two.post('/api/storage/cleanup-images')).body).toEqual({ success: true, removed: 1 });
    expect(await test.stored(theirs.artworkUrl.slice(1, -5))).toEqual([]);
    expect(await test.stored(shown.slice(1, -5))).toHaveLength(2);
  });
});

describe('[FIN-18] packs, samples, status and search', () => {
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
