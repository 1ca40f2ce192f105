import { held } from '../held.js';
import { keep, kept } from '../kept.js';

export interface AuditionSettings {
  /** Whether the next sound of a list starts when one ends. */
  playsOn: boolean;
  matchesTempo: boolean;
  projectBpm: number;
}

export const PROJECT_BPM_MIN = 40;
export const PROJECT_BPM_MAX = 240;
const STORAGE_KEY = 'audition';
const FIRST_BPM = 120;

/** @param bpm any value; a value that is not a number becomes 120, others are clamped to 40–240 */
export function projectBpmOf(bpm: unknown): number {
  if (typeof bpm !== 'number' || !Number.isFinite(bpm)) return FIRST_BPM;
  return Math.min(PROJECT_BPM_MAX, Math.max(PROJECT_BPM_MIN, Math.round(bpm)));
}

function stored(): AuditionSettings {
  const { playsOn, matchesTempo, projectBpm } = { ...(kept(STORAGE_KEY) as Partial<AuditionSettings>) };
  return {
    playsOn: playsOn === true,
    matchesTempo: matchesTempo === true,
    projectBpm: projectBpmOf(projectBpm),
  };
}

const settings = held(stored());

export const { get: auditionSettings, subscribe: onAuditionChange, use: useAudition } = settings;

export function changeAudition(change: Partial<AuditionSettings>): void {
  const next = { ...settings.get(), ...change };
  settings.set({ ...next, projectBpm: projectBpmOf(next.projectBpm) });
  keep(STORAGE_KEY, settings.get());
}

/** The current playback tempo of a sound in whole BPM; 0 if its tempo is unknown. */
export const useTempoOf = ({ bpm }: { bpm: number }): number =>
  Math.round(bpm * playbackRateFor(bpm, useAudition()));

/**
 * The playback rate of a sound. Half and double time count as the same tempo, so that no sound is stretched more than
 * necessary: the rate lies between about 0.71 and 1.41.
 * @param bpm the sound's tempo; 0 if it is unknown, then the rate is 1
 */
export function playbackRateFor(bpm: number, { matchesTempo, projectBpm }: AuditionSettings): number {
  if (!matchesTempo || bpm <= 0) return 1;
  const octaves = Math.log2(projectBpm / bpm);
  return 2 ** (octaves - Math.round(octaves));
}
