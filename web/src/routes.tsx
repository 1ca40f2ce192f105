import { type RouteObject, useRoutes } from 'react-router-dom';
import type { Page } from './page.js';
import { PAGES } from './pages.js';
import { CrashBoundary, CrashScreen, ScreenCrash } from './shell/crash-screen.js';
import { lazyWithPreload } from './shell/lazy-with-preload.js';
import { Layout } from './shell/layout.js';
import type { RouteHandle } from './shell/page-at.js';
import { PageFrame } from './shell/page-frame.js';

/** The layout stays while a screen's file loads, and when a screen fails. */
function routeOf(page: Page): RouteObject {
  const Screen = lazyWithPreload(page.screen);
  const handle: RouteHandle = { page, load: Screen.load };
  return {
    path: page.path,
    element: (
      <CrashBoundary Crash={ScreenCrash}>
        <PageFrame page={page} Screen={Screen} />
      </CrashBoundary>
    ),
    handle,
  };
}

/** The paths of the client. Unknown paths show the 404 page. The staff areas route their own subpaths. */
export const routes: RouteObject[] = [
  {
    element: (
      <CrashBoundary Crash={CrashScreen}>
        <Layout />
      </CrashBoundary>
    ),
    children: Object.values(PAGES).map(routeOf),
  },
];

export const Pages = () => useRoutes(routes);
