import './ui/styles/theme.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { UNSAFE_createBrowserHistory as createBrowserHistory, type RouteObject } from 'react-router-dom';
import { hearOtherTabs } from './api/changes.js';
import { queryClient } from './api/query-client.js';
import { App } from './app.js';
import { NavigationRouter, navigationOver } from './navigation.js';
import { PAGES } from './pages.js';
import { keepProjectsMoved } from './project/guest-projects.js';
import { Pages, routes } from './routes.js';
import { carryOnAfterSignIn } from './session/after-sign-in.js';
import { keepSession, loadSession } from './session/session.js';
import { repeatAfterConfirming } from './api/transport/http.js';
import { askForProof } from './session/confirm-request.js';
import { keepActionsOverSignIn } from './session/sign-in-again.js';
import { fetchAhead, filesArrive, keepPartsComing } from './shell/lazy-with-preload.js';
import { type ReactNode, startTransition } from 'react';
import { takeFirstAnswers } from './shell/first-answers.js';
import { pageAt } from './shell/page-at.js';

/** Hydrates the page that the server rendered. Loads its screen first, so that no loading state replaces content. */
async function hydratePage(root: HTMLElement, app: ReactNode, routes: RouteObject[], session: Promise<void>) {
  takeFirstAnswers(session);
  // Ignores a failed load, because `keepPartsComing` handles it.
  await pageAt(routes, window.location)
    ?.load()
    .catch(() => undefined);
  startTransition(() => void hydrateRoot(root, app));
}

const navigation = navigationOver(createBrowserHistory({ v5Compat: true }));
// Subscribes before the session loads, because the visitor may return from a sign-in on another site.
carryOnAfterSignIn((intent) => {
  void fetchAhead(() => import('./shell/carry-on.js')).then((file) => file?.carryOn(intent, navigation));
});
keepProjectsMoved();
const session = loadSession();
keepSession();
keepActionsOverSignIn();
repeatAfterConfirming(askForProof);
hearOtherTabs();
keepPartsComing();

/** Prefetches the most visited screens, and the dialogs that must open without a connection. */
function fetchLikelyParts(): void {
  const parts: (() => Promise<unknown>)[] = [
    PAGES.discover.screen,
    PAGES.pack.screen,
    PAGES.sounds.screen,
    () => import('./player/player-dock.js'),
    () => import('./ui/overlays/alert-dialog.js'),
    () => import('./downloads/download-dialog.js'),
    () => import('./downloads/flows.js'),
    () => import('./sign-in/sign-in-dialog.js'),
  ];
  parts.forEach(fetchAhead);
  void fetchAhead(async () => (await import('./shell/intent.js')).prepareOnIntent(routes));
}
function moveWhatEarlierVersionsKept(): void {
  void fetchAhead(() => import('./legacy/browser-library.js')).then((file) =>
    file?.keepBrowserLibraryMoved(),
  );
}
function fetchRest(): void {
  if (!filesArrive()) return void window.addEventListener('online', fetchRest, { once: true });
  fetchLikelyParts();
  moveWhatEarlierVersionsKept();
  if (import.meta.env.PROD) void fetchAhead(async () => (await import('./offline/keep.js')).keepForOffline());
}
const fetchSoon = () => setTimeout(fetchRest, 1_500);
// On a page that the server rendered, the load event may have fired before this script runs.
if (document.readyState === 'complete') fetchSoon();
else window.addEventListener('load', fetchSoon, { once: true });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// Removes the server's description and title, which serve crawlers without scripts. Screens render their own, but
// browsers use the first ones in the page. On a page that the server rendered, React takes over the server's title.
const words = root.firstElementChild ? 'meta[name=description]' : 'title, meta[name=description]';
document.head.querySelectorAll(words).forEach((element) => element.remove());

const app = (
  <App client={queryClient}>
    <NavigationRouter navigation={navigation}>
      <Pages />
    </NavigationRouter>
  </App>
);
if (root.firstElementChild) void hydratePage(root, app, routes, session);
else createRoot(root).render(app);
