/** What a producer does with a sample: repeat it, or trigger it. */
export type Kind = 'loop' | 'one-shot';

/** The words of a title that name its kind. */
export const KIND_NAMES: Readonly<Record<Kind, readonly string[]>> = {
  loop: ['loop', 'loops'],
  'one-shot': ['one shot', 'one shots', 'one-shot', 'one-shots', 'oneshot', 'oneshots'],
};

/** A bar of four beats, less a little that a cut or a rounded tempo takes. */
export const LOOP_BEATS = 3.9;
/** Without a tempo, longer samples are textures and recordings: neither kind. */
export const ONE_SHOT_MS = 10_000;

const named = (kind: Kind): RegExp =>
  new RegExp(`(?<![a-z0-9])(?:${KIND_NAMES[kind].join('|')})(?![a-z0-9])`, 'i');
const NAMED = { loop: named('loop'), 'one-shot': named('one-shot') };

/** Whether a sample lasts a bar of its own tempo. */
export const lastsABar = (bpm: number, durationMs: number): boolean =>
  bpm * durationMs >= LOOP_BEATS * 60_000;

/**
 * The kind of a sample: what its title says, else a loop if it has a tempo and lasts a bar, else a one-shot if it is
 * short.
 */
export function kindOf({
  title,
  bpm,
  durationMs,
}: {
  title: string;
  /** 0 when unknown. */
  bpm: number;
  durationMs: number;
}): Kind | undefined {
  if (NAMED.loop.test(title)) return 'loop';
  if (NAMED['one-shot'].test(title)) return 'one-shot';
  if (lastsABar(bpm, durationMs)) return 'loop';
  return durationMs < ONE_SHOT_MS ? 'one-shot' : undefined;
}
