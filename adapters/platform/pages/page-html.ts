import { mediaAddress, PACK_COVER_SIZES, srcSetOf } from '../../../application/media/values.js';
import type { PageHead } from '../../../application/pages/contract.js';
import { escaped } from '../../../domain/shared/markup.js';

/** A page's HTML, and the JSON of the answers that the page shows. Both texts are escaped. */
export interface RenderedPage {
  html: string;
  answers: string;
}

const EMPTY_ROOT = '<div id="root"></div>';

interface Site {
  publicUrl: string;
  mediaBaseUrl?: string | undefined;
}

/** Returns the client's page with the given head. @param site addresses without a trailing slash */
export function pageHtml(
  template: string,
  { status, head }: { status: number; head: PageHead },
  site: Site,
  more: readonly string[] = [],
  paint?: RenderedPage,
): string {
  const rest = template
    .replace(/\s*<title>[\s\S]*?<\/title>/, '')
    .replace(/\s*<meta\s+name="description"[\s\S]*?>/, '');
  const tags = [...more, ...tagsOf(head, status, site)].map((tag) => `    ${tag}\n`);
  // Replace with a function, because `$` would have a meaning in a replacement text.
  const whole = rest.replace('</head>', () => `${tags.join('')}  </head>`);
  if (!paint) return whole;
  const answers = `<script type="application/json" id="first-answers">${paint.answers}</script>`;
  return whole.replace(EMPTY_ROOT, () => `<div id="root">${paint.html}</div>\n    ${answers}`);
}

function tagsOf(head: PageHead, status: number, { publicUrl, mediaBaseUrl }: Site): string[] {
  const { title, description, canonicalPath, imagePath, audioPath, embeddablePath, kind, facts } = head;
  const isListed = status === 200 && canonicalPath !== undefined;
  const address = (path: string) => {
    const at = mediaAddress(path, mediaBaseUrl ?? '');
    return at.startsWith('/') ? publicUrl + at : at;
  };
  const meta = (name: string, content: string) => `<meta name="${name}" content="${escaped(content)}" />`;
  const graph = (name: string, content: string) =>
    `<meta property="og:${name}" content="${escaped(content)}" />`;
  return [
    `<title>${escaped(title)}</title>`,
    meta('description', description),
    ...(isListed
      ? [`<link rel="canonical" href="${escaped(address(canonicalPath))}" />`]
      : [meta('robots', 'noindex')]),
    graph('site_name', 'Offcut'),
    graph('type', kind),
    graph('title', title),
    graph('description', description),
    ...(isListed ? [graph('url', address(canonicalPath))] : []),
    graph('image', address(imagePath ?? '/icon-512.png')),
    ...(audioPath ? [graph('audio', address(audioPath)), graph('audio:type', 'audio/mpeg')] : []),
    meta('twitter:card', 'summary'),
    ...(embeddablePath && status === 200 ? [discoveryOf(publicUrl, embeddablePath, title)] : []),
    ...(facts && status === 200
      ? [`<script type="application/ld+json">${linkedData(facts, address)}</script>`]
      : []),
  ];
}

/** The link by which other sites find the embed player of a page (oEmbed). */
function discoveryOf(publicUrl: string, path: string, title: string): string {
  const href = `${publicUrl}/oembed?${new URLSearchParams({ url: publicUrl + path })}`;
  return `<link rel="alternate" type="application/json+oembed" href="${escaped(href)}" title="${escaped(title)}" />`;
}

/** Escapes JSON for a script element, so that no text in it can end the element. */
export const inScript = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

function linkedData(facts: Record<string, unknown>, address: (path: string) => string): string {
  const named = new Set(['url', 'image', 'audio']);
  const json = JSON.stringify({ '@context': 'https://schema.org', ...facts }, (key, value: unknown) =>
    named.has(key) && typeof value === 'string' ? address(value) : value,
  );
  return inScript(json);
}

const preload = (as: string, path: string) => `<link rel="preload" as="${as}" href="${escaped(path)}"`;

const isScript = (file: string): boolean => file.endsWith('.js');

function tagOf(file: string): string {
  const path = `/${file}`;
  if (isScript(file)) return `<link rel="modulepreload" crossorigin href="${escaped(path)}" />`;
  if (file.endsWith('.css')) return `<link rel="stylesheet" crossorigin href="${escaped(path)}" />`;
  return `${preload('image', path)} />`;
}

/** Returns tags with which a browser fetches files in parallel, instead of finding them one script after another. */
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

/** Like `firstLoadTags`, for a rendered page: its styles and picture only. `startLater` loads the page's scripts. */
export function paintTags(
  files: readonly string[],
  picturePath?: string | null,
  mediaBaseUrl?: string,
): string[] {
  return [...files.filter((file) => !isScript(file)).map(tagOf), ...pictureTags(picturePath, mediaBaseUrl)];
}

const SCRIPT = /\s*<script type="module"[^>]*\ssrc="([^"]+)"[^>]*><\/script>/g;
const MODULE = /\s*<link rel="modulepreload"[^>]*\shref="([^"]+)"[^>]*>/g;

/**
 * Replaces the client's scripts with `start.js`, which fetches them after the first paint. It stands before the styles,
 * because browsers run no script before the styles above it have loaded.
 */
export function startLater(html: string, screenFiles: readonly string[]): string {
  const [entry] = [...html.matchAll(SCRIPT)].map(([, src]) => src as string);
  if (entry === undefined) return html;
  const screen = screenFiles.filter(isScript).map((file) => `/${file}`);
  const files = [...[...html.matchAll(MODULE)].map(([, href]) => href as string), ...screen.map(escaped)];
  const start = `\n    <script src="/start.js" data-entry="${entry}" data-files="${files.join(' ')}"></script>`;
  return html.replace(SCRIPT, () => start).replace(MODULE, '');
}

/** Preloads the page's picture in the same widths as the screen, so that the screen shows the preloaded file. */
function pictureTags(path: string | null | undefined, mediaBaseUrl = ''): string[] {
  if (!path?.startsWith('/')) return [];
  const srcSet = srcSetOf(path, mediaBaseUrl);
  const picture =
    srcSet === undefined
      ? preload('image', mediaAddress(path, mediaBaseUrl))
      : `<link rel="preload" as="image" imagesrcset="${escaped(srcSet)}" imagesizes="${escaped(PACK_COVER_SIZES)}"`;
  return [`${picture} fetchpriority="high" />`];
}
