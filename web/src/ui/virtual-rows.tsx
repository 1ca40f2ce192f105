import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

const LONG_ABOVE_ROWS = 100;
/** The height of a row in wide lists, assumed while the box has no height. */
const ROW_PX = 56;
/** Extra rows beyond the edges of the viewport, so that scrolling shows no gaps. */
const MARGIN_ROWS = 8;
const FIRST_ROWS = 20;

interface Range {
  from: number;
  to: number;
}

/** The range of rows near the viewport, if all `count` rows fill the box evenly; `to` is exclusive. */
function rangeIn(box: HTMLElement, count: number): Range {
  const { top, height } = box.getBoundingClientRect();
  const rowPx = height / count || ROW_PX;
  const within = (row: number) => Math.max(0, Math.min(count, row));
  return {
    from: within(Math.floor(-top / rowPx) - MARGIN_ROWS),
    to: within(Math.ceil((window.innerHeight - top) / rowPx) + MARGIN_ROWS),
  };
}

/** The indexes of the rows to render, in order. @param box as high as all rows together */
function useNearRows(
  box: RefObject<HTMLElement | null>,
  { count, isLong, keep }: { count: number; isLong: boolean; keep: number },
): number[] {
  const [range, setRange] = useState<Range>({ from: 0, to: FIRST_ROWS });
  useLayoutEffect(() => {
    const element = box.current;
    if (!isLong || !element) return;
    const look = () => {
      const now = rangeIn(element, count);
      setRange((before) => (before.from === now.from && before.to === now.to ? before : now));
    };
    look();
    // Renders before the next frame, which would otherwise be empty after a long jump.
    const scrolled = () => flushSync(look);
    const growth = new ResizeObserver(look);
    growth.observe(document.body);
    window.addEventListener('scroll', scrolled, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      growth.disconnect();
      window.removeEventListener('scroll', scrolled);
      window.removeEventListener('resize', look);
    };
  }, [box, count, isLong]);
  return useMemo(() => {
    const all = Array.from({ length: count }, (_, index) => index);
    if (!isLong) return all;
    return all.filter((index) => (index >= range.from && index < range.to) || Math.abs(index - keep) <= 1);
  }, [count, isLong, keep, range]);
}

/** All rows of a short list; above 100 rows, those near the viewport. `--row` is the height of a row. */
export function VirtualRows(props: {
  count: number;
  /** Index of the row with the tab stop. That row and its neighbours always exist, so that focus is never lost. */
  keep: number;
  keyOf: (index: number) => string | undefined;
  children: (index: number) => ReactNode;
}) {
  const { count, keep, keyOf, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const isLong = count > LONG_ABOVE_ROWS;
  const indexes = useNearRows(box, { count, isLong, keep });
  return (
    <div
      ref={box}
      role="presentation"
      className="virtual-rows relative"
      style={isLong ? { height: `calc(${count} * var(--row))` } : undefined}
    >
      {indexes.map((index) => (
        <div
          key={keyOf(index)}
          role="presentation"
          className={isLong ? 'absolute inset-x-0' : undefined}
          style={isLong ? { top: `calc(${index} * var(--row))` } : undefined}
        >
          {children(index)}
        </div>
      ))}
    </div>
  );
}
