import { useContext, useLayoutEffect } from 'react';
import { ScrollRestoration, UNSAFE_DataRouterStateContext as RouterState } from 'react-router-dom';
import { placeKey, useBackOverPage } from '../ui/overlays/back.js';

/** The scrolling gives up when the page has not grown for this long. */
export const PATIENCE_MS = 5_000;
/** Content that loads above may move the position for this long. */
const SETTLE_MS = 400;
const OWN_WILL = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls down as the page grows, until the position is reached or the visitor scrolls.
 * @returns a function that stops it
 */
export function scrollAsItGrows(topPx: number): () => void {
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

/**
 * Restores the scroll position after a reload, and after back and forward. The router scrolls before the content has
 * loaded; this continues from there.
 */
export function KeepPlace() {
  useBackOverPage();
  const state = useContext(RouterState);
  const topPx = state?.restoreScrollPosition;
  const key = state?.location.key;
  // Stops before the next page, because that grows at once.
  useLayoutEffect(() => {
    if (typeof topPx === 'number' && topPx > 0) return scrollAsItGrows(topPx);
  }, [topPx, key]);
  return <ScrollRestoration getKey={placeKey} />;
}
