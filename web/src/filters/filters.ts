import {
  FACET_LIMIT,
  GENRES,
  INSTRUMENTS,
  KEYS,
  SCALES,
  MOODS,
  TEMPO_MAX_BPM,
  TEMPO_MIN_BPM,
  enharmonicKeys,
  genreFrom,
  type Project,
} from '../../../application/catalogue/values.js';
import type { SamplesRequest } from '../api/catalogue.js';
import type { SamplePage } from '../../../application/catalogue/contract.js';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { projectParameter, useProject } from '../project/project.js';
import { useSession } from '../session/session.js';
import { chosenFacts, factParameters, type Facts, factsFrom, NO_FACTS } from './facts.js';
import { chosenSounds, soundParameters, type SoundRanges, soundsFrom } from './sounds.js';

export interface Filters extends Facts {
  bpmMin: number;
  bpmMax: number;
  /** A key such as "F# Minor", or "Major" or "Minor" for every key of the scale. */
  key: FilterKey | null;
  mood: readonly string[];
  genre: readonly string[];
  instrument: readonly string[];
  sounds: SoundRanges;
}
export type TempoRange = Pick<Filters, 'bpmMin' | 'bpmMax'>;
export type FilterKey = NonNullable<SamplesRequest['key']>;
export type Facet = 'mood' | 'genre' | 'instrument';

export const FACET_OPTIONS: Record<Facet, readonly string[]> = {
  mood: MOODS,
  genre: GENRES,
  instrument: INSTRUMENTS,
};
export const FACET_LABELS: Record<Facet, string> = { mood: 'Mood', genre: 'Genre', instrument: 'Instrument' };
export const FACETS = ['mood', 'genre', 'instrument'] as const;

export const NO_FILTERS: Filters = {
  bpmMin: TEMPO_MIN_BPM,
  bpmMax: TEMPO_MAX_BPM,
  key: null,
  mood: [],
  genre: [],
  instrument: [],
  sounds: {},
  ...NO_FACTS,
};

function tempoFrom(text: string | null, otherwise: number): number {
  const bpm = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isInteger(bpm) && bpm >= TEMPO_MIN_BPM && bpm <= TEMPO_MAX_BPM ? bpm : otherwise;
}

/** Reads the filters from the parameters of an address. Ignores unknown or surplus values, so that every link works. */
export function filtersFrom(parameters: URLSearchParams): Filters {
  const bpmMin = tempoFrom(parameters.get('bpmMin'), TEMPO_MIN_BPM);
  const bpmMax = tempoFrom(parameters.get('bpmMax'), TEMPO_MAX_BPM);
  const key = parameters.get('key');
  const several = (facet: Facet) => {
    const asked = parameters
      .getAll(facet)
      .map((label) => (facet === 'genre' ? (genreFrom(label) ?? label) : label));
    return [...new Set(asked)].filter((label) => FACET_OPTIONS[facet].includes(label)).slice(0, FACET_LIMIT);
  };
  return {
    bpmMin: Math.min(bpmMin, bpmMax),
    bpmMax: Math.max(bpmMin, bpmMax),
    key: [...KEYS, ...SCALES].find((each) => each === key) ?? null,
    mood: several('mood'),
    genre: several('genre'),
    instrument: several('instrument'),
    sounds: soundsFrom(parameters),
    ...factsFrom(parameters),
  };
}

/** Returns the parameters of an address with the filters. Keeps other parameters. Omits filters at their default. */
export function withFilters(parameters: URLSearchParams, filters: Filters): URLSearchParams {
  const next = new URLSearchParams(parameters);
  const facts = Object.entries({ ...factParameters(filters), ...soundParameters(filters.sounds) });
  for (const name of ['bpmMin', 'bpmMax', 'key', ...FACETS]) next.delete(name);
  for (const [name, value] of facts)
    if (value === undefined) next.delete(name);
    else next.set(name, String(value));
  if (filters.bpmMin > TEMPO_MIN_BPM) next.set('bpmMin', String(filters.bpmMin));
  if (filters.bpmMax < TEMPO_MAX_BPM) next.set('bpmMax', String(filters.bpmMax));
  if (filters.key) next.set('key', filters.key);
  for (const facet of FACETS) filters[facet].forEach((label) => next.append(facet, label));
  return next;
}

export const isTempoActive = ({ bpmMin, bpmMax }: Filters): boolean =>
  bpmMin > TEMPO_MIN_BPM || bpmMax < TEMPO_MAX_BPM;

/** Number of active filters: one each for tempo, key and length, and one for every other choice or range. */
export function countActive(filters: Filters): number {
  const choices = FACETS.reduce((sum, facet) => sum + filters[facet].length, 0);
  const facts = chosenFacts(filters).length + chosenSounds(filters.sounds).length;
  return choices + (isTempoActive(filters) ? 1 : 0) + (filters.key ? 1 : 0) + facts;
}

/** Converts filters to a request. @param project the open project for the filter `fits`; null on the server */
export function requestOf(filters: Filters, project: Project | null = null): SamplesRequest {
  return {
    bpmMin: filters.bpmMin > TEMPO_MIN_BPM ? filters.bpmMin : undefined,
    bpmMax: filters.bpmMax < TEMPO_MAX_BPM ? filters.bpmMax : undefined,
    key: filters.key ?? undefined,
    mood: filters.mood,
    genre: filters.genre,
    instrument: filters.instrument,
    ...factParameters(filters),
    ...soundParameters(filters.sounds),
    fits: filters.fits && project ? projectParameter(project) : undefined,
  };
}

/** Returns a key unchanged, and for a scale a text such as "Any minor". */
export const keyText = (key: FilterKey): string => (key.includes(' ') ? key : `Any ${key.toLowerCase()}`);

export const tempoText = ({ bpmMin, bpmMax }: TempoRange): string => `${bpmMin}–${bpmMax} BPM`;

export function toggleChoice(chosen: readonly string[], label: string): readonly string[] {
  if (chosen.includes(label)) return chosen.filter((one) => one !== label);
  return chosen.length < FACET_LIMIT ? [...chosen, label] : chosen;
}

export interface FilterBarProps {
  filters: Filters;
  active: number;
  change: (part: Partial<Filters>) => void;
  clear: () => void;
  /** The request of the filtered list. Without it, the bar has no filters by sound. */
  request?: SamplesRequest;
  total: number | undefined;
  facets?: SamplePage['facets'];
  clearLabel: string;
  /** Stands beside "Filter" on phones. */
  sort?: ReactNode;
}

/**
 * Returns the filters in the page's address, and functions that change them. Each change is a step in the browser's
 * history, so Back undoes it. The scroll position stays.
 */
export function useFilters() {
  const [parameters, setParameters] = useSearchParams();
  const isSignedIn = useSession().status === 'signed-in';
  const asked = filtersFrom(parameters);
  const project = useProject();
  // Ignores the filter by ownership for guests, because they own nothing.
  const owned = isSignedIn ? asked.owned : null;
  const filters = { ...asked, fits: asked.fits && project !== null, owned };
  const change = (part: Partial<Filters>) => {
    const next = withFilters(parameters, { ...filters, ...part });
    if (next.toString() !== parameters.toString()) setParameters(next, { preventScrollReset: true });
  };
  const asRequest = requestOf(filters, project);
  return { filters, asRequest, active: countActive(filters), change, clear: () => change(NO_FILTERS) };
}

export function enharmonicNote(key: string): string | null {
  const known = KEYS.find((each) => each === key);
  const enharmonic = known && enharmonicKeys(known)[1];
  return enharmonic ? (enharmonic.split(' ')[0] ?? null) : null;
}

/** Returns a hint such as "F# also finds Gb. Pick it again to clear it."; empty without a key. */
export function keyHint(key: string | null): string {
  if (!key) return '';
  const enharmonic = enharmonicNote(key);
  return `${enharmonic ? `${key.split(' ')[0]} also finds ${enharmonic}. ` : ''}Pick it again to clear it.`;
}
