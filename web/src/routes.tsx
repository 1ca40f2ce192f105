import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { RouteCrash, ScreenCrash } from './shell/crash-screen.js';
import { lazyWithPreload } from './shell/lazy-with-preload.js';
import { Layout } from './shell/layout.js';

/** A screen in a chunk of its own. The layout stays while it loads; its handle loads it ahead. */
function screen(path: string, load: () => Promise<{ default: ComponentType }>): RouteObject {
  const Screen = lazyWithPreload(load);
  return { path, element: <Screen />, errorElement: <ScreenCrash />, handle: { load: Screen.load } };
}

/** Every path of the client; unknown ones show the 404 page. */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <RouteCrash />,
    children: [
      screen('/', () => import('./screens/home/home-screen.js')),
      screen('/sounds', () => import('./screens/sounds/sounds-screen.js')),
      screen('/discover', () => import('./screens/discover/discover-screen.js')),
      screen('/search', () => import('./screens/search/search-screen.js')),
      screen('/pack/:slug/:creator', () => import('./screens/pack/pack-screen.js')),
      screen('/collections', () => import('./screens/collections/collections-screen.js')),
      screen('/collection/:slug', () => import('./screens/collection/collection-screen.js')),
      screen('/creator/:creator?', () => import('./screens/creator/creator-screen.js')),
      screen('/swipe', () => import('./screens/swipe/swipe-screen.js')),
      screen('/pack/:slug?', () => import('./screens/pack/pack-screen.js')),
      screen('/auth', () => import('./screens/auth/auth-screen.js')),
      screen('/settings', () => import('./screens/settings/settings-screen.js')),
      screen('/library', () => import('./screens/library/library-screen.js')),
      screen('/dashboard', () => import('./screens/dashboard/dashboard-screen.js')),
      screen('/earnings', () => import('./screens/earnings/earnings-screen.js')),
      screen('/creator-pack/:slug', () => import('./screens/pack-editor/pack-editor-screen.js')),
      screen('/certificates/:id', () => import('./screens/certificate/certificate-screen.js')),
      screen('/admin/*', () => import('./screens/admin/admin-screen.js')),
      screen('/finance/*', () => import('./screens/finance/finance-screen.js')),
      screen('/mailing-list', () => import('./screens/mailing-list/mailing-list-screen.js')),
      screen('/clear-cache', () => import('./screens/clear-cache/clear-cache-screen.js')),
      screen('*', () => import('./screens/not-found/not-found-screen.js')),
    ],
  },
];
