import { TEMPO_MAX_BPM, TEMPO_MIN_BPM } from '../../../application/catalogue/values.js';
import { type TempoRange, tempoText } from './filters.js';
import { useRangeThumbs } from './range-thumbs.js';

/** A slider with two thumbs, for the lowest and the highest tempo. */
export function TempoSlider(props: { value: TempoRange; onChange: (range: TempoRange) => void }) {
  const { value, onChange } = props;
  const { range, track } = useRangeThumbs({
    value: { min: value.bpmMin, max: value.bpmMax },
    bounds: { min: TEMPO_MIN_BPM, max: TEMPO_MAX_BPM },
    onRest: ({ min, max }) => onChange({ bpmMin: min, bpmMax: max }),
    labels: { min: 'Lowest tempo', max: 'Highest tempo' },
    textOf: (bpm) => `${bpm} BPM`,
    className: 'w-40 max-md:flex-1',
  });
  return (
    <div
      role="group"
      aria-label="Tempo"
      className="inline-flex h-10 flex-none items-center gap-3 rounded border border-strong bg-surface px-3 max-md:w-full"
    >
      <span className="text-muted">Tempo</span>
      {track}
      <output className="narrow w-20.5 text-right font-semibold">
        {tempoText({ bpmMin: range.min, bpmMax: range.max })}
      </output>
    </div>
  );
}
