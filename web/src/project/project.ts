import {
  KEYS,
  PROJECT_TEMPO_MAX,
  PROJECT_TEMPO_MIN,
  type Project,
} from '../../../application/catalogue/values.js';
import { held } from '../held.js';
import { keep, kept } from '../kept.js';

/** @property timeSignature such as `4/4` */
export interface NamedProject extends Project {
  name: string;
  timeSignature: string;
}

const FIRST_TEMPO = 120;
const STORAGE_KEY = 'project';

/** @param tempo any value; rounded to hundredths and clamped to 40–240, or 120 if it is not a number */
export function projectTempoOf(tempo: unknown): number {
  if (typeof tempo !== 'number' || !Number.isFinite(tempo)) return FIRST_TEMPO;
  return Math.min(PROJECT_TEMPO_MAX, Math.max(PROJECT_TEMPO_MIN, Math.round(tempo * 100) / 100));
}

/** Completes a project from the browser's storage; null if it is none. */
function projectOf(stored: unknown): NamedProject | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { name, tempo, key, timeSignature } = stored as Partial<Record<keyof NamedProject, unknown>>;
  return {
    name: typeof name === 'string' ? name : 'My project',
    tempo: projectTempoOf(tempo),
    key: KEYS.find((each) => each === key) ?? null,
    timeSignature: typeof timeSignature === 'string' ? timeSignature : '4/4',
  };
}

const current = held<NamedProject | null>(null);
// Set after creation, because pages from the server are the same for every visitor until hydration.
current.set(projectOf(kept(STORAGE_KEY)));

/** The open project: every sample is auditioned, sorted and labelled by it. Null without a project. */
export const { get: currentProject, subscribe: onProjectChange, use: useProject } = current;

/** Opens a project, changes the open project, or closes it with null. This browser remembers it. */
export function openProject(project: NamedProject | null): void {
  current.set(project);
  keep(STORAGE_KEY, project);
}

/** Returns a new project with this tempo, and no key. */
export const newProject = (tempo?: number): NamedProject => ({
  name: 'My project',
  tempo: projectTempoOf(tempo),
  key: null,
  timeSignature: '4/4',
});
