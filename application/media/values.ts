import { IMAGE_LIMIT_MIB } from '../shared/values.js';

/** The full width and the smaller widths of stored square pictures. Other widths are not served. */
export const PICTURES = {
  covers: { fullPx: 1_000, widthsPx: [96, 192, 320, 448, 640] },
  avatars: { fullPx: 512, widthsPx: [96, 192, 320] },
} as const;
export type PictureFolder = keyof typeof PICTURES;

/** Browsers revalidate files before use, because a file can be taken down or erased. */
export const MEDIA_CACHE = 'public, no-cache';
/** `CDN-Cache-Control` for a cache in front of the site, which is purged when files are no longer public. */
export const CDN_CACHE = 'max-age=60';

/** `sizes` of a pack page's cover. The preload in its head must use the same value, or browsers fetch two files. */
export const PACK_COVER_SIZES = '(max-width: 767px) 160vw, 640px';

const KEPT = /^\/?media\/(covers|avatars)\/[0-9a-f]{64}\.webp$/;

export const narrowed = (picture: string, widthPx: number): string =>
  picture.replace(/\.webp$/, `-${widthPx}.webp`);

/** Returns the keys or addresses of a picture's smaller versions; empty if it is not one of our pictures. */
export function narrowWidths(picture: string): { name: string; widthPx: number }[] {
  const folder = KEPT.exec(picture)?.[1] as PictureFolder | undefined;
  if (folder === undefined) return [];
  return PICTURES[folder].widthsPx.map((widthPx) => ({ name: narrowed(picture, widthPx), widthPx }));
}

const SHOWN = /^\/media\/(?:previews|covers|avatars)\//;
/** Returns the address for a browser. `base`: address of a CDN without a slash at its end; empty for this site. */
export const mediaAddress = (path: string, base: string): string => (SHOWN.test(path) ? base + path : path);

/** Returns a `srcset` with all widths of a cover or avatar; undefined for any other address. */
export function srcSetOf(address: string, base = ''): string | undefined {
  const folder = KEPT.exec(address)?.[1] as PictureFolder | undefined;
  if (folder === undefined) return undefined;
  const narrow = narrowWidths(address).map(({ name, widthPx }) => `${base}${name} ${widthPx}w`);
  return [...narrow, `${base}${address} ${PICTURES[folder].fullPx}w`].join(', ');
}

export { IMAGE_LIMIT_MIB };
export const IMAGE_LIMIT_BYTES = IMAGE_LIMIT_MIB * 1024 * 1024;

export const IMAGE_PROBLEMS = ['UnsupportedImageType', 'ImageTooLarge', 'ImageUnreadable'] as const;
