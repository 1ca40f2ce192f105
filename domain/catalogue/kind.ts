/** How a producer uses a sample: as a repeated loop, or as a triggered one-shot. */
export type Kind = 'loop' | 'one-shot';

export const KIND_NAMES: Readonly<Record<Kind, readonly string[]>> = {
  loop: ['loop', 'loops'],
  'one-shot': ['one shot', 'one shots', 'one-shot', 'one-shots', 'oneshot', 'oneshots'],
};

/** A bar of four beats, with a tolerance for cuts and rounded tempos. */
export const LOOP_BEATS = 3.9;
/** Longer samples without a tempo are textures and recordings, which have no kind. */
export const ONE_SHOT_MS = 10_000;

const named = (kind: Kind): RegExp =>
  new RegExp(`(?<![a-z0-9])(?:${KIND_NAMES[kind].join('|')})(?![a-z0-9])`, 'i');
const NAMED = { loop: named('loop'), 'one-shot': named('one-shot') };

/** Returns whether a sample lasts at least one bar at its tempo. */
export const lastsABar = (bpm: number, durationMs: number): boolean =>
  bpm * durationMs >= LOOP_BEATS * 60_000;

/** The title decides. Without a kind in the title, a sound of at least a bar is a loop, and a short one a one-shot. */
export function kindOf(sample: {
  title: string;
  /** The tempo; 0 if unknown. */
  bpm: number;
  durationMs: number;
}): Kind | undefined {
  const { title, bpm, durationMs } = sample;
  if (NAMED.loop.test(title)) return 'loop';
  if (NAMED['one-shot'].test(title)) return 'one-shot';
  if (lastsABar(bpm, durationMs)) return 'loop';
  return durationMs < ONE_SHOT_MS ? 'one-shot' : undefined;
}
