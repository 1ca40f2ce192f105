import { clsx } from 'clsx';
import { Fragment, type KeyboardEvent, useId } from 'react';
import { fitOf, fitsAsItIs, type MusicalKey } from '../../../application/catalogue/values.js';
import { circlePlaceOf, HOURS, keyAt } from './circle.js';

const RINGS = { Major: [96, 140], Minor: [58, 96] } as const;
const MODES = ['Major', 'Minor'] as const;
const SLIDE = 10;

const pointAt = (hour: number, radius: number): [x: number, y: number] => {
  const angle = (hour / 12) * 2 * Math.PI - Math.PI / 2;
  return [Math.cos(angle) * radius, Math.sin(angle) * radius];
};

/** Returns the corners of a key's piece of the circle, as an SVG polygon: between two radii, with straight sides. */
const pieceOf = (hour: number, [inner, outer]: readonly [number, number]): string =>
  [
    pointAt(hour - 0.5, outer),
    pointAt(hour + 0.5, outer),
    pointAt(hour + 0.5, inner),
    pointAt(hour - 0.5, inner),
  ]
    .map((point) => point.map((part) => part.toFixed(1)).join())
    .join(' ');

const STEPS: Partial<Record<string, { turn: number; mode?: 'Major' | 'Minor' }>> = {
  ArrowRight: { turn: 1 },
  ArrowLeft: { turn: -1 },
  ArrowUp: { turn: 0, mode: 'Major' },
  ArrowDown: { turn: 0, mode: 'Minor' },
};

const LOOKS = {
  chosen: { piece: 'fill-accent stroke-mark', label: 'fill-on-accent' },
  fits: { piece: 'fill-accent-wash stroke-mark', label: 'fill-accent-text' },
  other: { piece: 'fill-inset stroke-raised hover:fill-hover', label: 'fill-text' },
} as const;

/**
 * The circle of fifths to choose a key from: one tab stop, Left and Right move along the circle, Up and Down choose
 * major or minor, Delete clears the key.
 */
export function KeyWheel(props: { value: MusicalKey | null; onChange: (key: MusicalKey | null) => void }) {
  const { value, onChange } = props;
  const id = useId();
  const chosen = circlePlaceOf(value);
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step && event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    event.stopPropagation();
    if (!step) return onChange(null);
    const { hour, mode } = chosen ?? { hour: -step.turn, mode: 'Major' };
    onChange(keyAt({ hour: hour + step.turn, mode: step.mode ?? mode }));
  };
  const [note, scale] = value?.split(' ') ?? [];
  return (
    <svg
      viewBox="-154 -154 308 308"
      role="listbox"
      tabIndex={0}
      aria-label="Circle of fifths"
      aria-activedescendant={chosen ? `${id}-${keyAt(chosen)}` : undefined}
      className="block w-full max-w-80 select-none"
      onKeyDown={press}
    >
      {HOURS.map((hour) => {
        const isChosenHour = chosen?.hour === hour;
        const [x, y] = pointAt(hour, SLIDE);
        return (
          <g
            key={hour}
            role="presentation"
            className="transition-transform duration-180"
            style={isChosenHour ? { transform: `translate(${x}px, ${y}px)` } : undefined}
          >
            {MODES.map((mode) => {
              const key = keyAt({ hour, mode });
              const isChosen = isChosenHour && chosen.mode === mode;
              const fits = value !== null && fitsAsItIs(fitOf({ bpm: 0, key }, { tempo: 120, key: value }));
              const { piece, label } = LOOKS[isChosen ? 'chosen' : fits ? 'fits' : 'other'];
              const [textX, textY] = pointAt(hour, (RINGS[mode][0] + RINGS[mode][1]) / 2 - 1);
              return (
                <Fragment key={mode}>
                  {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The list handles the keys. */}
                  <polygon
                    id={`${id}-${key}`}
                    role="option"
                    aria-selected={isChosen}
                    aria-label={fits && !isChosen ? `${key}, fits as it is` : key}
                    className={`cursor-pointer stroke-2 ${piece}`}
                    points={pieceOf(hour, RINGS[mode])}
                    onClick={() => onChange(isChosen ? null : key)}
                  />
                  <text
                    x={textX}
                    y={textY}
                    textAnchor="middle"
                    dominantBaseline="central"
                    aria-hidden="true"
                    className={clsx(
                      'pointer-events-none font-bold',
                      label,
                      mode === 'Major' ? 'text-lg' : 'text-xs',
                    )}
                  >
                    {key.split(' ')[0]}
                    {mode === 'Minor' && <tspan className="font-normal"> m</tspan>}
                  </text>
                </Fragment>
              );
            })}
          </g>
        );
      })}
      <g aria-hidden="true" textAnchor="middle">
        <text y={note ? 2 : 5} className={note ? 'display fill-text text-5xl' : 'fill-muted text-sm'}>
          {note ?? 'No key'}
        </text>
        <text y={22} className="fill-muted text-sm">
          {scale?.toLowerCase()}
        </text>
      </g>
    </svg>
  );
}
