import { fitOf, type Project } from '../../../application/catalogue/values.js';
import { held } from '../held.js';
import { keep, kept } from '../kept.js';
import { useProject } from '../project/project.js';

export interface AuditionSettings {
  /** Whether the next sound of a list starts when the current sound ends. */
  playsOn: boolean;
}

const STORAGE_KEY = 'audition';

const stored = kept(STORAGE_KEY) as Partial<AuditionSettings> | undefined;
const settings = held<AuditionSettings>({ playsOn: stored?.playsOn === true });

export const { get: auditionSettings, use: useAudition } = settings;

export function changeAudition(change: AuditionSettings): void {
  settings.set(change);
  keep(STORAGE_KEY, change);
}

/** The current playback tempo of a sound in whole BPM; 0 if its tempo is unknown. */
export const useTempoOf = ({ bpm }: { bpm: number }): number =>
  Math.round(bpm * playbackRateFor(bpm, useProject()));

/**
 * The playback rate of a sound, which keeps its pitch.
 * @param bpm the sound's tempo; 0 if it is unknown, then the rate is 1
 */
export const playbackRateFor = (bpm: number, project: Project | null): number =>
  project ? fitOf({ bpm, key: null }, project).rate : 1;
