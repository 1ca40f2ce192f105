import { SOUND_FACTS, type SoundFacts } from '../../../application/catalogue/values.js';

/** A difference of this size or more makes a bar as high as possible. */
const FULL = 25;
const HALF = 9;

/**
 * Five bars for how a sound differs in brightness, punch, decay, noise and warmth. A bar upwards means more. Screen
 * readers skip the picture, because a text beside it says the same.
 */
export function SoundDifferences({ from, to }: { from: SoundFacts; to: SoundFacts }) {
  return (
    <svg viewBox="0 0 59 20" width="59" height="20" shapeRendering="crispEdges" aria-hidden="true">
      {SOUND_FACTS.map((fact, at) => {
        const height = Math.max(-HALF, Math.min(HALF, ((to[fact] - from[fact]) / FULL) * HALF));
        const isSame = Math.abs(height) < 1;
        return (
          <rect
            key={fact}
            x={at * 12}
            width="8"
            y={isSame ? 9 : height > 0 ? 10 - height : 10}
            height={isSame ? 2 : Math.abs(height)}
            className={height >= 1 ? 'fill-text' : 'fill-wave'}
          />
        );
      })}
    </svg>
  );
}
