import { describe, expect, it } from '@jest/globals';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { SharpImageStudio } from '../../adapters/vendors/images/sharp-image-studio.js';

const studio = new SharpImageStudio();
const all = { sizePx: 64, accepts: ['jpeg', 'png', 'webp', 'gif'], limitBytes: 5 * 1024 * 1024 } as const;

/** Left half red, right half blue, so that tests can detect rotation and cropping. */
const picture = (width = 120, height = 80) =>
  sharp({ create: { width, height, channels: 3, background: '#ff0000' } }).composite([
    {
      input: {
        create: { width: Math.floor(width / 2), height, channels: 3, background: '#0000ff' },
      },
      left: Math.ceil(width / 2),
      top: 0,
    },
  ]);

async function drawn(bytes: Buffer) {
  const result = await studio.squareWebp(bytes, all);
  if (!result.accepted) throw new Error(result.rejection.code);
  const { data, info } = await sharp(result.webp).raw().toBuffer({ resolveWithObject: true });
  const colourAt = (x: number, y: number) => {
    const at = (y * info.width + x) * info.channels;
    const [red = 0, , blue = 0] = data.subarray(at, at + 3);
    return red > 200 && blue < 60 ? 'red' : blue > 200 && red < 60 ? 'blue' : 'other';
  };
  return { ...result, info, colourAt };
}

describe('re-encoding', () => {
  it.each([
    ['jpeg', () => picture().jpeg({ quality: 95 })],
    ['png', () => picture().png()],
    ['webp', () => picture().webp({ quality: 95 })],
    ['gif', () => picture().gif()],
  ] as const)('turns %s into a square WebP named by its content', async (_, encode) => {
    const image = await drawn(await encode().toBuffer());
    expect(image.webp.toString('latin1', 8, 12)).toBe('WEBP');
    expect(image.info).toMatchObject({ width: 64, height: 64 });
    expect(image.colourAt(5, 32)).toBe('red');
    expect(image.colourAt(58, 32)).toBe('blue');
    expect(image.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('turns the picture as the camera was held, and drops all that was noted about it', async () => {
    const turned = await picture()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Copyright: 'private note', Artist: 'someone' } })
      .jpeg({ quality: 95 })
      .toBuffer();
    expect(turned.includes('private note')).toBe(true);
    const image = await drawn(turned);
    expect(image.colourAt(32, 5)).toBe('red');
    expect(image.colourAt(32, 58)).toBe('blue');
    const metadata = await sharp(image.webp).metadata();
    expect([metadata.exif, metadata.icc, metadata.xmp, metadata.orientation]).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
    expect(image.webp.includes('private note')).toBe(false);
  });

  it('takes the first picture of an animation', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 20, height: 20, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await drawn(animation)).colourAt(32, 32)).toBe('red');
  });

  it('drops what follows the picture: script, archive, page', async () => {
    const payload = '<script>alert(1)</script>PK\u0003\u0004<?php system($_GET[0]);';
    const plain = await picture().png().toBuffer();
    const image = await drawn(Buffer.concat([plain, Buffer.from(payload)]));
    expect(image.webp.includes('script')).toBe(false);
    expect(image.webp.includes('PK\u0003\u0004')).toBe(false);
  });
});

describe('refusals', () => {
  const refused = async (bytes: Buffer, options: Parameters<typeof studio.squareWebp>[1] = all) => {
    const result = await studio.squareWebp(bytes, options);
    return result.accepted ? 'accepted' : result.rejection;
  };

  it('[STOR-09] refuses SVG, plain or in disguise', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const text of [svg, `<?xml version="1.0"?>${svg}`, `\ufeff ${svg}`, `GIF${svg}`])
      expect(await refused(Buffer.from(text))).toEqual({ code: 'UnsupportedImageType' });
    expect(await refused(Buffer.from(`GIF89a${svg}`))).toEqual({ code: 'ImageUnreadable' });
  });

  it('refuses what the screen does not promise, by content', async () => {
    const gif = await picture().gif().toBuffer();
    expect(await refused(gif, { ...all, accepts: ['jpeg', 'png', 'webp'] })).toEqual({
      code: 'UnsupportedImageType',
    });
    for (const format of ['tiff', 'avif'] as const)
      expect(await refused(await picture().toFormat(format).toBuffer())).toEqual({
        code: 'UnsupportedImageType',
      });
    for (const bytes of [Buffer.alloc(0), Buffer.from('%PDF-1.7'), Buffer.from('MZ')])
      expect(await refused(bytes)).toEqual({ code: 'UnsupportedImageType' });
  });

  it('refuses too many bytes before looking at them', async () => {
    expect(await refused(Buffer.alloc(5 * 1024 * 1024 + 1))).toEqual({
      code: 'ImageTooLarge',
      limitBytes: 5 * 1024 * 1024,
    });
  });

  it('refuses more pixels than any camera takes, however small the file is', async () => {
    expect(await refused(blackPng(8_000, 6_000))).toBe('accepted');
    expect(await refused(blackPng(8_000, 6_001))).toEqual({ code: 'ImageUnreadable' });
    expect(await refused(blackPng(65_000, 65_000, { rows: 100 }))).toEqual({ code: 'ImageUnreadable' });
    const gif = Buffer.from(
      'GIF89a\xff\xff\xff\xff\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x02D\x01\x00;',
      'latin1',
    );
    expect(await refused(gif)).toEqual({ code: 'ImageUnreadable' });
  });

  it.each(['jpeg', 'png', 'webp', 'gif'] as const)('refuses a truncated %s', async (format) => {
    const noise = sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    });
    const whole = await noise.toFormat(format).toBuffer();
    expect(await refused(whole.subarray(0, whole.length / 2))).toEqual({ code: 'ImageUnreadable' });
    expect(await refused(whole.subarray(0, 16))).toEqual({ code: 'ImageUnreadable' });
  });

  it('survives damage anywhere', async () => {
    const originals = await Promise.all([
      picture().jpeg().toBuffer(),
      picture().png().toBuffer(),
      picture().webp().toBuffer(),
    ]);
    let state = 7;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state % below;
    };
    for (const original of originals)
      for (let round = 0; round < 60; round++) {
        const bytes = Buffer.from(original);
        for (let strokes = 1 + random(6); strokes > 0; strokes--) bytes[random(bytes.length)] = random(256);
        const result = await studio.squareWebp(bytes, all);
        if (result.accepted) expect((await sharp(result.webp).metadata()).width).toBe(64);
        else expect(['ImageUnreadable', 'UnsupportedImageType']).toContain(result.rejection.code);
      }
  });
});

it('draws our own SVG', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20"><rect width="10" height="20" fill="#f00"/></svg>';
  const png = await studio.renderSvg(svg, { widthPx: 100, format: 'png' });
  expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 100, height: 200 });
  const webp = await studio.renderSvg(svg, { widthPx: 50, format: 'webp' });
  expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width: 50 });
});

/** Returns a PNG with a valid header, a claimed size and almost no data: a decompression bomb. */
/** One bit per pixel. @param options.rows fewer rows than the header states */
function blackPng(width: number, height: number, { rows } = { rows: height }): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(rows * (1 + Math.ceil(width / 8))))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
