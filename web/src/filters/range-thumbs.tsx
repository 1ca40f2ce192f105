import { clsx } from 'clsx';
import { useEffect, useEffectEvent, useState } from 'react';
import { useDebouncedValue } from '../ui/hooks/use-debounced-value.js';
import type { Range } from './sounds.js';

const SETTLE_MS = 200;

/**
 * Returns a track with two thumbs, for the lowest and the highest value, and the range that they show. Calls `onRest`
 * when the thumbs have not moved for a moment.
 */
export function useRangeThumbs(props: {
  value: Range;
  bounds: Range;
  onRest: (range: Range) => void;
  labels: Record<keyof Range, string>;
  textOf: (value: number) => string;
  className?: string;
}) {
  const { value, bounds, onRest, labels, textOf, className } = props;
  const { min, max } = value;
  const [range, setRange] = useState(value);
  const [given, setGiven] = useState(value);
  if (given.min !== min || given.max !== max) {
    setGiven(value);
    setRange(value);
  }
  const rested = useDebouncedValue(range, SETTLE_MS);
  const take = useEffectEvent(() => {
    if (rested.min !== min || rested.max !== max) onRest(rested);
  });
  useEffect(() => take(), [rested]);

  const share = (at: number) => `${((at - bounds.min) / (bounds.max - bounds.min)) * 100}%`;
  const thumb = (side: keyof Range) => (
    <input
      type="range"
      aria-label={labels[side]}
      aria-valuetext={textOf(range[side])}
      min={bounds.min}
      max={bounds.max}
      value={range[side]}
      // In the upper half, the lower thumb is on top. Else it could not be moved when both thumbs are at the upper end.
      style={side === 'min' && range.min > (bounds.min + bounds.max) / 2 ? { zIndex: 1 } : undefined}
      onChange={({ target }) => {
        const at = target.valueAsNumber;
        setRange((now) =>
          side === 'min' ? { ...now, min: Math.min(at, now.max) } : { ...now, max: Math.max(at, now.min) },
        );
      }}
    />
  );
  const track = (
    <span
      className={clsx('tempo-track relative h-7', className)}
      style={{ '--from': share(range.min), '--to': share(range.max) } as object}
    >
      {thumb('min')}
      {thumb('max')}
    </span>
  );
  return { range, track };
}
