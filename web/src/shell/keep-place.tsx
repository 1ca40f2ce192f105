import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { keep, kept } from '../kept.js';
import { scrollTops, unscrolled } from '../navigation.js';
import { placeKey, useBackOverPage } from '../ui/overlays/back.js';

/** On a slow network each answer, and thus each growth of the page, takes many seconds. */
const PATIENCE_MS = 30_000;
const SETTLE_MS = 400;
const OWN_WILL = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Keeps the window at a scroll position while the page grows. Ends when the visitor acts, when the page has stopped
 * growing, or when the returned function is called.
 */
function scrollAsItGrows(topPx: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(timer);
    growth.disconnect();
    for (const kind of OWN_WILL) window.removeEventListener(kind, end);
  };
  const go = () => {
    window.scrollTo(0, topPx);
    clearTimeout(timer);
    timer = setTimeout(end, Math.abs(window.scrollY - topPx) < 2 ? SETTLE_MS : PATIENCE_MS);
  };
  const growth = new ResizeObserver(go);
  growth.observe(document.body);
  for (const kind of OWN_WILL) window.addEventListener(kind, end, { passive: true });
  return end;
}

const KEPT = 'scroll-tops';
const inTab = () => window.sessionStorage;

/**
 * Stores the scroll positions for a reload. While the page is open, `KeepPlace` restores positions instead of the
 * browser, because content loads later.
 */
function useKeptTops(key: string): void {
  useEffect(() => {
    window.history.scrollRestoration = 'manual';
    const store = () => {
      scrollTops[key] = window.scrollY;
      window.history.scrollRestoration = 'auto';
      keep(KEPT, scrollTops, inTab);
    };
    window.addEventListener('pagehide', store);
    return () => window.removeEventListener('pagehide', store);
  }, [key]);
}

/** Shows each page at its top or anchor, and returns to the scroll position after back, forward and a reload. */
export function KeepPlace() {
  useBackOverPage();
  const location = useLocation();
  const key = placeKey(location);
  const isFirst = useRef(true);
  useKeptTops(key);
  useLayoutEffect(() => {
    const wasFirst = isFirst.current;
    isFirst.current = false;
    if (wasFirst) Object.assign(scrollTops, kept(KEPT, inTab));
    const topPx = scrollTops[key];
    if (topPx !== undefined) {
      window.scrollTo(0, topPx);
      // React calls the returned function before it shows the next page, so that the next page does not scroll.
      return topPx > 0 ? scrollAsItGrows(topPx) : undefined;
    }
    const anchor = location.hash && document.getElementById(location.hash.slice(1));
    if (anchor) anchor.scrollIntoView();
    // The first page keeps its position, because the visitor may have scrolled before this script ran.
    else if (!wasFirst && !unscrolled.has(location.key)) window.scrollTo(0, 0);
    return undefined;
  }, [key, location]);
  return null;
}
