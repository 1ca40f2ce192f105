import { type RouteObject, matchRoutes } from 'react-router-dom';
import type { Page } from '../page.js';

export interface RouteHandle {
  page: Page;
  load: () => Promise<void>;
}

export function pageAt(routes: RouteObject[], { pathname, search }: { pathname: string; search: string }) {
  const { route, params = {} } = matchRoutes(routes, pathname)?.at(-1) ?? {};
  const handle = route?.handle as RouteHandle | undefined;
  return handle && { ...handle, address: { params, search: new URLSearchParams(search) } };
}
