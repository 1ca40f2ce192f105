import { beforeAll, expect, it } from '@jest/globals';
import { ReleaseNotices } from '../../application/library/release-notices.js';
import { Notices } from '../../application/mail/notices.js';
import { ReleaseDuePacks } from '../../application/publishing/release-due-packs.js';
import type { HttpClient } from '../support/http-client.js';
import {
  draftPack,
  packOf,
  upload,
  wav,
  withPublishingApp,
  type PublishingApp,
} from '../support/publishing.js';

const HOUR_MS = 3_600_000;
let test: PublishingApp;
let ada: HttpClient;
let fan: HttpClient;
withPublishingApp((app, creator) => ([test, ada] = [app, creator]));
beforeAll(async () => {
  fan = await test.signedUp('fan@example.com');
  expect((await fan.put('/api/creators/ada/follow')).status).toBe(204);
});

const inHours = (hours: number) => new Date(test.clock.now().getTime() + hours * HOUR_MS).toISOString();
async function draft(name: string) {
  const { id } = await draftPack(ada, { name });
  const path = `/api/creator/packs/${id}`;
  const { sample } = (
    await upload(ada, `${path}/samples`, { bytes: wav() }, { meta: { name: `${name} bell` } })
  ).body;
  return { id, path, sampleId: sample.id as string, page: `/api/packs/ada/${name.toLowerCase()}` };
}
const schedule = (path: string, releaseAt: string) => ada.put(`${path}/release`, { releaseAt });
const sweep = () => test.app.get(ReleaseDuePacks, { strict: false }).run();
const inbox = async ({ userId }: HttpClient) => {
  const { items } = await test.app.get(Notices, { strict: false }).list(userId, { limit: 50 });
  return items.map(({ subject, path }) => `${subject} ${path}`);
};
/** Passes the newest publications to the reactor, as the log subscription does. */
async function react() {
  const log = await test.eventStore.readAll({ after: 0, limit: 10_000 });
  for (const event of log)
    if (event.type === 'PackPublished')
      await test.app.get(ReleaseNotices, { strict: false }).handle(event as never);
}

it('[REL-700] shows a page with previews until the release, and sells nothing before', async () => {
  const { id, path, sampleId, page } = await draft('Kettle');
  const visitor = test.browser();
  expect((await visitor.get(page)).status).toBe(404);
  for (const releaseAt of [inHours(-1), inHours(0), inHours(24 * 400)])
    expect(await schedule(path, releaseAt)).toMatchObject({
      status: 422,
      body: { code: 'ReleaseTimeRefused' },
    });
  expect((await schedule(path, 'tomorrow')).status).toBe(400);
  expect((await fan.put(`${path}/release`, { releaseAt: inHours(1) })).status).toBe(403);
  const at = inHours(5);
  expect(await schedule(path, at)).toMatchObject({ status: 200, body: { status: 'draft', releaseAt: at } });
  const { version } = (await schedule(path, at)).body;
  const teaser = await visitor.get(page);
  expect(teaser).toMatchObject({
    status: 200,
    body: { id, releaseAt: at, sampleCount: 1, samples: [{ id: sampleId, onSale: false }] },
  });
  expect(teaser.body.samples[0].previewUrl).toMatch(/^\/media\/previews\//);
  expect((await visitor.get('/api/samples?q=kettle')).body.total).toBe(0);
  expect((await visitor.get('/api/packs?limit=100')).body.total).toBe(0);
  expect((await visitor.get(`/api/samples/${sampleId}`)).status).toBe(404);
  expect((await ada.delete(`${path}/release`)).body).toMatchObject({ releaseAt: null, version: version + 1 });
  expect((await ada.delete(`${path}/release`)).body.version).toBe(version + 1);
  expect((await visitor.get(page)).status).toBe(404);
});

it('[REL-701] releases a due pack once, also when two workers look, and tells the creator and followers', async () => {
  const { id, path, page } = await draft('Pressure');
  const early = await draft('Early');
  await schedule(path, inHours(2));
  await schedule(early.path, inHours(3));
  await sweep();
  expect((await packOf(ada, id)).status).toBe('draft');
  test.clock.advance(2 * HOUR_MS);
  await Promise.all([sweep(), sweep()]);
  expect(await packOf(ada, id)).toMatchObject({ status: 'published', releaseAt: null });
  expect((await packOf(ada, early.id)).status).toBe('draft');
  const log = await test.eventStore.readAll({ after: 0, limit: 10_000 });
  const published = log.filter(
    ({ type, data }) => type === 'PackPublished' && (data as { packId: string }).packId === id,
  );
  expect(published).toHaveLength(1);
  const found = (await test.browser().get(page)).body;
  expect([found.releaseAt, found.samples[0].onSale]).toEqual([undefined, undefined]);
  expect(await schedule(path, inHours(2))).toMatchObject({
    status: 409,
    body: { code: 'PackAlreadyPublished' },
  });
  await react();
  await react();
  expect(await inbox(ada)).toContain('“Pressure” was released /creator-pack/pressure');
  expect((await inbox(fan)).filter((text) => text.includes('Pressure'))).toEqual([
    expect.stringMatching(/^“Pressure”, a new pack by .+ \/pack\/pressure\/ada$/),
  ]);
  await ada.post(`${path}/unpublish`);
  await ada.post(`${path}/publish`);
  await react();
  expect((await inbox(fan)).filter((text) => text.includes('Pressure'))).toHaveLength(1);
});

it('[REL-701] does not release what may not be published, and says why', async () => {
  const { id, path, sampleId } = await draft('Withheld');
  await schedule(path, inHours(1));
  await ada.delete(`${path}/samples/${sampleId}`);
  test.clock.advance(HOUR_MS);
  await sweep();
  expect(await packOf(ada, id)).toMatchObject({ status: 'draft', releaseAt: null });
  expect(await inbox(ada)).toContain(
    '“Withheld” was not released: Please add at least one sample before publishing /creator-pack/withheld',
  );
});

it('[PUB-770] does not release from an address that is no longer confirmed', async () => {
  const { id, path } = await draft('Postbox');
  await schedule(path, inHours(1));
  const confirm = (at: Date | null) =>
    test.database.pool.query('update user_account set email_verified_at = $2 where user_id = $1', [
      ada.userId,
      at,
    ]);
  await confirm(null);
  test.clock.advance(HOUR_MS);
  await sweep();
  await confirm(test.clock.now());
  expect(await packOf(ada, id)).toMatchObject({ status: 'draft', releaseAt: null });
  expect(await inbox(ada)).toContain(
    '“Postbox” was not released: Confirm your e-mail address before you publish /creator-pack/postbox',
  );
});

it('[REL-702] shows a draft by a secret link, which only its creator makes and ends', async () => {
  const { id, path } = await draft('Secret');
  const visitor = test.browser();
  expect((await fan.put(`${path}/preview-link`)).status).toBe(404);
  const { token } = (await ada.put(`${path}/preview-link`)).body;
  expect((await ada.put(`${path}/preview-link`)).body).toEqual({ token });
  const shown = () => visitor.get(`/api/previews/${token}`);
  const { body } = await shown();
  expect(body).toMatchObject({ id, releaseAt: null, samples: [{ onSale: false }] });
  await ada.post(`${path}/publish`);
  await test.settled();
  expect((await shown()).body).toMatchObject({ id, samples: [{ title: 'Secret bell' }] });
  expect((await shown()).body.releaseAt).toBeUndefined();
  expect((await fan.delete(`${path}/preview-link`)).status).toBe(404);
  expect((await ada.delete(`${path}/preview-link`)).status).toBe(204);
  expect((await shown()).status).toBe(404);
  expect((await visitor.get('/api/previews/x')).status).toBe(404);
});
