import { infiniteQueryOptions } from '@tanstack/react-query';
import { pages } from './api.js';

const ALL = { query: { limit: 100 } };

/** Everything the visitor saved, newest first. */
export const savedQuery = infiniteQueryOptions({ ...pages('GET /api/library/saved', ALL), staleTime: 5_000 });

/** Everything the visitor downloaded, newest first. */
export const downloadsQuery = infiniteQueryOptions({
  ...pages('GET /api/library/downloads', ALL),
  staleTime: 5_000,
});
