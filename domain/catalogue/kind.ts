import type { Kind, SuggestedKind } from '../shared/kind.js';

/** Regular expressions, also for PostgreSQL, of the words in a lowercased title that decide the sample's kind. */
export const TITLE_WORDS = {
  loop: '(?<![a-z0-9])loops?(?![a-z0-9])',
  'one-shot': '(?<![a-z0-9])one[ -]?shots?(?![a-z0-9])',
} as const;
const TITLED = { loop: new RegExp(TITLE_WORDS.loop), 'one-shot': new RegExp(TITLE_WORDS['one-shot']) };

/** A bar of four beats, with a tolerance for cuts and rounded tempos, in milliseconds times BPM. */
export const BAR_MS_BPM = 3.9 * 60_000;
/** A sample that is not a loop is a one-shot if it is shorter than this, and otherwise a take. */
export const ONE_SHOT_MS = 10_000;
/** `suggestKind` suggests a one-shot for a sound that is shorter than this, which is a beat at 120 BPM. */
const HIT_MS = 500;
/**
 * `suggestKind` suggests a take from this length on if the tempo is unknown, and suggests no loop, because hardly
 * anything this long repeats.
 */
const TAKE_MS = 60_000;
/** How far the end of a loop may be from a bar line. */
const BAR_TOLERANCE_MS = 25;

const kindIn = (titleLower: string): Kind | undefined =>
  (['loop', 'one-shot'] as const).find((kind) => TITLED[kind].test(titleLower));

interface Measured {
  titleLower: string;
  /** The tempo; 0 if unknown. */
  bpm: number;
  durationMs: number;
}

/**
 * Returns the stated kind, else the kind in the title. If neither exists, a sample with a tempo and at least one bar
 * is a loop. Any other sample is a one-shot below `ONE_SHOT_MS`, and otherwise a take.
 */
export function kindOf(sample: Measured & { kind?: Kind | null | undefined }): Kind {
  const { kind, titleLower, bpm, durationMs } = sample;
  const said = kind ?? kindIn(titleLower);
  if (said) return said;
  if (bpm * durationMs >= BAR_MS_BPM) return 'loop';
  return durationMs < ONE_SHOT_MS ? 'one-shot' : 'take';
}

/** Suggests the kind of an uploaded sound; null if nothing in the file decides it. */
export function suggestKind(
  sound: Measured & {
    /** The kind that loop points or a flag in the file state. */
    marked: Kind | null;
    /** Whether the sound has a single hit and then decays. */
    decays: boolean;
  },
): SuggestedKind | null {
  const { titleLower, bpm, durationMs, marked, decays } = sound;
  const named = kindIn(titleLower);
  if (named) return { kind: named, confidence: 0.97, because: 'name' };
  if (marked) return { kind: marked, confidence: 0.95, because: 'markers' };
  if (durationMs < HIT_MS) return { kind: 'one-shot', confidence: 0.95, because: 'length' };
  if (decays && durationMs < ONE_SHOT_MS) return { kind: 'one-shot', confidence: 0.9, because: 'decay' };
  if (bpm === 0) return durationMs >= TAKE_MS ? { kind: 'take', confidence: 0.9, because: 'length' } : null;
  const barMs = 240_000 / bpm;
  const bars = Math.round(durationMs / barMs);
  // Tempos are rounded to whole BPM, so the positions of bar lines are less exact in a long loop.
  const tolerance = BAR_TOLERANCE_MS + (durationMs * 0.5) / bpm;
  const isWhole = bars >= 1 && Math.abs(durationMs - bars * barMs) <= Math.min(tolerance, barMs / 8);
  return isWhole && durationMs < TAKE_MS ? { kind: 'loop', confidence: 0.9, because: 'length' } : null;
}
