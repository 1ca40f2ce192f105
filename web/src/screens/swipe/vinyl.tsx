import { inksOf } from '../../ui/sound/inks.js';

const TICKS = 60;

/**
 * The record behind the sleeve. It turns at 33⅓ rpm while it plays; the ring around it shows the progress of the
 * preview.
 */
export function Vinyl({ genre, progress, spinning }: { genre: string; progress: number; spinning: boolean }) {
  const [ground, figure] = inksOf(genre);
  return (
    <svg
      viewBox="-130 -130 260 260"
      className="absolute top-0 -right-[6%] aspect-square h-full"
      aria-hidden="true"
    >
      {Array.from({ length: TICKS }, (_, tick) => (
        <path
          key={tick}
          d={tick % 10 === 0 ? 'M0-129v9' : 'M0-127v5'}
          transform={`rotate(${(tick * 360) / TICKS})`}
          stroke={tick / TICKS < progress ? 'var(--mark)' : 'var(--strong)'}
          strokeWidth="1.2"
        />
      ))}
      <g className={spinning ? 'animate-[spin_1.8s_linear_infinite]' : ''}>
        <circle r="118" fill="#060a09" />
        {[112, 104, 96, 88, 80, 72, 64, 56, 48].map((radius) => (
          <circle
            key={radius}
            r={radius}
            fill="none"
            stroke="#1b2d26"
            strokeWidth={radius % 3 === 1 ? 1.2 : 0.5}
          />
        ))}
        <path d="M41-10 112-38A118 118 0 0 1 117-14L43-5z" fill="#f2f4eb" opacity=".08" />
        <path d="M-41 0a41 41 0 0 1 82 0z" fill={figure} />
        <path d="M41 0a41 41 0 0 1-82 0z" fill={ground} />
        <circle r="4" fill="var(--page)" />
      </g>
    </svg>
  );
}
