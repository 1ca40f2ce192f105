import { ANALYSIS_RATE_HZ } from '../../../domain/catalogue/sound/mono-track.js';

const STEP = Math.round(ANALYSIS_RATE_HZ / 50);
/** The loudest moment of a struck sound is within this share of its length from the start. */
const ATTACK_SHARE = 0.35;
/** −34 dB: the end of a struck sound is at most this loud, compared with its loudest moment. */
const QUIET_SHARE = 0.02;
/** +6 dB above the quietest moment so far is a second stroke, unless it is below −30 dB. */
const STROKE = 2;
const AUDIBLE_SHARE = 0.032;

/** Returns whether a sound is struck once and then dies away, such as a drum, a cymbal or a plucked note. */
export function diesAway(mono: Float32Array): boolean {
  const levels: number[] = [];
  for (let at = 0; at < mono.length; at += STEP) {
    const step = mono.subarray(at, at + STEP);
    levels.push(Math.sqrt(step.reduce((sum, value) => sum + value * value, 0) / step.length));
  }
  const loudest = Math.max(0, ...levels);
  const at = levels.indexOf(loudest);
  const end = levels.slice(-Math.max(1, Math.ceil(levels.length / 20)));
  if (loudest === 0 || at > levels.length * ATTACK_SHARE) return false;
  if (Math.max(...end) > loudest * QUIET_SHARE) return false;
  let lowest = loudest;
  for (const level of levels.slice(at + 1)) {
    if (level > lowest * STROKE && level > loudest * AUDIBLE_SHARE) return false;
    lowest = Math.min(lowest, level);
  }
  return true;
}
