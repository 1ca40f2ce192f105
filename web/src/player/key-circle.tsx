import { Link } from 'react-router-dom';
import { paths } from '../paths.js';
import { circlePlaceOf, HOURS, keyAt } from '../project/circle.js';

/**
 * The keys that differ from a key by at most one note: its relative key, and its two neighbours on the circle of
 * fifths.
 */
export function fittingKeys(key: string): string[] {
  const place = circlePlaceOf(key);
  if (!place) return [];
  const { hour, mode } = place;
  return [
    keyAt({ hour, mode: mode === 'Major' ? 'Minor' : 'Major' }),
    keyAt({ hour: hour - 1, mode }),
    keyAt({ hour: hour + 1, mode }),
  ];
}

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

/** The circle of fifths with a sound's key and the keys that fit it, and links to more sounds in each of these keys. */
export function KeyCircle({ musicalKey, onFollow }: { musicalKey: string; onFollow?: () => void }) {
  const place = circlePlaceOf(musicalKey);
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
