import type { Sample } from '../../../application/catalogue/contract.js';
import {
  fitOf,
  loopLengthOf,
  PREVIEW_LIMIT_SECONDS,
  previewSeconds,
  type Project,
} from '../../../application/catalogue/values.js';
import type { Tuning } from './player-store.js';

const PERCUSSION = new Set(['Drums', 'Kick', 'Snare', 'Hi-Hat', 'Percussion']);

type Loop = Pick<Sample, 'kind' | 'bpm' | 'durationMs'>;

/** Returns the length of a loop in seconds, and its number of beats; undefined for a sample that plays once. */
export function loopOf(sample: Loop): ReturnType<typeof loopLengthOf> {
  const loop = loopLengthOf(sample);
  return loop && loop.seconds <= PREVIEW_LIMIT_SECONDS ? loop : undefined;
}

export interface Wishes {
  /** Whether the sample plays in its own tempo and key, so that the listener can compare. Loops still repeat. */
  playsOriginal: boolean;
  /** Whether the next sound starts at the end of this one, so that loops play once. */
  playsOn: boolean;
}

/** Returns how a sample sounds in a project. */
export function soundIn(sample: Sample, project: Project): Tuning {
  const { rate, semitones } = fitOf(sample, project);
  const loop = loopOf(sample);
  const { instruments } = sample;
  return {
    // The beats of the loop last as long as beats of the project, even if the stored tempo is rounded.
    rate: loop ? (rate * loop.seconds * sample.bpm) / (loop.beats * 60) : rate,
    semitones,
    seconds: loop?.seconds ?? previewSeconds(sample),
    repeats: loop !== undefined,
    isPercussive: instruments.length > 0 && instruments.every((instrument) => PERCUSSION.has(instrument)),
  };
}

/** Returns how a sample sounds in a project; undefined if the project does not change it. */
export function tuningOf(
  sample: Sample,
  project: Project | null,
  { playsOriginal, playsOn }: Wishes,
): Tuning | undefined {
  if (!project) return undefined;
  const { rate, semitones } = fitOf(sample, project);
  if (rate === 1 && semitones === 0) return undefined;
  const sound = soundIn(sample, project);
  return {
    ...sound,
    ...(playsOriginal && { rate: 1, semitones: 0 }),
    repeats: sound.repeats && !playsOn,
  };
}
