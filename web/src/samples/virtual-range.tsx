import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';

/** Where the rows cannot be measured, as wide lists have them. */
const ROW_PX = 56;

interface Place {
  /** Of the list, from the top of the page. */
  topPx: number;
  rowPx: number;
}

function placeOf(box: HTMLElement | null): Place | null {
  if (!box) return null;
  return {
    topPx: Math.round(box.getBoundingClientRect().top + window.scrollY),
    rowPx: box.querySelector<HTMLElement>('.sample-row')?.offsetHeight || ROW_PX,
  };
}

/**
 * Says which rows of a long list are near the viewport; draws nothing. The row with the tab stop always counts as
 * near, so that focus is never lost.
 * @param props.box holds the rows
 */
export default function VirtualRange(props: {
  count: number;
  box: RefObject<HTMLElement | null>;
  keep: number;
  onChange: (indexes: readonly number[]) => void;
}) {
  const { count, box, keep, onChange } = props;
  const [place, setPlace] = useState(() => placeOf(box.current));
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => place?.rowPx ?? ROW_PX,
    overscan: 8,
    scrollMargin: place?.topPx ?? 0,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    rangeExtractor: (range) => {
      const shown = new Set(defaultRangeExtractor(range));
      // Its neighbours too: the arrow keys move the focus to them.
      for (const index of [keep - 1, keep, keep + 1]) {
        if (index >= 0 && index < count) shown.add(index);
      }
      return [...shown].sort((left, right) => left - right);
    },
  });
  const shown = virtualizer
    .getVirtualItems()
    .map(({ index }) => index)
    .join();
  // Looked at anew whenever other rows are near: what stands above may have grown, and a narrow list has higher rows.
  useLayoutEffect(() => {
    const now = placeOf(box.current);
    if (now && (now.topPx !== place?.topPx || now.rowPx !== place.rowPx)) setPlace(now);
  }, [box, shown, place]);
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, place?.rowPx]);
  useLayoutEffect(() => {
    if (place && shown) onChange(shown.split(',').map(Number));
  }, [place, shown, onChange]);
  return null;
}
