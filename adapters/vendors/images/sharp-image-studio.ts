import sharp, { type Sharp } from 'sharp';
import { createHash } from 'node:crypto';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { ImageStudio, type ImageRejection } from '../../../application/media/image-studio.js';
import { Lane, CAPACITY } from '../../../application/shared/lanes.js';

/** 8000 × 6000 pixels: more than any camera's picture of 5 MB has. Decoding that many takes 150 MB. */
const LIMIT_PIXELS = 48_000_000;
const TIME_LIMIT_SECONDS = 20;
const WEBP_QUALITY = 82;

// Only these formats are decoded, whatever format a file claims to have. SVG is only for our own graphics.
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
// One picture uses only one processor, so that the other processors can answer requests.
sharp.concurrency(1);

export class SharpImageStudio implements ImageStudio {
  private readonly lane = new Lane({ work: 'pictures', ...CAPACITY.pictures });

  async squareWebp(
    bytes: Buffer,
    options: { sizePx: number; accepts: ReadonlyArray<ImageFormat>; limitBytes: number },
  ): Promise<Outcome<{ webp: Buffer; sha256: string }, ImageRejection>> {
    if (bytes.length > options.limitBytes)
      return reject({ code: 'ImageTooLarge', limitBytes: options.limitBytes });
    const format = sniffImage(bytes);
    if (!format || !options.accepts.includes(format)) return reject({ code: 'UnsupportedImageType' });
    const draw = () =>
      open(bytes)
        // Cameras store the orientation in the metadata, which is dropped, so the pixels are rotated instead.
        .autoOrient()
        .resize(options.sizePx, options.sizePx, { fit: 'cover' })
        .webp({ quality: WEBP_QUALITY })
        .timeout({ seconds: TIME_LIMIT_SECONDS })
        .toBuffer()
        .catch(() => undefined);
    const webp = await this.lane.run(draw);
    return webp
      ? { accepted: true, webp, sha256: createHash('sha256').update(webp).digest('hex') }
      : reject({ code: 'ImageUnreadable' });
  }

  async narrowWebp(webp: Buffer, options: { widthPx: number }): Promise<Buffer> {
    return this.lane.run(() =>
      open(webp)
        .resize({ width: options.widthPx })
        .webp({ quality: WEBP_QUALITY })
        .timeout({ seconds: TIME_LIMIT_SECONDS })
        .toBuffer(),
    );
  }

  async renderSvg(svg: string, options: { widthPx: number; format: 'png' | 'webp' }): Promise<Buffer> {
    const drawing = sharp(Buffer.from(svg), { density: 144 }).resize({ width: options.widthPx });
    const encoded = options.format === 'png' ? drawing.png() : drawing.webp({ quality: WEBP_QUALITY });
    return this.lane.run(() => encoded.toBuffer());
  }
}

/** Opens a picture, or only the first frame of an animation. */
function open(bytes: Buffer): Sharp {
  return sharp(bytes, { limitInputPixels: LIMIT_PIXELS, failOn: 'truncated', pages: 1 });
}

type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif';

function sniffImage(bytes: Buffer): ImageFormat | undefined {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif';
  return undefined;
}
