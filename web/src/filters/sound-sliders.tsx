import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { FACT_MAX, SOUND_FACTS, type SoundFact } from '../../../application/catalogue/values.js';
import { query } from '../api/api.js';
import type { SamplesRequest } from '../api/catalogue.js';
import { useOwnSound } from '../by-sound/own-sound.js';
import { IconButton } from '../ui/button.js';
import { useRangeThumbs } from './range-thumbs.js';
import { type Range, SOUND_LABELS, type SoundRanges, WHOLE, withSound } from './sounds.js';

const HEIGHT = 32;
/** The width of a bar as a share of the space for it. The rest is the gap to the next bar. */
const BAR = 0.7;

/**
 * A histogram of a fact of the sound over the results. Bars outside the chosen range are dim. A mark shows the value of
 * the visitor's own sound.
 */
function Histogram({ bars, range, own }: { bars: readonly number[]; range: Range; own: number | undefined }) {
  const most = Math.max(1, ...bars);
  return (
    <span className="relative block" aria-hidden="true">
      <svg
        viewBox={`0 0 ${Math.max(1, bars.length)} ${HEIGHT}`}
        preserveAspectRatio="none"
        shapeRendering="crispEdges"
        className="block h-8 w-full"
      >
        {bars.map((count, at) => {
          const height = count === 0 ? 0 : Math.max(1, (count / most) * HEIGHT);
          const middle = ((at + 0.5) * FACT_MAX) / bars.length;
          return (
            <rect
              key={at}
              x={at + (1 - BAR) / 2}
              y={HEIGHT - height}
              width={BAR}
              height={height}
              className={middle < range.min || middle > range.max ? 'fill-line' : 'fill-wave'}
            />
          );
        })}
      </svg>
      {own !== undefined && (
        <svg
          viewBox="0 0 12 44"
          className="absolute -top-3 h-11 w-3 -translate-x-full overflow-visible"
          style={{ left: `${(own / FACT_MAX) * 100}%` }}
        >
          <path d="M0 0h12v12z" className="fill-mark" />
          <path d="M12 12v32" className="stroke-mark" strokeDasharray="2 2" />
        </svg>
      )}
    </span>
  );
}

function SoundSlider(props: {
  fact: SoundFact;
  value: SoundRanges;
  onChange: (sounds: SoundRanges) => void;
  bars: readonly number[];
  own: number | undefined;
}) {
  const { fact, value, onChange, bars, own } = props;
  const { name, low, high } = SOUND_LABELS[fact];
  const chosen = value[fact];
  const { range, track } = useRangeThumbs({
    value: chosen ?? WHOLE,
    bounds: WHOLE,
    onRest: (rested) => onChange(withSound(value, fact, rested)),
    labels: { min: `Lowest ${name.toLowerCase()}`, max: `Highest ${name.toLowerCase()}` },
    textOf: (at) => `${at} of ${FACT_MAX}`,
    className: 'block w-full',
  });
  return (
    <div role="group" aria-label={name} className="min-w-0">
      <div className="mb-3.5 flex h-7 items-center justify-between">
        <span className="font-semibold">{name}</span>
        {chosen ? (
          <IconButton
            label={`Clear ${name.toLowerCase()}`}
            className="h-7 w-7"
            onClick={() => onChange(withSound(value, fact, WHOLE))}
          >
            <X size={15} />
          </IconButton>
        ) : (
          <span className="text-sm text-faint">Any</span>
        )}
      </div>
      <Histogram bars={bars} range={range} own={own} />
      {track}
      <div className="flex justify-between text-xs text-muted" aria-hidden="true">
        <span>{low}</span>
        <span>{high}</span>
      </div>
    </div>
  );
}

/** Five sliders that filter by facts of the sound. Above each is a histogram of the results. */
export default function SoundSliders(props: {
  value: SoundRanges;
  onChange: (sounds: SoundRanges) => void;
  request: SamplesRequest;
}) {
  const { value, onChange, request } = props;
  const { sort: _, ...asked } = request;
  const { data } = useQuery(query('GET /api/samples/by-sound/histograms', { query: asked }));
  const own = useOwnSound();
  return (
    <div role="group" aria-label="Sound" className="grid gap-x-6 gap-y-5 fit-140">
      {SOUND_FACTS.map((fact) => (
        <SoundSlider
          key={fact}
          {...{ fact, value, onChange }}
          bars={data?.[fact] ?? []}
          own={own?.status === 'ready' ? own.facts[fact] : undefined}
        />
      ))}
    </div>
  );
}
