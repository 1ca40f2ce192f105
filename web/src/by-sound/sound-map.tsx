import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { player } from '../player/player.js';
import { askSimilar } from '../samples/similar-request.js';
import { matchOf } from './balance.js';
import { type NearSample, reasonText } from './nearest-row.js';
import type { SoundFacts } from '../../../application/catalogue/values.js';

const SIZE = 400;
const MIDDLE = SIZE / 2;
const EDGE = 24;
/** This many of the nearest sounds are opaque and inside the outline. The others are half transparent. */
const NEAREST = 10;
const REST_MS = 150;
/** The distance of the nearest sound from the middle of the map, as a share of the distance to its edge. */
const INNER = 0.3;

/**
 * The marks of the most frequent instruments. Each has its own shape, for visitors who cannot distinguish the colours.
 */
const MARKS = [
  { path: 'M-5-5h10v10h-10z', fill: 'fill-(--c1)' },
  { path: 'M0-6.5 6.5 0 0 6.5-6.5 0z', fill: 'fill-(--c2)' },
  { path: 'M-7-2.5H7v5H-7z', fill: 'fill-(--c5)' },
  { path: 'M-5-5 5 5H-5z', fill: 'fill-(--c3)' },
  { path: 'M0-6 6 5H-6z', fill: 'fill-ok' },
] as const;
const OTHER = { path: 'M-3-3h6v6h-6z', fill: 'fill-faint' };

const KEY = 'border border-strong px-1.5 py-0.5 font-sans font-semibold';

const octagon = (radius: number): string =>
  Array.from({ length: 8 }, (_, at) => {
    const angle = ((at + 0.5) * Math.PI) / 4;
    return `${MIDDLE + radius * Math.cos(angle)},${MIDDLE + radius * Math.sin(angle)}`;
  }).join(' ');

interface Place {
  sample: NearSample;
  x: number;
  y: number;
  radius: number;
}

/**
 * Places sounds around the visitor's sound: the nearest at `INNER`, brighter ones to the right, shorter ones upwards.
 * The differences in brightness and in decay are each divided by their overall size. Otherwise, if most sounds were
 * much longer than the visitor's sound, all of them would overlap below it.
 */
export function placesOf(items: readonly NearSample[], own: SoundFacts): Place[] {
  const distances = items.map(({ distance = 0 }) => distance);
  const [least, most] = [Math.min(...distances), Math.max(...distances)];
  const differences = items.map(({ sound }) => ({
    right: (sound?.brightness ?? own.brightness) - own.brightness,
    up: own.decay - (sound?.decay ?? own.decay),
  }));
  const usualRight = Math.hypot(...differences.map(({ right }) => right)) || 1;
  const usualUp = Math.hypot(...differences.map(({ up }) => up)) || 1;
  return items.map((sample, at) => {
    const { right = 0, up = 0 } = differences[at] ?? {};
    // Sounds without a difference get various angles, so that they do not hide each other.
    const angle = right === 0 && up === 0 ? at * 2.4 : Math.atan2(up / usualUp, right / usualRight);
    const share = ((sample.distance ?? 0) - least) / (most - least || 1);
    const radius = (INNER + (1 - INNER) * share) * (MIDDLE - EDGE);
    return {
      sample,
      radius,
      x: MIDDLE + radius * Math.cos(angle),
      y: MIDDLE - radius * Math.sin(angle),
    };
  });
}

/** The most frequent instruments, as many as there are marks. The place of each in this list selects its mark. */
function instrumentsOf(items: readonly NearSample[]): string[] {
  const counts = new Map<string, number>();
  for (const { instruments } of items)
    if (instruments[0]) counts.set(instruments[0], (counts.get(instruments[0]) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MARKS.length)
    .map(([instrument]) => instrument);
}

/** A map of the nearest sounds around the visitor's own. The list beside it has the same sounds, nearest first. */
export default function SoundMap(props: { items: readonly NearSample[]; own: SoundFacts; name: string }) {
  const { items, own, name } = props;
  const [chosen, setChosen] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const places = placesOf(items, own);
  const instruments = instrumentsOf(items);
  const markOf = ({ instruments: [first = ''] }: NearSample) => MARKS[instruments.indexOf(first)] ?? OTHER;
  const selected = places[Math.min(chosen, places.length - 1)];
  if (!selected) return null;
  const play = (sample: NearSample) => {
    if (player.getState().currentlyPlaying !== sample.id) void player.play(sample, { queue: items });
  };
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const step = steps[event.key];
    if (event.key === 'Enter') askSimilar(selected.sample);
    else if (step === undefined) return;
    else {
      const next = Math.max(0, Math.min(places.length - 1, chosen + step));
      setChosen(next);
      play((places[next] as Place).sample);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const within = places[NEAREST - 1]?.radius ?? MIDDLE - EDGE;
  return (
    <section aria-label="Map" className="sticky top-24 self-start">
      <h2 className="display pb-3 text-3xl">Map</h2>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- The arrow keys move within the map.
        tabIndex={0}
        role="application"
        aria-label="Nearest sounds. Arrow keys go to the next nearest, Enter finds sounds like it."
        onKeyDown={move}
        className="relative border border-line bg-inset"
      >
        <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className="block w-full" aria-hidden="true">
          <polygon points={octagon(within / Math.cos(Math.PI / 8))} className="fill-none stroke-strong" />
          <line x1={MIDDLE} y1={MIDDLE} x2={selected.x} y2={selected.y} className="stroke-text" />
          {places.map(({ sample, x, y }, at) => {
            const { path, fill } = markOf(sample);
            return (
              <path
                key={sample.id}
                d={path}
                transform={`translate(${x} ${y})`}
                opacity={at < NEAREST ? 1 : 0.5}
                strokeWidth={at === chosen ? 2 : 8}
                className={`${at === chosen ? 'fill-mark stroke-text' : `${fill} stroke-transparent`} cursor-pointer`}
                onPointerEnter={() => {
                  setChosen(at);
                  timer.current = setTimeout(() => play(sample), REST_MS);
                }}
                onPointerLeave={() => clearTimeout(timer.current)}
                onClick={() => play(sample)}
              />
            );
          })}
          <path d={`M${MIDDLE - 10} ${MIDDLE - 10}h20v20z`} className="fill-mark" />
          <text x={SIZE - 8} y={SIZE - 8} textAnchor="end" className="fill-muted text-xs">
            brighter →
          </text>
          <text x={8} y={16} className="fill-muted text-xs">
            ↑ shorter
          </text>
        </svg>
        <span className="own-sound absolute top-1/2 left-1/2 -mt-3 max-w-40 -translate-full truncate px-2 py-0.5 text-xs font-semibold">
          {name}
        </span>
      </div>
      <p role="status" className="min-h-11 py-2.5 text-sm">
        <strong>{selected.sample.title}</strong> · {matchOf(selected.sample.distance ?? 0)} % ·{' '}
        {reasonText(selected.sample.reasons)}
      </p>
      <ul aria-label="Marks" className="flex list-none flex-wrap gap-x-4 gap-y-1 p-0 text-sm text-muted">
        {instruments.map((instrument, at) => (
          <li key={instrument} className="flex items-center gap-1.5">
            <svg viewBox="-8 -8 16 16" width="14" height="14" aria-hidden="true">
              <path d={MARKS[at]?.path} className={MARKS[at]?.fill} />
            </svg>
            {instrument}
          </li>
        ))}
      </ul>
      <p className="mt-3 flex justify-between border-t border-line pt-2.5 text-sm text-muted">
        <span>
          <kbd className={KEY}>←</kbd> <kbd className={KEY}>→</kbd> to the next nearest
        </span>
        <span>
          <kbd className={KEY}>Enter</kbd> find sounds like it
        </span>
      </p>
    </section>
  );
}
