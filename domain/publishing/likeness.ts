export interface Comparison {
  /** The share of equal signs in two fingerprints. A sign is a rise or fall of energy. About 0.5 by chance. */
  agreement: number;
  /** The number of compared frames, 23 ms each. */
  frames: number;
  /** How well the phases of the two sounds agree, from 0 to 1. A copy keeps the phases of its original. */
  phases: number;
}

/** `held`: taken off sale until a decision. `listed`: stays on sale, but an administrator should listen. */
export type Tier = 'held' | 'listed';

// Thresholds, chosen with one half of about 380 sounds and checked with the other half (docs/measurements.md).

/** 24 frames are half a second. Shorter drum hits are often alike without copying, because drum machines are shared. */
const HELD = { agreement: 0.7, frames: 24, both: 0.97 };
const LISTED = { agreement: 0.58, both: 0.8 };
const LISTED_SHORT = { frames: 12, both: 0.95, phases: 0.15 };
const PHASES_WEIGH = 0.7;
/** If the phases fit less than this, the sounds are not copies, even if their signs agree. */
const LEAST_PHASES = 0.1;

/** Returns a tier and a score from agreement and phases: 70 to 100 for `held`, less for `listed`. */
export function likenessOf(comparison: Comparison): { tier: Tier; score: number } | undefined {
  const { agreement, frames, phases } = comparison;
  if (phases < LEAST_PHASES) return undefined;
  const both = agreement + PHASES_WEIGH * phases;
  if (agreement >= HELD.agreement && frames >= HELD.frames && both >= HELD.both)
    return { tier: 'held', score: Math.round(70 + 30 * Math.min(1, (both - HELD.both) / 0.5)) };
  // The fewer frames there are, the more of them agree by chance, so the more agreement is required.
  const isListed =
    agreement >= LISTED.agreement + 0.4 / Math.sqrt(frames) &&
    both >= LISTED.both &&
    (frames >= LISTED_SHORT.frames || (both >= LISTED_SHORT.both && phases >= LISTED_SHORT.phases));
  const rise = (both - LISTED.both) / (HELD.both - LISTED.both);
  return isListed ? { tier: 'listed', score: Math.round(40 + 29 * Math.min(1, rise)) } : undefined;
}
