import { queryOptions } from '@tanstack/react-query';
import { query } from './api.js';

/** The visitor's latest credit movements, newest first. */
export const ledgerQuery = (limit: number) => query('GET /api/credits/ledger', { query: { limit } });

const DECISION_POLL_MS = 10_000;

/** Whether the visitor may publish; only when signed in. */
export const creatorQuery = queryOptions({
  ...query('GET /api/creator'),
  // An open page polls, so that it shows the decision on an application or the end of a suspension.
  refetchInterval: ({ state: { data } }) =>
    data?.status === 'applied' || data?.status === 'suspended' ? DECISION_POLL_MS : false,
});
