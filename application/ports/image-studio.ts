export type ImageRejection =
  | { code: 'UnsupportedImageType' }
  | { code: 'ImageTooLarge'; limitBytes: number }
  | { code: 'ImageUnreadable' };

export abstract class ImageStudio {
  /**
   * Re-encodes an untrusted image as square WebP without metadata (SVG refused, dimensions limited).
   * @param accepts the formats the screen promises
   */
  abstract squareWebp(
    bytes: Buffer,
    options: { sizePx: number; accepts: ReadonlyArray<'jpeg' | 'png' | 'webp' | 'gif'>; limitBytes: number },
  ): Promise<{ ok: true; webp: Buffer; sha256: string } | { ok: false; rejection: ImageRejection }>;

  /**
   * Draws an SVG of our own making; never one that somebody sent.
   * @param options.widthPx the height follows from the drawing
   */
  abstract renderSvg(svg: string, options: { widthPx: number; format: 'png' | 'webp' }): Promise<Buffer>;
}
