import { replaceEqualDeep } from '@tanstack/react-query';
import { type RefObject, useEffect } from 'react';
import { api } from '../api/api.js';
import { SEARCH_REFRESH_MS } from '../api/caching.js';
import { type SamplesRequest, samplesQuery } from '../api/catalogue.js';
import { queryClient } from '../api/query-client.js';

/** Ids of the rows on screen. */
function shownIn(list: HTMLElement): Set<string | undefined> {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-sample]')];
  const onScreen = rows.filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom >= 0 && top <= window.innerHeight;
  });
  return new Set(onScreen.map((row) => row.dataset.sample));
}

/** Refetches the first page, which has the counts, and the pages on screen. Refetches all pages if rows have moved. */
async function refresh(request: SamplesRequest, list: HTMLElement): Promise<void> {
  const { queryKey } = samplesQuery(request);
  const before = queryClient.getQueryData(queryKey);
  if (!before || queryClient.isFetching({ queryKey, exact: true }) > 0) return;
  const shown = shownIn(list);
  const wanted = before.pages.flatMap(({ items }, place) =>
    place === 0 || items.some(({ id }) => shown.has(id)) ? [place] : [],
  );
  const answers = await Promise.all(
    wanted.map((place) =>
      api('GET /api/samples', {
        query: { ...request, cursor: before.pageParams[place] as string | undefined },
      }),
    ),
  );
  // The list changed during the requests.
  if (queryClient.getQueryData(queryKey) !== before) return;
  const fresh = new Map(wanted.map((place, at) => [place, answers[at]]));
  const haveMoved = before.pages.some(({ nextCursor, total }, place) => {
    const answer = fresh.get(place);
    return answer !== undefined && (answer.nextCursor !== nextCursor || answer.total !== total);
  });
  if (haveMoved) return queryClient.invalidateQueries({ queryKey, exact: true });
  const pages = before.pages.map((page, place) => fresh.get(place) ?? page);
  queryClient.setQueryData(queryKey, replaceEqualDeep(before, { ...before, pages }));
}

/** Keeps a list of several pages as fresh as a single page, without fetching invisible pages. */
export function usePageRefresh(
  request: SamplesRequest,
  pageCount: number,
  list: RefObject<HTMLElement | null>,
): void {
  const asked = JSON.stringify(request);
  useEffect(() => {
    if (pageCount < 2) return;
    const timer = setInterval(() => {
      if (document.hidden || !list.current) return;
      refresh(JSON.parse(asked) as SamplesRequest, list.current).catch(() => undefined);
    }, SEARCH_REFRESH_MS);
    return () => clearInterval(timer);
  }, [asked, pageCount, list]);
}
