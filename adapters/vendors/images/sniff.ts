export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif';

/** Returns the format by the first bytes; undefined for SVG and all other formats. */
export function sniffImage(bytes: Buffer): ImageFormat | undefined {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif';
  return undefined;
}
