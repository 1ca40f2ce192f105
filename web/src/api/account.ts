import { queryOptions } from '@tanstack/react-query';
import { pages, query } from './api.js';

export const ledgerQuery = (limit: number) => query('GET /api/credits/ledger', { query: { limit } });

export const creatorQuery = queryOptions({
  ...query('GET /api/creator'),
  // An open page polls, so that it shows the decision on an application or the end of a suspension.
  refetchInterval: ({ state: { data } }) =>
    data?.status === 'applied' || data?.status === 'asked' || data?.status === 'suspended' ? 10_000 : false,
});

/** The visitor's saved samples and packs, and the visitor's downloads; each newest first. */
export const savedQuery = pages('GET /api/library/saved', { query: { limit: 100 } });
export const downloadsQuery = pages('GET /api/library/downloads', { query: { limit: 100 } });

/** New packs of the creators and tags that the visitor follows. */
export const feedQuery = pages('GET /api/feed', { query: { limit: 24 } });

export type ExportsOf = 'me' | 'finance';

/** Exports that the user ordered, newest first. The query polls while the server prepares one of them. */
export const exportsQuery = (of: ExportsOf) =>
  queryOptions({
    ...query(`GET /api/${of}/exports`),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => state === 'preparing') ? 1_000 : false,
  });
