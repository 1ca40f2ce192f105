import { mediaAddress, PACK_COVER_SIZES, srcSetOf } from '../../../application/media/values.js';
import { escaped } from './page-html.js';

const preload = (as: string, path: string) => `<link rel="preload" as="${as}" href="${escaped(path)}"`;

const isScript = (file: string): boolean => file.endsWith('.js');

function tagOf(file: string): string {
  const path = `/${file}`;
  if (isScript(file)) return `<link rel="modulepreload" crossorigin href="${escaped(path)}" />`;
  if (file.endsWith('.css')) return `<link rel="stylesheet" crossorigin href="${escaped(path)}" />`;
  return `${preload('image', path)} />`;
}

/**
 * Returns tags that let a browser fetch in parallel what it would otherwise discover one script after another. These
 * are the files of the screen, the session, the page's query, and the picture at its top.
 * @param files of the screen
 * @param asked the address of the page's query
 * @param picturePath a path on this site
 * @param mediaBaseUrl base URL of the picture; absent if this site serves it
 */
export function firstLoadTags(
  files: readonly string[],
  asked?: string,
  picturePath?: string | null,
  mediaBaseUrl?: string,
): string[] {
  return [
    ...files.map(tagOf),
    ...['/api/auth/session', ...(asked ? [asked] : [])].map(
      (path) => `${preload('fetch', path)} crossorigin />`,
    ),
    ...pictureTags(picturePath, mediaBaseUrl),
  ];
}

/** Like `firstLoadTags`, for a rendered page: its styles and its picture. Its scripts start later (`startLater`). */
export function paintTags(
  files: readonly string[],
  picturePath?: string | null,
  mediaBaseUrl?: string,
): string[] {
  return [...files.filter((file) => !isScript(file)).map(tagOf), ...pictureTags(picturePath, mediaBaseUrl)];
}

const SCRIPT = /\s*<script type="module"[^>]*\ssrc="([^"]+)"[^>]*><\/script>/g;
const MODULE = /\s*<link rel="modulepreload"[^>]*\shref="([^"]+)"[^>]*>/g;

/** Replaces the client's scripts with `start.js`, which fetches them after the first paint. */
export function startLater(html: string, screenFiles: readonly string[]): string {
  const [entry] = [...html.matchAll(SCRIPT)].map(([, src]) => src as string);
  if (entry === undefined) return html;
  const screen = screenFiles.filter(isScript).map((file) => `/${file}`);
  const files = [...[...html.matchAll(MODULE)].map(([, href]) => href as string), ...screen.map(escaped)];
  const start = `<script defer src="/start.js" data-entry="${entry}" data-files="${files.join(' ')}"></script>`;
  const rest = html.replace(SCRIPT, '').replace(MODULE, '');
  return rest.replace('</head>', () => `  ${start}\n  </head>`);
}

const pictureTags = (path: string | null | undefined, mediaBaseUrl = ''): string[] =>
  path?.startsWith('/') ? [pictureTag(path, mediaBaseUrl)] : [];

/** Uses the same widths as the screen, so that the browser preloads the picture that it will show. */
function pictureTag(path: string, mediaBaseUrl: string): string {
  const srcSet = srcSetOf(path, mediaBaseUrl);
  if (srcSet === undefined)
    return `${preload('image', mediaAddress(path, mediaBaseUrl))} fetchpriority="high" />`;
  const choice = `imagesrcset="${escaped(srcSet)}" imagesizes="${escaped(PACK_COVER_SIZES)}"`;
  return `<link rel="preload" as="image" ${choice} fetchpriority="high" />`;
}
