/** A sample in a workbench, and how it plays there. */
export interface Lane {
  sampleId: string;
  gainDb: number;
  /** From left, -1, to right, 1. */
  pan: number;
  mute: boolean;
  /** Added to the shift that adapts the sample to the key of the workbench. */
  semitones: number;
  /** Where the lane begins, in beats. */
  offsetBeats: number;
  /** After how many beats the lane repeats. Null: it plays once, or repeats at its natural length. */
  loopBeats: number | null;
}

export const LANES_LIMIT = 8;

/** The bounds of the numbers of a lane, inclusive. */
export const LANE_BOUNDS = {
  gainDb: { min: -60, max: 6 },
  pan: { min: -1, max: 1 },
  semitones: { min: -12, max: 12 },
  offsetBeats: { min: 0, max: 128 },
  loopBeats: { min: 0.25, max: 256 },
} as const;

/** Offsets and loops are multiples of this part of a beat. */
export const BEAT_STEP = 0.25;

/** Returns the samples of lanes that a listener adds. Lanes that were there may stay, even if their sample left sale. */
export function addedSamples(lanes: readonly Lane[], before: readonly Lane[]): string[] {
  const known = new Set(before.map(({ sampleId }) => sampleId));
  return [...new Set(lanes.map(({ sampleId }) => sampleId))].filter((sampleId) => !known.has(sampleId));
}
