import { type RouteObject, matchRoutes } from 'react-router-dom';
import type { Page } from '../page.js';

/** The facts about a page that its route has. */
export interface RouteHandle {
  page: Page;
  /** Fetches the file of the screen. */
  load: () => Promise<void>;
}

export function pageAt(routes: RouteObject[], { pathname, search }: { pathname: string; search: string }) {
  const { route, params = {} } = matchRoutes(routes, pathname)?.at(-1) ?? {};
  const handle = route?.handle as RouteHandle | undefined;
  return handle && { ...handle, address: { params, search: new URLSearchParams(search) } };
}
