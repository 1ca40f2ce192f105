import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACK_COVER_SIZES, srcSetOf } from '../../../application/media/contract.js';
import { escaped } from './page-html.js';

/** What each screen of the client needs beyond the page's own files, by the name of its folder. */
type Screens = Record<string, string[]>;

/** Where the first part of an address is not the name of its screen. */
const SCREEN_NAMES: Record<string, string> = {
  '': 'home',
  'creator-pack': 'pack-editor',
  certificates: 'certificate',
};

/** What a screen asks the server for first, by the rest of its address; the query of the address changes none of it. */
const FIRST_QUESTIONS: Record<string, (rest: string[]) => string | undefined> = {
  home: () => '/api/home',
  sounds: () => '/api/sounds',
  discover: () => '/api/discover',
  pack: ([slug, handle]) => (slug && handle ? `/api/packs/${handle}/${slug}` : undefined),
  collection: ([slug]) => slug && `/api/collections/${slug}`,
  creator: ([handle]) => handle && `/api/creators/${handle}`,
};

const preload = (as: string, path: string) => `<link rel="preload" as="${as}" href="${escaped(path)}"`;

function tagOf(file: string): string {
  if (file.endsWith('.js')) return `<link rel="modulepreload" crossorigin href="${escaped(file)}" />`;
  if (file.endsWith('.css')) return `<link rel="stylesheet" crossorigin href="${escaped(file)}" />`;
  return `${preload('image', file)} />`;
}

/** Reads the list that the build of the client left; an older build has none. */
export async function readScreens(folder: string): Promise<Screens> {
  try {
    return JSON.parse(await readFile(join(folder, 'screens.json'), 'utf8')) as Screens;
  } catch {
    return {};
  }
}

function screenAt(path: string): { screen: string; rest: string[] } {
  const [first = '', ...rest] = path.split('/').slice(1);
  return { screen: SCREEN_NAMES[first] ?? first, rest };
}

/** What the screen at an address asks the server for first. @param path as in the address, undecoded */
export function firstQuestion(path: string): string | undefined {
  const { screen, rest } = screenAt(path);
  return Object.hasOwn(FIRST_QUESTIONS, screen) ? FIRST_QUESTIONS[screen]?.(rest) : undefined;
}

/**
 * Tags that let a browser fetch at once what it would otherwise learn of one script after the other: the files of
 * the screen, who is signed in, what the screen asks for, and the picture at its top.
 * @param path as in the address, undecoded
 * @param picturePath of this site
 */
export function firstLoadTags(path: string, screens: Screens, picturePath?: string | null): string[] {
  const question = firstQuestion(path);
  return [
    ...filesAt(path, screens).map(tagOf),
    ...['/api/auth/session', ...(question ? [question] : [])].map(
      (asked) => `${preload('fetch', asked)} crossorigin />`,
    ),
    ...pictureTags(picturePath),
  ];
}

/** The same for a page that is drawn already: its styles and its picture; scripts start after it (`startLater`). */
export function paintTags(path: string, screens: Screens, picturePath?: string | null): string[] {
  const files = filesAt(path, screens).filter((file) => !file.endsWith('.js'));
  return [...files.map(tagOf), ...pictureTags(picturePath)];
}

const SCRIPT = /\s*<script type="module"[^>]*\ssrc="([^"]+)"[^>]*><\/script>/g;
const MODULE = /\s*<link rel="modulepreload"[^>]*\shref="([^"]+)"[^>]*>/g;

/** Takes the client's scripts out of a page and leaves them to `start.js`, which fetches them after the first paint. */
export function startLater(html: string, path: string, screens: Screens): string {
  const [entry] = [...html.matchAll(SCRIPT)].map(([, src]) => src as string);
  if (entry === undefined) return html;
  const screen = filesAt(path, screens).filter((file) => file.endsWith('.js'));
  const files = [...[...html.matchAll(MODULE)].map(([, href]) => href as string), ...screen.map(escaped)];
  const start = `<script defer src="/start.js" data-entry="${entry}" data-files="${files.join(' ')}"></script>`;
  const rest = html.replace(SCRIPT, '').replace(MODULE, '');
  return rest.replace('</head>', () => `  ${start}\n  </head>`);
}

function filesAt(path: string, screens: Screens): string[] {
  const { screen } = screenAt(path);
  return Object.hasOwn(screens, screen) ? (screens[screen] as string[]).map((file) => `/${file}`) : [];
}

const pictureTags = (path: string | null | undefined): string[] =>
  path?.startsWith('/') ? [pictureTag(path)] : [];

/** Names the widths that the screen names, so that the browser fetches here the one that it will show. */
function pictureTag(path: string): string {
  const srcSet = srcSetOf(path);
  if (srcSet === undefined) return `${preload('image', path)} fetchpriority="high" />`;
  const choice = `imagesrcset="${escaped(srcSet)}" imagesizes="${escaped(PACK_COVER_SIZES)}"`;
  return `<link rel="preload" as="image" ${choice} fetchpriority="high" />`;
}
