import type { RouteObject } from 'react-router-dom';
import type { Page } from './page.js';
import { PAGES } from './pages.js';
import { RouteCrash, ScreenCrash } from './shell/crash-screen.js';
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
    element: <PageFrame page={page} Screen={Screen} />,
    errorElement: <ScreenCrash />,
    handle,
  };
}

/** Every path of the client; unknown paths show the 404 page. */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <RouteCrash />,
    children: Object.values(PAGES).map(routeOf),
  },
];
