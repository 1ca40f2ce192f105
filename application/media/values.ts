import { IMAGE_LIMIT_MIB } from '../shared/values.js';

/**
 * The stored square pictures and their smaller widths, for places that show them small. No other width exists.
 */
export const PICTURES = {
  covers: { fullPx: 1_000, widthsPx: [96, 192, 320, 448, 640] },
  avatars: { fullPx: 512, widthsPx: [96, 192, 320] },
} as const;
export type PictureFolder = keyof typeof PICTURES;

/**
 * A browser keeps previews and pictures and asks before it shows them again: a name made of the content never means
 * other bytes, but the content can be taken down, and people go.
 */
export const MEDIA_CACHE = 'public, no-cache';
/** For a cache in front that is told when something leaves the shop (`CDN-Cache-Control`). */
export const CDN_CACHE = 'max-age=60';

/**
 * `sizes` of the cover at the top of a pack's page, which fills it enlarged. The page's head lets the browser fetch it
 * by the same words: any others might make it fetch two.
 */
export const PACK_COVER_SIZES = '(max-width: 767px) 160vw, 640px';

const KEPT = /^\/?media\/(covers|avatars)\/[0-9a-f]{64}\.webp$/;

/** A picture's key or address in another width. */
export const narrowed = (picture: string, widthPx: number): string =>
  picture.replace(/\.webp$/, `-${widthPx}.webp`);

/** The keys or addresses of a picture's widths; none if it is not one of our pictures. */
export function narrowWidths(picture: string): { name: string; widthPx: number }[] {
  const folder = KEPT.exec(picture)?.[1] as PictureFolder | undefined;
  if (folder === undefined) return [];
  return PICTURES[folder].widthsPx.map((widthPx) => ({ name: narrowed(picture, widthPx), widthPx }));
}

const SHOWN = /^\/media\/(?:previews|covers|avatars)\//;
/**
 * Where a browser fetches a preview or picture.
 * @param path on this site; one of anything else stays as it is
 * @param base the address of a CDN, without a slash at its end; empty: this site
 */
export const mediaAddress = (path: string, base: string): string => (SHOWN.test(path) ? base + path : path);

/**
 * The choices for a browser, as in `srcset`; undefined for an address with one width only.
 * @param base as of `mediaAddress`
 */
export function srcSetOf(address: string, base = ''): string | undefined {
  const folder = KEPT.exec(address)?.[1] as PictureFolder | undefined;
  if (folder === undefined) return undefined;
  const narrow = narrowWidths(address).map(({ name, widthPx }) => `${base}${name} ${widthPx}w`);
  return [...narrow, `${base}${address} ${PICTURES[folder].fullPx}w`].join(', ');
}

export { IMAGE_LIMIT_MIB };
export const IMAGE_LIMIT_BYTES = IMAGE_LIMIT_MIB * 1024 * 1024;

/** Why a picture is refused. */
export const IMAGE_PROBLEMS = ['UnsupportedImageType', 'ImageTooLarge', 'ImageUnreadable'] as const;
