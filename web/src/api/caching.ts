import { keepPreviousData } from '@tanstack/react-query';
import type { Key } from './endpoints.js';

export const PACK_CACHE_MS = 30 * 60_000;
export const SEARCH_REFRESH_MS = 8_000;

interface Caching {
  /** An answer counts as fresh for this long; 60 s by default. */
  freshMs?: number;
  pollMs?: number;
  /** While an answer with another input loads, the previous answer stays on screen. */
  keepsPrevious?: true;
  onFocus?: true;
}

/** Caching of all endpoints whose key begins with a prefix. Only the first prefix that fits counts. */
const AREAS: readonly [string, Caching][] = [
  ['GET /api/finance/', { freshMs: 10_000 }],
  ['GET /api/admin/', { freshMs: 5_000 }],
  ['GET /api/library/', { freshMs: 5_000 }],
  ['GET /api/collections/own', { freshMs: 5_000, onFocus: true }],
  ['GET /api/collections/invitations/', { freshMs: 5_000 }],
  ['GET /api/complaints', { freshMs: 5_000 }],
];

type Cachings = { [K in Key]?: Caching };

const CACHING: Cachings = {
  'GET /api/home': { freshMs: PACK_CACHE_MS },
  'GET /api/sounds': { freshMs: PACK_CACHE_MS },
  'GET /api/discover': { freshMs: PACK_CACHE_MS },
  'GET /api/packs/:handle/:slug': { freshMs: PACK_CACHE_MS },
  'GET /api/collections': { freshMs: PACK_CACHE_MS },
  'GET /api/collections/:slug': { freshMs: PACK_CACHE_MS },
  'GET /api/samples/:id/similar': { freshMs: PACK_CACHE_MS, keepsPrevious: true },
  'GET /api/samples/by-sound/histograms': { keepsPrevious: true },
  'POST /api/samples/by-sound': { keepsPrevious: true },
  'POST /api/workbenches/suggestions': { keepsPrevious: true },
  'GET /api/samples': { freshMs: SEARCH_REFRESH_MS, keepsPrevious: true },
  'GET /api/search/suggestions': { freshMs: 10_000, pollMs: 10_000, keepsPrevious: true },
  'GET /api/swipe': { freshMs: 10_000 },
  'GET /api/plans': { freshMs: Number.POSITIVE_INFINITY },
  'GET /api/credits': { freshMs: 10_000, onFocus: true },
  'GET /api/credits/ledger': { freshMs: 10_000 },
  'GET /api/me/exports': { freshMs: 5_000 },
  'GET /api/transparency': { freshMs: 5_000 },
  'GET /api/reports': { freshMs: 5_000 },
  'GET /dev/info': { freshMs: Number.POSITIVE_INFINITY },

  'GET /api/creator': { freshMs: 10_000, onFocus: true },
  'GET /api/creator/balance': { freshMs: 10_000 },
  'GET /api/creator/copies': { freshMs: 5_000 },
  'GET /api/creator/dashboard': { freshMs: 10_000 },
  'GET /api/creator/featured-candidates': { keepsPrevious: true },
  'GET /api/creator/packs': { freshMs: 5_000 },
  'GET /api/creator/packs/:id': { freshMs: 5_000 },
  'GET /api/creator/sales': { freshMs: 10_000, keepsPrevious: true },
  'GET /api/creator/statements': { freshMs: 5_000 },
  'GET /api/stripe/connect/countries': { freshMs: 3_600_000 },
  'GET /api/stripe/connect/status/:userId': { freshMs: 5_000 },
};

/** Adds caching rules for endpoints that the first load does not need, such as those for staff. */
export const addCaching = (more: Cachings): void => void Object.assign(CACHING, more);

export function cachingOf(key: Key) {
  const area = AREAS.find(([start]) => key.startsWith(start))?.[1];
  const { freshMs, pollMs, keepsPrevious, onFocus }: Caching = { ...area, ...CACHING[key] };
  return {
    ...(freshMs !== undefined && { staleTime: freshMs }),
    ...(pollMs && { refetchInterval: pollMs }),
    ...(onFocus && { refetchOnWindowFocus: true }),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  };
}
