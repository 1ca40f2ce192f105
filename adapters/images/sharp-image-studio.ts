import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import { ImageStudio, type ImageRejection } from '../../application/ports/image-studio.js';
import { sniffImage, type ImageFormat } from './sniff.js';

/** 8000 × 6000: more than any camera's picture that is worth 5 MB, and 150 MB while it is decoded. */
const LIMIT_PIXELS = 48_000_000;
const TIME_LIMIT_SECONDS = 20;
const WEBP_QUALITY = 82;

// Only what is listed here is ever decoded, whatever a file pretends to be. SVG is for our own drawings.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadSvgBuffer',
  ],
});
sharp.cache(false);

/** Decodes images that people sent and draws new ones of their pixels: nothing else of the file survives. */
export class SharpImageStudio extends ImageStudio {
  async squareWebp(
    bytes: Buffer,
    options: { sizePx: number; accepts: ReadonlyArray<ImageFormat>; limitBytes: number },
  ): Promise<{ ok: true; webp: Buffer; sha256: string } | { ok: false; rejection: ImageRejection }> {
    if (bytes.length > options.limitBytes)
      return { ok: false, rejection: { code: 'ImageTooLarge', limitBytes: options.limitBytes } };
    const format = sniffImage(bytes);
    if (!format || !options.accepts.includes(format))
      return { ok: false, rejection: { code: 'UnsupportedImageType' } };
    try {
      const webp = await open(bytes)
        // Cameras note how they were held; the note is dropped, so the picture itself must turn.
        .autoOrient()
        .resize(options.sizePx, options.sizePx, { fit: 'cover' })
        .webp({ quality: WEBP_QUALITY })
        .timeout({ seconds: TIME_LIMIT_SECONDS })
        .toBuffer();
      return { ok: true, webp, sha256: createHash('sha256').update(webp).digest('hex') };
    } catch {
      return { ok: false, rejection: { code: 'ImageUnreadable' } };
    }
  }

  async narrowWebp(webp: Buffer, options: { widthPx: number }): Promise<Buffer> {
    return open(webp)
      .resize({ width: options.widthPx })
      .webp({ quality: WEBP_QUALITY })
      .timeout({ seconds: TIME_LIMIT_SECONDS })
      .toBuffer();
  }

  async renderSvg(svg: string, options: { widthPx: number; format: 'png' | 'webp' }): Promise<Buffer> {
    const drawing = sharp(Buffer.from(svg), { density: 144 }).resize({ width: options.widthPx });
    return options.format === 'png'
      ? drawing.png().toBuffer()
      : drawing.webp({ quality: WEBP_QUALITY }).toBuffer();
  }
}

/** One page: of an animation the first picture. */
function open(bytes: Buffer): Sharp {
  return sharp(bytes, { limitInputPixels: LIMIT_PIXELS, failOn: 'truncated', pages: 1 });
}
