import type { Kind } from '../shared/kind.js';

/** Lengths are known in whole milliseconds. */
const LENGTH_TOLERANCE_SECONDS = 0.001;

/** Returns the length of a loop in seconds, and its number of beats; undefined for a sample that plays once. */
export function loopLengthOf(sample: {
  /** Absent in answers that a browser kept from before version 0.3; such a sample plays once. */
  kind?: Kind;
  /** 0 if unknown. */
  bpm: number;
  durationMs: number;
}): { seconds: number; beats: number } | undefined {
  const { kind, bpm, durationMs } = sample;
  if (bpm <= 0 || kind !== 'loop') return undefined;
  const beat = 60 / bpm;
  const length = durationMs / 1_000;
  const beats = Math.max(1, Math.round(length / beat));
  const exact = beats * beat;
  const deviation = Math.abs(length - exact);
  // Tempos are stored in whole BPM, so a loop of 92.4 BPM is a little shorter than its beats at 92 BPM. If the
  // deviation is larger, the file has silence or a tail after the last beat, or lacks silence at its end.
  const isRounding = deviation > LENGTH_TOLERANCE_SECONDS && deviation <= (exact * 0.5) / bpm;
  return { seconds: isRounding ? length : exact, beats };
}
