import { held } from '../held.js';
import { keep, kept } from '../kept.js';

export interface AuditionSettings {
  /** Whether the next sound of a list starts when the current sound ends. */
  playsOn: boolean;
}

const STORAGE_KEY = 'audition';

const stored = kept(STORAGE_KEY) as Partial<AuditionSettings> | undefined;
const settings = held<AuditionSettings>({ playsOn: stored?.playsOn === true });

export const { get: auditionSettings, subscribe: onAuditionChange, use: useAudition } = settings;

export function changeAudition(change: AuditionSettings): void {
  settings.set(change);
  keep(STORAGE_KEY, change);
}

const original = held(false);

/** Whether sounds play as recorded for now, although a project is open. */
export const {
  get: playsOriginal,
  set: setPlaysOriginal,
  subscribe: onOriginalChange,
  use: usePlaysOriginal,
} = original;
