import { parse } from 'node:querystring';
import type { ZodObject } from 'zod';
import { ENDPOINTS } from '../../../application/all-endpoints.js';
import { canonicalPath } from './canonical-path.js';

/** What answers every visitor the same. */
const SHARED = ENDPOINTS.filter(({ sameForVisitors }) => sameForVisitors).map(({ path, query }) => ({
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  query: query as ZodObject | undefined,
}));
/** Routes are found in any case; what they name is not. */
const FIXED_PART = /^\/api\/[a-z]+/i;

/**
 * One spelling for every address of a page that all visitors get: parameters as their schema reads them, and no others.
 * Undefined where there is no such page, and for a question that will be refused.
 */
export function pageAddressOf(url: string): string | undefined {
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  const path = canonicalPath(url.slice(0, end))?.replace(FIXED_PART, (part) => part.toLowerCase());
  if (path === undefined) return undefined;
  const page = SHARED.find(({ pattern }) => pattern.test(path));
  if (!page?.query) return page && path;
  const asked = page.query.safeParse({ ...parse(url.slice(end + 1)) });
  return asked.success ? `${path}?${JSON.stringify(asked.data)}` : undefined;
}

/**
 * The one encoding in which a page is sent: the smallest that the header names, with any weight but none.
 * What the header says beside that is passed over.
 */
export function pageEncodingOf(accepted: string): 'br' | 'gzip' | 'identity' {
  const names = accepted
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim().toLowerCase()))
    .filter(([, weight = 'q=1']) => !/^q=0(?:[.]0*)?$/.test(weight))
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding)) ?? 'identity';
}
