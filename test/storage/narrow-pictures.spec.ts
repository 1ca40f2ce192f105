import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { SharpImageStudio } from '../../adapters/vendors/images/sharp-image-studio.js';
import { PICTURES, narrowWidths, srcSetOf } from '../../application/media/values.js';
import { NarrowPictures, removePicture } from '../../application/media/narrow-pictures.js';
import { SystemClock } from '../../application/shared/clock.js';
import { ObjectMissing } from '../../application/storage/object-storage.js';

const root = mkdtempSync(join(tmpdir(), 'offcut-pictures-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const storage = new DiskObjectStorage({
  root,
  publicUrl: 'http://x',
  signingKey: Buffer.alloc(32),
  clock: new SystemClock(),
});
const studio = new SharpImageStudio();
const keysOf = async (picture: string) =>
  (await storage.list({ prefix: picture.replace('.webp', '') })).objects.map(({ key }) => key);

/** Stores a full-size picture. Its noise makes the narrow versions unique. */
async function kept(folder: 'covers' | 'avatars', sigma: number): Promise<string> {
  const { fullPx } = PICTURES[folder];
  const webp = await sharp({
    create: {
      width: fullPx,
      height: fullPx,
      channels: 3,
      background: '#884422',
      noise: { type: 'gaussian', mean: 128, sigma },
    },
  })
    .webp()
    .toBuffer();
  const key = `media/${folder}/${createHash('sha256').update(webp).digest('hex')}.webp`;
  await storage.put(key, webp, { contentType: 'image/webp' });
  return key;
}

describe('pictures in other widths', () => {
  it.each(['covers', 'avatars'] as const)('%s decode in each width, each in fewer bytes', async (folder) => {
    const picture = await kept(folder, 20);
    const pictures = new NarrowPictures(storage, studio);
    let lastBytes = 0;
    for (const { name, widthPx } of narrowWidths(picture)) {
      await pictures.make(picture, widthPx);
      const webp = await buffer((await storage.get(name)).body);
      const { width, height, format } = await sharp(webp).metadata();
      expect([width, height, format]).toEqual([widthPx, widthPx, 'webp']);
      expect(webp.length).toBeGreaterThan(lastBytes);
      lastBytes = webp.length;
    }
    expect((await storage.head(picture))?.sizeBytes).toBeGreaterThan(lastBytes);
  });

  it('are made once however many ask at the same moment, and at most two at once', async () => {
    const [one, two] = [await kept('covers', 10), await kept('covers', 30)];
    let busy = 0;
    let most = 0;
    const narrowWebp = jest.fn(async (webp: Buffer, options: { widthPx: number }) => {
      most = Math.max(most, (busy += 1));
      const made = await studio.narrowWebp(webp, options);
      busy -= 1;
      return made;
    });
    const images = Object.assign(new SharpImageStudio(), { narrowWebp });
    const pictures = new NarrowPictures(storage, images);
    await Promise.all(Array.from({ length: 20 }, () => pictures.make(one, 96)));
    expect(narrowWebp).toHaveBeenCalledTimes(1);
    await Promise.all(
      [192, 320, 640].flatMap((width) => [pictures.make(one, width), pictures.make(two, width)]),
    );
    expect([narrowWebp.mock.calls.length, most]).toEqual([7, 2]);
    // Two processes do not coordinate: the version stored first stays.
    await new NarrowPictures(storage, studio).make(one, 96);
    expect(await keysOf(one)).toHaveLength(5);
  });

  it('do not exist without the picture, and one that fails keeps no turn', async () => {
    const pictures = new NarrowPictures(storage, studio);
    const absent = `media/covers/${'0'.repeat(64)}.webp`;
    await expect(pictures.make(absent, 96)).rejects.toThrow(ObjectMissing);
    const torn = `media/covers/${'1'.repeat(64)}.webp`;
    await storage.put(torn, Buffer.from('no picture'), { contentType: 'image/webp' });
    for (let tries = 0; tries < 3; tries += 1) await expect(pictures.make(torn, 96)).rejects.toThrow();
    expect(await keysOf(torn)).toEqual([torn]);
    await pictures.make(await kept('covers', 11), 96);
  });

  it('go with the picture, also those that are being made while it is removed', async () => {
    const picture = await kept('avatars', 12);
    const images = new SharpImageStudio();
    const pictures = new NarrowPictures(storage, images);
    await pictures.make(picture, 96);
    images.narrowWebp = async (webp, options) => {
      const made = await studio.narrowWebp(webp, options);
      await removePicture(storage, picture);
      return made;
    };
    await pictures.make(picture, 192);
    expect(await keysOf(picture)).toEqual([]);
  });

  it('are named to browsers for pictures of ours only', () => {
    const avatar = `/media/avatars/${'a'.repeat(64)}.webp`;
    expect(srcSetOf(avatar)?.split(', ').at(-1)).toBe(`${avatar} 512w`);
    expect(srcSetOf(avatar)).toContain(`/media/avatars/${'a'.repeat(64)}-96.webp 96w`);
    for (const other of [
      '/media/covers/x.webp',
      'https://a.example/x.webp',
      `https://a.example${avatar}`,
      `/media/previews/${'a'.repeat(64)}.webp`,
    ])
      expect(srcSetOf(other)).toBeUndefined();
  });
});
