import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';

/** Only the rows near the viewport exist; the row with the tab stop always does, so that focus is never lost. */
export default function VirtualRows(props: {
  samples: readonly Sample[];
  renderRow: (sample: Sample, index: number) => ReactNode;
  keep: string | null | undefined;
}) {
  const { samples, renderRow, keep } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (box.current) setTop(box.current.getBoundingClientRect().top + window.scrollY);
  }, []);
  const kept = samples.findIndex(({ id }) => id === keep);
  const virtualizer = useWindowVirtualizer({
    count: samples.length,
    estimateSize: () => (window.innerWidth < 768 ? 80 : 56),
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => samples[index]?.id ?? index,
    rangeExtractor: (range) => {
      const shown = new Set(defaultRangeExtractor(range));
      // Its neighbours too: the arrow keys move the focus to them.
      for (const index of [kept - 1, kept, kept + 1]) {
        if (index >= 0 && index < samples.length) shown.add(index);
      }
      return [...shown].sort((left, right) => left - right);
    },
  });
  return (
    <div ref={box} role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
      {virtualizer.getVirtualItems().map((item) => {
        const sample = samples[item.index];
        return (
          sample && (
            <div
              key={item.key}
              role="presentation"
              style={{ position: 'absolute', insetInline: 0, top: item.start - top }}
            >
              {renderRow(sample, item.index)}
            </div>
          )
        );
      })}
    </div>
  );
}
