import { Link } from 'react-router-dom';
import { paths } from '../paths.js';

const LETTERS: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const ACCIDENTALS: Record<string, number> = { '': 0, '#': 1, b: -1 };
/** The keys on the circle of fifths, clockwise from the top. */
const MAJORS = ['C', 'G', 'D', 'A', 'E', 'B', 'F#', 'Db', 'Ab', 'Eb', 'Bb', 'F'] as const;
const MINORS = ['A', 'E', 'B', 'F#', 'C#', 'G#', 'D#', 'Bb', 'F', 'C', 'G', 'D'] as const;

export interface CirclePlace {
  /** The place on the circle as on a clock: 0 is the top, with C Major and A Minor. */
  hour: number;
  mode: 'Major' | 'Minor';
}

/** The position of a key on the circle of fifths; null if it is no key. @param key such as "F# Minor" */
export function placeOf(key: string): CirclePlace | null {
  const [, letter, accidental, mode] = /^([A-G])([#b]?) (Major|Minor)$/.exec(key) ?? [];
  if (!letter || !mode) return null;
  const pitch = (LETTERS[letter] ?? 0) + (ACCIDENTALS[accidental ?? ''] ?? 0) + (mode === 'Minor' ? 3 : 0);
  return { hour: (((pitch * 7) % 12) + 12) % 12, mode: mode as CirclePlace['mode'] };
}

export function keyAt({ hour, mode }: CirclePlace): string {
  const at = ((hour % 12) + 12) % 12;
  return `${(mode === 'Major' ? MAJORS : MINORS)[at]} ${mode}`;
}

/** The keys that share all notes but at most one with a key: its relative, and its neighbours on the circle. */
export function fittingKeys(key: string): string[] {
  const place = placeOf(key);
  if (!place) return [];
  const { hour, mode } = place;
  return [
    keyAt({ hour, mode: mode === 'Major' ? 'Minor' : 'Major' }),
    keyAt({ hour: hour - 1, mode }),
    keyAt({ hour: hour + 1, mode }),
  ];
}

const HOURS = Array.from({ length: 12 }, (_, hour) => hour);
const TONES = {
  here: ['fill-accent', 'fill-on-accent'],
  fits: ['fill-badge stroke-strong', 'fill-text'],
  other: ['fill-none', 'fill-muted'],
} as const;
const RADII = { Major: 82, Minor: 54 } as const;

function spot(hour: number, mode: 'Major' | 'Minor') {
  const angle = (hour / 12) * 2 * Math.PI - Math.PI / 2;
  return { x: Math.cos(angle) * RADII[mode], y: Math.sin(angle) * RADII[mode] };
}

/** The circle of fifths with a sound's key and the keys that fit it; each links to more sounds in that key. */
export function KeyCircle({ musicalKey, onFollow }: { musicalKey: string; onFollow?: () => void }) {
  const place = placeOf(musicalKey);
  if (!place) return null;
  const fitting = fittingKeys(musicalKey);
  const here = keyAt(place);
  return (
    <div className="flex items-center gap-5">
      <svg
        viewBox="-96 -96 192 192"
        width="180"
        height="180"
        className="flex-none"
        role="img"
        aria-label={`${musicalKey} on the circle of fifths`}
      >
        {(['Major', 'Minor'] as const).flatMap((mode) =>
          HOURS.map((hour) => {
            const key = keyAt({ hour, mode });
            const { x, y } = spot(hour, mode);
            const [spotClass, textClass] =
              TONES[key === here ? 'here' : fitting.includes(key) ? 'fits' : 'other'];
            return (
              <g key={key} transform={`translate(${x} ${y})`}>
                <circle r={mode === 'Major' ? 13 : 12} className={spotClass} />
                <text
                  textAnchor="middle"
                  dominantBaseline="central"
                  fontSize={mode === 'Major' ? 13 : 10.5}
                  className={`narrow font-semibold ${textClass}`}
                >
                  {key.split(' ')[0]}
                  {mode === 'Minor' && 'm'}
                </text>
              </g>
            );
          }),
        )}
      </svg>
      <div>
        <p className="mb-2 text-sm text-muted">Goes with {musicalKey}</p>
        <ul className="list-none p-0">
          {[musicalKey, ...fitting].map((key) => (
            <li key={key}>
              <Link to={paths.inKey(key)} className="underlined inline-block py-1" onClick={onFollow}>
                {key}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
