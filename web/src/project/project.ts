import {
  KEYS,
  PROJECT_TEMPO_MAX,
  PROJECT_TEMPO_MIN,
  type Project,
} from '../../../application/catalogue/values.js';
import { newKey } from '../api/transport/idempotency-key.js';
import { held } from '../held.js';
import { keep, kept } from '../kept.js';
import { onSessionEvent } from '../session/session.js';

/** @property timeSignature such as `4/4` */
export interface NamedProject extends Project {
  id: string;
  name: string;
  timeSignature: string;
}

const FIRST_TEMPO = 120;
const STORAGE_KEY = 'project';
/** The storage key of the projects of a guest. */
export const GUEST_PROJECTS = 'projects';
/** The storage key of the workbenches of a guest. */
export const GUEST_WORKBENCHES = 'workbenches';

/** @param tempo any value; rounded to hundredths and clamped to 40–240, or 120 if it is not a number */
export function projectTempoOf(tempo: unknown): number {
  if (typeof tempo !== 'number' || !Number.isFinite(tempo)) return FIRST_TEMPO;
  return Math.min(PROJECT_TEMPO_MAX, Math.max(PROJECT_TEMPO_MIN, Math.round(tempo * 100) / 100));
}

/** Returns a new project; values that are missing or invalid get their defaults. */
export function newProject(values: Partial<Record<keyof NamedProject, unknown>> = {}): NamedProject {
  const { id, name, tempo, key, timeSignature } = values;
  return {
    id: typeof id === 'string' ? id : newKey(),
    name: (typeof name === 'string' && name.trim().slice(0, 100)) || 'My project',
    tempo: projectTempoOf(tempo),
    key: KEYS.find((each) => each === key) ?? null,
    timeSignature: isTimeSignature(timeSignature) ? timeSignature : '4/4',
  };
}

export const isTimeSignature = (text: unknown): text is string =>
  typeof text === 'string' && /^([1-9]|[12]\d|3[0-2])\/(1|2|4|8|16|32)$/.test(text);

const current = held<NamedProject | null>(null);
const stored = kept(STORAGE_KEY);
// The stored project is not the initial value of `held`, because the first render must match the page from the
// server, which is the same for every visitor.
if (typeof stored === 'object') current.set(newProject({ ...stored }));

/** The open project: samples are auditioned, sorted and labelled to fit it. Null if no project is open. */
export const { get: currentProject, subscribe: onProjectChange, use: useProject } = current;

/** Opens a project, changes the open project, or closes it with null. This browser remembers it. */
export function openProject(project: NamedProject | null): void {
  current.set(project);
  keep(STORAGE_KEY, project);
}

onSessionEvent((event) => {
  if (event === 'signed-out') openProject(null);
});

/** The project as a parameter of `GET /api/samples`. */
export const projectParameter = ({ tempo, key }: Project): string => `${tempo},${key ?? ''}`;

const shortKey = (key: string): string => key.replace(' Major', ' maj').replace(' Minor', ' min');

/** Returns a text such as "90 BPM, C min, 4/4". */
export const projectText = ({ tempo, key, timeSignature }: NamedProject): string =>
  [`${tempo} BPM`, key && shortKey(key), timeSignature].filter(Boolean).join(', ');
