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
   * A picture that `squareWebp` or `renderSvg` made, in another width.
   * @throws Error when it cannot be read
   */
  abstract narrowWebp(webp: Buffer, options: { widthPx: number }): Promise<Buffer>;

  /**
   * Draws an SVG that we made; never one that was uploaded.
   * @param options.widthPx the height follows from the drawing
   */
  abstract renderSvg(svg: string, options: { widthPx: number; format: 'png' | 'webp' }): Promise<Buffer>;
}
