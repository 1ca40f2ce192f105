import { useEffect, useEffectEvent, useState } from 'react';
import { TEMPO_MAX_BPM, TEMPO_MIN_BPM } from '../../../application/catalogue/values.js';
import { useDebouncedValue } from '../ui/hooks/use-debounced-value.js';
import { type TempoRange, tempoText } from './filters.js';

const SETTLE_MS = 200;
const share = (bpm: number) => ((bpm - TEMPO_MIN_BPM) / (TEMPO_MAX_BPM - TEMPO_MIN_BPM)) * 100;

/** A slider with two thumbs, for the lowest and the highest tempo. A change takes effect when the thumb rests. */
export function TempoSlider(props: { value: TempoRange; onChange: (range: TempoRange) => void }) {
  const { value, onChange } = props;
  const { bpmMin, bpmMax } = value;
  const [range, setRange] = useState(value);
  const [given, setGiven] = useState(value);
  if (given.bpmMin !== bpmMin || given.bpmMax !== bpmMax) {
    setGiven(value);
    setRange(value);
  }
  const rested = useDebouncedValue(range, SETTLE_MS);
  const take = useEffectEvent(() => {
    if (rested.bpmMin !== bpmMin || rested.bpmMax !== bpmMax) onChange(rested);
  });
  useEffect(() => take(), [rested]);

  const thumb = (side: 'bpmMin' | 'bpmMax', label: string) => (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={`${range[side]} BPM`}
      min={TEMPO_MIN_BPM}
      max={TEMPO_MAX_BPM}
      value={range[side]}
      // If both thumbs meet at the upper end, the visitor must still reach the lower one.
      style={side === 'bpmMin' && range.bpmMin > TEMPO_MAX_BPM / 2 ? { zIndex: 1 } : undefined}
      onChange={({ target }) => {
        const bpm = target.valueAsNumber;
        setRange((now) =>
          side === 'bpmMin'
            ? { ...now, bpmMin: Math.min(bpm, now.bpmMax) }
            : { ...now, bpmMax: Math.max(bpm, now.bpmMin) },
        );
      }}
    />
  );
  return (
    <div
      role="group"
      aria-label="Tempo"
      className="inline-flex h-10 flex-none items-center gap-3 rounded border border-strong bg-surface px-3 max-md:w-full"
    >
      <span className="text-muted">Tempo</span>
      <span
        className="tempo-track relative h-7 w-40 max-md:flex-1"
        style={{ '--from': `${share(range.bpmMin)}%`, '--to': `${share(range.bpmMax)}%` } as object}
      >
        {thumb('bpmMin', 'Lowest tempo')}
        {thumb('bpmMax', 'Highest tempo')}
      </span>
      <output className="narrow w-20.5 text-right font-semibold">{tempoText(range)}</output>
    </div>
  );
}
