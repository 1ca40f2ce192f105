import { parse } from 'node:querystring';
import type { ZodObject } from 'zod';
import { ENDPOINTS } from '../../../application/all-endpoints.js';

/** Returns the canonical spelling of a path: percent-encoded only where needed, without a trailing slash. */
export function canonicalPath(path: string): string | undefined {
  try {
    const segments = path.split('/').map((segment) => encodeURIComponent(decodeURIComponent(segment)));
    return segments.join('/').replace(/(.)\/$/, '$1');
  } catch {
    return undefined;
  }
}

const SHARED = ENDPOINTS.filter(({ sameForVisitors }) => sameForVisitors).map(({ path, query }) => ({
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  query: query as ZodObject | undefined,
}));
/**
 * Fixed paths whose answers may differ between visitors. Some also match the pattern of a shared page, such as
 * /api/collections/own.
 */
const PERSONAL = new Set(
  ENDPOINTS.filter(
    ({ method, path, sameForVisitors }) => method === 'GET' && !sameForVisitors && !path.includes(':'),
  ).map(({ path }) => path),
);
/** Routes ignore the case of this part of a path. In path parameters, case matters. */
const FIXED_PART = /^\/api\/[a-z]+/i;

/**
 * Returns the canonical address of a page that is the same for all visitors. The address contains the query as the
 * page's schema parses it. Returns undefined if no such page exists, or if the query is invalid.
 */
export function pageAddressOf(url: string): string | undefined {
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  const path = canonicalPath(url.slice(0, end))?.replace(FIXED_PART, (part) => part.toLowerCase());
  if (path === undefined || PERSONAL.has(path.toLowerCase())) return undefined;
  const page = SHARED.find(({ pattern }) => pattern.test(path));
  if (!page?.query) return page && path;
  const asked = page.query.safeParse({ ...parse(url.slice(end + 1)) });
  return asked.success ? `${path}?${JSON.stringify(asked.data)}` : undefined;
}

/** Returns the smallest encoding that the header accepts with a weight above zero. */
export function pageEncodingOf(accepted: string): 'br' | 'gzip' | 'identity' {
  const names = accepted
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim().toLowerCase()))
    .filter(([, weight = 'q=1']) => !/^q=0(?:[.]0*)?$/.test(weight))
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding)) ?? 'identity';
}
