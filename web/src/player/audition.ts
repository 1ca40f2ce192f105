import { useSyncExternalStore } from 'react';

/** The settings for auditioning, stored in this browser. */
export interface AuditionSettings {
  /** When a sound ends, the next one of its list starts. */
  playsOn: boolean;
  /** Sounds play at `projectBpm` with their pitch unchanged. */
  matchesTempo: boolean;
  projectBpm: number;
}

export const PROJECT_BPM_MIN = 40;
export const PROJECT_BPM_MAX = 240;
const STORAGE_KEY = 'audition';
const FIRST: AuditionSettings = { playsOn: false, matchesTempo: false, projectBpm: 120 };

/** @param bpm any value; a value that is not a number becomes 120, others are clamped to 40–240 */
export function projectBpmOf(bpm: unknown): number {
  if (typeof bpm !== 'number' || !Number.isFinite(bpm)) return FIRST.projectBpm;
  return Math.min(PROJECT_BPM_MAX, Math.max(PROJECT_BPM_MIN, Math.round(bpm)));
}

function stored(): AuditionSettings {
  try {
    const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<AuditionSettings>;
    return {
      playsOn: kept.playsOn === true,
      matchesTempo: kept.matchesTempo === true,
      projectBpm: projectBpmOf(kept.projectBpm),
    };
  } catch {
    return FIRST;
  }
}

let settings: AuditionSettings | null = null;
const listeners = new Set<() => void>();

export function auditionSettings(): AuditionSettings {
  return (settings ??= stored());
}

/** Changes some of the settings and stores them. */
export function changeAudition(change: Partial<AuditionSettings>): void {
  const next = { ...auditionSettings(), ...change };
  settings = { ...next, projectBpm: projectBpmOf(next.projectBpm) };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
  } catch {
    // Storage is full or blocked: the settings last as long as the page.
  }
  listeners.forEach((listener) => listener());
}

/** Calls the listener on every change until the returned function is called. */
export function onAuditionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useAudition(): AuditionSettings {
  return useSyncExternalStore(onAuditionChange, auditionSettings);
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
