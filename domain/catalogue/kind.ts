/** A loop repeats, a one-shot is triggered, and a take is a longer recording without a tempo. */
export const KINDS = ['loop', 'one-shot', 'take'] as const;
export type Kind = (typeof KINDS)[number];

/** Regular expressions, also for PostgreSQL, of the words in a lowercased title that decide the sample's kind. */
export const TITLE_WORDS = {
  loop: '(?<![a-z0-9])loops?(?![a-z0-9])',
  'one-shot': '(?<![a-z0-9])one[ -]?shots?(?![a-z0-9])',
} as const;
const TITLED = { loop: new RegExp(TITLE_WORDS.loop), 'one-shot': new RegExp(TITLE_WORDS['one-shot']) };

/** A bar of four beats, with a tolerance for cuts and rounded tempos, in milliseconds times BPM. */
export const BAR_MS_BPM = 3.9 * 60_000;
/** A sample without a tempo that is longer than this is a take. */
export const ONE_SHOT_MS = 10_000;

/** Returns the kind in the title. Otherwise a loop from one bar on, a one-shot below `ONE_SHOT_MS`, or a take. */
export function kindOf(sample: {
  titleLower: string;
  /** The tempo; 0 if unknown. */
  bpm: number;
  durationMs: number;
}): Kind {
  const { titleLower, bpm, durationMs } = sample;
  if (TITLED.loop.test(titleLower)) return 'loop';
  if (TITLED['one-shot'].test(titleLower)) return 'one-shot';
  if (bpm * durationMs >= BAR_MS_BPM) return 'loop';
  return durationMs < ONE_SHOT_MS ? 'one-shot' : 'take';
}
