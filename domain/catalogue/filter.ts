import { fitOf, fitsAsItIs, type Project } from './fit.js';
import type { Kind } from '../shared/kind.js';
import type { Origin } from '../shared/origin.js';
import type { SoundFact, SoundFacts } from './sound/facts.js';
import { keysChosenBy, type MusicalKey, type Scale } from './vocabulary.js';

export const TEMPO_RANGE_BPM = { min: 0, max: 200 } as const;
export const COST_MIN_CREDITS = 1;
export const COST_MAX_CREDITS = 5;

/** The choices of a listener in a filter bar. Empty lists and the whole tempo range do not filter. */
export interface TrackFilter {
  /**
   * - `search`: a track needs a chosen mood or a chosen genre, and all chosen instruments
   * - `collection`: a track needs a chosen mood, a chosen genre and one of the chosen instruments
   */
  mode: 'search' | 'collection';
  bpmMin: number;
  bpmMax: number;
  key?: MusicalKey | Scale | undefined;
  /** Bounds of the length, inclusive. */
  minMs?: number | undefined;
  maxMs?: number | undefined;
  kind?: Kind | undefined;
  hasMidi?: boolean | undefined;
  hasStems?: boolean | undefined;
  maxCredits?: number | undefined;
  /** A track must state one of these origins. An empty list does not filter. */
  origins?: readonly Origin[] | undefined;
  /** A track must fit this project without a shift and within the limit of stretching. */
  fits?: Project | undefined;
  sounds?: readonly SoundRange[];
  moods: readonly string[];
  genres: readonly string[];
  instruments: readonly string[];
}

/** Bounds of a fact, inclusive. Sounds without facts do not pass. */
export interface SoundRange {
  fact: SoundFact;
  min: number;
  max: number;
}

export interface FilterableTrack {
  /** The tempo; 0 if unknown. */
  bpm: number;
  key: string | null;
  mood: string;
  genre: string;
  instruments: readonly string[];
  durationMs: number;
  kind: Kind;
  hasMidi: boolean;
  hasStems: boolean;
  creditCost: number;
  /** Null if the creator has not stated it. */
  origin: Origin | null;
  /** Undefined if the sound is silent or not described yet. */
  soundFacts?: SoundFacts | undefined;
}

export const EVERY_TRACK: TrackFilter = {
  mode: 'search',
  bpmMin: TEMPO_RANGE_BPM.min,
  bpmMax: TEMPO_RANGE_BPM.max,
  moods: [],
  genres: [],
  instruments: [],
};

/** Returns whether the filter limits the tempo. The whole range does not: it accepts tempos outside the range, too. */
export const tempoIsFiltered = ({ bpmMin, bpmMax }: TrackFilter): boolean =>
  bpmMin > TEMPO_RANGE_BPM.min || bpmMax < TEMPO_RANGE_BPM.max;

export const lengthIsFiltered = ({ minMs, maxMs }: TrackFilter): boolean =>
  minMs !== undefined || maxMs !== undefined;

export const soundIsFiltered = ({ sounds = [] }: TrackFilter): boolean => sounds.length > 0;

export function passesFilter(track: FilterableTrack, filter: TrackFilter): boolean {
  return (
    passesTempo(track, filter) &&
    passesKey(track, filter) &&
    passesMoodAndGenre(track, filter) &&
    passesInstruments(track, filter) &&
    passesFacts(track, filter) &&
    (filter.fits === undefined || fitsAsItIs(fitOf(track, filter.fits)))
  );
}

const passesTempo = ({ bpm }: FilterableTrack, filter: TrackFilter): boolean =>
  !tempoIsFiltered(filter) || (bpm >= filter.bpmMin && bpm <= filter.bpmMax);

const passesKey = ({ key }: FilterableTrack, filter: TrackFilter): boolean =>
  filter.key === undefined || keysChosenBy(filter.key).some((each) => each === key);

function passesFacts(track: FilterableTrack, filter: TrackFilter): boolean {
  const { kind = track.kind, hasMidi = track.hasMidi, hasStems = track.hasStems, origins = [] } = filter;
  return (
    kind === track.kind &&
    hasMidi === track.hasMidi &&
    hasStems === track.hasStems &&
    (origins.length === 0 || (track.origin !== null && origins.includes(track.origin))) &&
    track.creditCost <= (filter.maxCredits ?? Infinity) &&
    track.durationMs >= (filter.minMs ?? 0) &&
    track.durationMs <= (filter.maxMs ?? Infinity) &&
    (filter.sounds ?? []).every(({ fact, min, max }) => {
      const value = track.soundFacts?.[fact];
      return value !== undefined && value >= min && value <= max;
    })
  );
}

function passesMoodAndGenre(track: FilterableTrack, { mode, moods, genres }: TrackFilter): boolean {
  const mood = moods.includes(track.mood);
  const genre = genres.includes(track.genre);
  if (mode === 'search' && moods.length > 0 && genres.length > 0) return mood || genre;
  return (moods.length === 0 || mood) && (genres.length === 0 || genre);
}

function passesInstruments(track: FilterableTrack, { mode, instruments }: TrackFilter): boolean {
  if (instruments.length === 0) return true;
  const has = (instrument: string): boolean => track.instruments.includes(instrument);
  return mode === 'search' ? instruments.every(has) : instruments.some(has);
}
