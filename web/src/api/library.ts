import { pages } from './api.js';

/** Everything the visitor saved, newest first. */
export const savedQuery = pages('GET /api/library/saved', { query: { limit: 100 } });

/** Everything the visitor downloaded, newest first. */
export const downloadsQuery = pages('GET /api/library/downloads', { query: { limit: 100 } });
