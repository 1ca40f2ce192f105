import type { Parameters } from './parameters.js';
import type { World } from './world.js';

export interface Call {
  world: World;
  /** The named parts of the path. */
  path: Record<string, string>;
  parameters: Parameters;
}

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** `/v1/customers/:id` */
  pattern: string;
  answer(call: Call): object;
}

export function matchRoute(
  routes: readonly Route[],
  method: string,
  pathname: string,
): { route: Route; path: Record<string, string> } | undefined {
  const parts = pathname.split('/');
  for (const route of routes) {
    if (route.method !== method) continue;
    const pattern = route.pattern.split('/');
    if (pattern.length !== parts.length) continue;
    const path: Record<string, string> = {};
    const fits = pattern.every((segment, index) => {
      const part = parts[index] as string;
      if (!segment.startsWith(':')) return segment === part;
      path[segment.slice(1)] = decodeURIComponent(part);
      return part !== '';
    });
    if (fits) return { route, path };
  }
  return undefined;
}
