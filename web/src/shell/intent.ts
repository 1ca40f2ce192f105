import type { RouteObject } from 'react-router-dom';
import { queryClient } from '../api/query-client.js';
import { askFirst, fetchFirst } from './page-access.js';
import { fetchAhead } from './lazy-with-preload.js';
import { pageAt } from './page-at.js';

/** If the pointer or the focus rests on a link for this long, the page of the link is loaded ahead. */
export const INTENT_MS = 80;

function prepare(routes: RouteObject[], link: HTMLAnchorElement): void {
  const meant = pageAt(routes, link);
  if (!meant) return;
  void fetchAhead(meant.load);
  void askFirst(meant.page, meant.address, (query) => fetchFirst(queryClient, query));
}

export function prepareOnIntent(routes: RouteObject[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let meant: Element | null = null;
  const turn = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link === meant) return;
    meant = link;
    clearTimeout(timer);
    if (link?.origin !== window.location.origin || link.target || link.hasAttribute('download')) return;
    timer = setTimeout(prepare, INTENT_MS, routes, link);
  };
  const kinds = ['pointerover', 'focusin'];
  for (const kind of kinds) document.addEventListener(kind, turn, { passive: true });
  return () => {
    clearTimeout(timer);
    for (const kind of kinds) document.removeEventListener(kind, turn);
  };
}
