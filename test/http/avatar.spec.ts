import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { narrowed } from '../../application/media/values.js';
import { ObjectStorage } from '../../application/storage/object-storage.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let store: TestDatabase;
let test: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({ database: store.database });
});

afterAll(async () => {
  await test?.close();
  await store?.close();
});

const picture = (red: number) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: { r: red, g: 80, b: 10 } } });

function put(browser: Awaited<ReturnType<TestApp['signedUp']>>, bytes: Buffer, name = 'me.png') {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(bytes)]), name);
  return browser.put('/api/me/avatar', undefined, { raw: form });
}

const keysOf = async () => {
  const { objects } = await test.app.get(ObjectStorage).list({ prefix: 'media/avatars/' });
  return objects.map(({ key }) => key);
};

it('[SET-02] a picture is re-encoded, shown in the session, and replaces the former one', async () => {
  const browser = await test.signedUp();
  const first = await put(browser, await picture(200).png().toBuffer());
  expect(first).toMatchObject({
    status: 200,
    body: { avatarUrl: expect.stringMatching(/^\/media\/avatars\/[0-9a-f]{64}\.webp$/) },
  });
  const storage = test.app.get(ObjectStorage);
  const narrow = (answer: typeof first) =>
    storage.put(narrowed(answer.body.avatarUrl.slice(1), 96), Buffer.from('x'), {
      contentType: 'image/webp',
    });
  await narrow(first);
  const second = await put(browser, await picture(10).jpeg().toBuffer());
  expect((await browser.get('/api/auth/session')).body.user.avatarUrl).toBe(second.body.avatarUrl);
  expect(await keysOf()).toEqual([second.body.avatarUrl.slice(1)]);
  expect((await put(browser, await picture(10).jpeg().toBuffer())).body).toEqual(second.body);
  expect(await keysOf()).toHaveLength(1);
  await narrow(second);
  await browser.delete('/api/me');
  expect(await keysOf()).toEqual([]);
});

it('[SET-02] refuses what is too large, no image, or missing, and keeps the former picture', async () => {
  const browser = await test.signedUp();
  const before = (await put(browser, await picture(1).png().toBuffer())).body.avatarUrl;
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  expect(await put(browser, svg, 'me.png')).toMatchObject({
    status: 415,
    body: { code: 'UnsupportedImageType' },
  });
  expect(await put(browser, Buffer.alloc(6 * 1024 * 1024))).toMatchObject({
    status: 413,
    body: { code: 'ImageTooLarge' },
  });
  const torn = (await picture(9).png().toBuffer()).subarray(0, 60);
  expect(await put(browser, torn)).toMatchObject({ status: 422, body: { code: 'ImageUnreadable' } });
  const empty = await browser.put('/api/me/avatar', undefined, { raw: new FormData() });
  expect(empty).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } });
  const json = await browser.put('/api/me/avatar', { image: 'x' });
  expect(json).toMatchObject({ status: 415, body: { code: 'UnsupportedMediaType' } });
  const cut = await browser.put('/api/me/avatar', undefined, {
    raw: '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nPNG',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });
  expect(cut).toMatchObject({ status: 400, body: { code: 'UploadInterrupted' } });
  expect((await browser.get('/api/auth/session')).body.user.avatarUrl).toBe(before);
});
