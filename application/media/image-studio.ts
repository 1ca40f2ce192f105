import type { Outcome } from '../../domain/shared/decision.js';

export type ImageRejection =
  | { code: 'UnsupportedImageType' }
  | { code: 'ImageTooLarge'; limitBytes: number }
  | { code: 'ImageUnreadable' };

export abstract class ImageStudio {
  /** Re-encodes an untrusted image as a square WebP without metadata. Refuses SVG and limits the dimensions. */
  abstract squareWebp(
    bytes: Buffer,
    options: { sizePx: number; accepts: ReadonlyArray<'jpeg' | 'png' | 'webp' | 'gif'>; limitBytes: number },
  ): Promise<Outcome<{ webp: Buffer; sha256: string }, ImageRejection>>;

  /** Returns one of our pictures in another width. @throws Error if the picture cannot be read */
  abstract narrowWebp(webp: Buffer, options: { widthPx: number }): Promise<Buffer>;

  /** Renders an SVG that we made. Never pass an uploaded SVG. */
  abstract renderSvg(svg: string, options: { widthPx: number; format: 'png' | 'webp' }): Promise<Buffer>;
}
