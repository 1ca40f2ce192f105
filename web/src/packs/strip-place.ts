import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';

const KEPT_LIMIT = 100;
const kept = new Map<string, number>();

const scrollAcross = (element: HTMLElement, leftPx: number) => {
  element.scrollLeft = leftPx;
};

/** Restores the scroll position of a strip when the visitor returns to this page with back or forward. */
export function useStripPlace(strip: RefObject<HTMLElement | null>, name: string, filled: boolean): void {
  const { key, pathname } = useLocation();
  const place = `${key === 'default' ? pathname : key} ${name}`;
  useLayoutEffect(() => {
    const leftPx = kept.get(place);
    if (filled && leftPx && strip.current) scrollAcross(strip.current, leftPx);
  }, [strip, place, filled]);
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const keep = () => {
      kept.delete(place);
      kept.set(place, element.scrollLeft);
      const [oldest] = kept.keys();
      if (kept.size > KEPT_LIMIT && oldest !== undefined) kept.delete(oldest);
    };
    element.addEventListener('scroll', keep, { passive: true });
    return () => element.removeEventListener('scroll', keep);
  }, [strip, place, filled]);
}
