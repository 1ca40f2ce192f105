import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import type { User } from '../../../application/accounts/contract.js';
import { pages, query } from '../api/api.js';
import { invalidate } from '../api/query-client.js';

/** The notices of the user, newest first. */
export const inboxQuery = pages('GET /api/inbox', { query: { limit: 50 } });

const STUDIO = /^\/(creator-pack|dashboard|earnings|inbox)\b/;

/**
 * Returns how many notices are unread. On creators' pages such as the dashboard, polls often enough to show a new
 * notice within two seconds.
 */
export function useUnread({ isCreator }: User): number {
  const isStudio = STUDIO.test(useLocation().pathname);
  const { data } = useQuery(
    queryOptions({
      ...query('GET /api/inbox/state'),
      refetchInterval: isStudio ? 1_500 : isCreator ? 30_000 : 120_000,
    }),
  );
  const newest = data?.newest;
  const before = useRef(newest);
  useEffect(() => {
    const known = before.current;
    before.current = newest;
    // Refetches what a new notice may be about: the approval of the creator, or a sale.
    if (known !== undefined && known !== newest)
      void invalidate('GET /api/inbox', 'GET /api/creator', 'GET /api/creator/balance');
  }, [newest]);
  return data?.unread ?? 0;
}
