import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';

const WIDTH_BEFORE_LAYOUT = 720;

/** The width of the element that holds a chart, updated when it changes. */
export function useWidth() {
  const [width, setWidth] = useState(WIDTH_BEFORE_LAYOUT);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth || WIDTH_BEFORE_LAYOUT);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { width, box };
}

/** The active point of a chart, selected by pointer or arrow keys. */
export function useActivePoint(count: number) {
  const [active, setActive] = useState<number | null>(null);
  const at = active !== null && active < count ? active : null;
  const move = (event: KeyboardEvent) => {
    const from = at ?? count;
    const targets: Record<string, number> = {
      ArrowLeft: Math.max(0, from - 1),
      ArrowRight: Math.min(count - 1, at === null ? 0 : from + 1),
      Home: 0,
      End: count - 1,
    };
    const next = targets[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setActive(next);
  };
  return { at, setActive, move };
}
