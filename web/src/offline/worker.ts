import { createPartialResponse } from 'workbox-range-requests/createPartialResponse.js';
import { SERVER_PATHS } from '../../../application/pages/server-paths.js';
import { previewKey } from './kept-library.js';
import { PERSONAL_CACHES } from './personal-caches.js';
import { keepSharedSound } from './shared-sound.js';

/** The build replaces this name with the names of the built files. */
declare const BUILT_SHELL: { cache: string; page: string; files: string[] };

/** The application shell: the offline page and the files that it needs. */
const SHELL = BUILT_SHELL;

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}
declare const self: {
  registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
};

const SHELL_CACHE = /^offcut-shell-/;
const OFFLINE_PAGE = '/offline';
/** The action of `share_target` in the manifest. A shared file never leaves the browser. */
const SHARE_TARGET = '/share';
const PREVIEW = /\/media\/previews\//;
/** If the network is silent for this long, the kept preview plays. */
const PREVIEW_WAIT_MS = 4_000;

self.addEventListener('install', (event) => event.waitUntil(keepShell()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('fetch', (event) => {
  const answer = answerTo(event);
  if (answer) event.respondWith(answer);
});

/** Stores all files of the shell or none. After a failure, the browser installs the worker again on a later visit. */
async function keepShell(): Promise<void> {
  try {
    const cache = await caches.open(SHELL.cache);
    // Only files in /assets have a hash in their names. The browser may still cache the previous version of others.
    const files = SHELL.files.map((path) =>
      path.startsWith('/assets/') ? path : new Request(path, { cache: 'no-cache' }),
    );
    await cache.addAll([SHELL.page, ...files]);
  } catch (error) {
    await caches.delete(SHELL.cache);
    throw error;
  }
  // Replaces the old worker at once. Open pages of the old version keep working, because pages come from the server
  // whenever it can be reached.
  await self.skipWaiting();
}

async function takeOver(): Promise<void> {
  for (const name of await caches.keys())
    if (SHELL_CACHE.test(name) && name !== SHELL.cache) await caches.delete(name);
  // Lets the browser request a page while the worker is still starting.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/**
 * Returns undefined for requests that the browser handles without the worker: above all to the API and for original
 * files.
 */
function answerTo(event: FetchEvent): Promise<Response> | undefined {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method === 'POST' && origin === location.origin && pathname === SHARE_TARGET)
    return receive(request);
  if (request.method !== 'GET') return undefined;
  if (PREVIEW.test(pathname)) return preview(request);
  if (origin !== location.origin) return undefined;
  if (request.mode === 'navigate') return SERVER_PATHS.test(pathname) ? undefined : page(event);
  return SHELL.files.includes(pathname) ? shellFile(request) : undefined;
}

/** Returns the server's page. If the server cannot be reached, redirects to the offline page. */
async function page({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    const { pathname, search } = new URL(request.url);
    if (pathname !== OFFLINE_PAGE)
      return Response.redirect(`${OFFLINE_PAGE}?${new URLSearchParams({ from: pathname + search })}`);
    return (await caches.match(SHELL.page)) ?? Response.error();
  }
}

async function receive(request: Request): Promise<Response> {
  await keepSharedSound(await request.formData());
  return Response.redirect('/search?shared', 303);
}

async function shellFile(request: Request): Promise<Response> {
  return (await caches.match(request.url, { cacheName: SHELL.cache })) ?? fetch(request);
}

/**
 * Answers with the server's preview, because the sound may have been taken down. If the server does not answer, uses
 * the kept preview.
 */
async function preview(request: Request): Promise<Response> {
  const cache = await caches.open(PERSONAL_CACHES.previews);
  const key = previewKey(request.url);
  const kept = await cache.match(key);
  if (!kept) return fetch(request);
  const fromNetwork = fetch(request);
  try {
    const answer = await Promise.race([fromNetwork, silence()]);
    if (answer.status === 404 || answer.status === 410) await cache.delete(key);
    return answer;
  } catch {
    fromNetwork.catch(() => undefined);
    return request.headers.has('range') ? createPartialResponse(request, kept) : kept;
  }
}

const silence = (): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), PREVIEW_WAIT_MS));
