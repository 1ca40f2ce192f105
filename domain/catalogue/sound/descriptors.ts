import { FACT_MAX, SOUND_FACTS } from './facts.js';
import { featuresOf } from './features.js';
import { placeOf } from './metric.js';

const LIMIT = 127;

/**
 * Returns what describes a sound, as whole numbers that fit in a signed byte: the learnt dimensions, the rhythm, the
 * pitch, and then the facts in the order of `SOUND_FACTS`. Returns null for silence.
 *
 * @param track mono audio at `SOUND_RATE_HZ`
 */
export function descriptorsOf(track: Float32Array): Float32Array | null {
  const features = featuresOf(track);
  if (!features) return null;
  const compared = [...placeOf(features.values), ...features.rhythm, ...features.pitch];
  const place = compared.map((value) => rounded(value, -LIMIT, LIMIT));
  const facts = SOUND_FACTS.map((fact) => rounded(features.facts[fact], 0, FACT_MAX));
  return Float32Array.from([...place, ...facts]);
}

const rounded = (value: number, min: number, max: number): number =>
  Math.max(min, Math.min(max, Math.round(value)));
