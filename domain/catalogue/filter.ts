import { enharmonicKeys, type MusicalKey } from './vocabulary.js';

export const TEMPO_RANGE_BPM = { min: 0, max: 200 } as const;

/** The choices of a listener in a filter bar. Empty lists and the whole tempo range do not filter. */
export interface TrackFilter {
  /**
   * - `search`: a track needs a chosen mood or a chosen genre, and all chosen instruments
   * - `collection`: a track needs a chosen mood, a chosen genre and one of the chosen instruments
   */
  mode: 'search' | 'collection';
  bpmMin: number;
  bpmMax: number;
  key?: string;
  moods: readonly string[];
  genres: readonly string[];
  instruments: readonly string[];
}

export interface FilterableTrack {
  /** The tempo; 0 if unknown. */
  bpm: number;
  key: string | null;
  mood: string;
  genre: string;
  instruments: readonly string[];
}

export const EVERY_TRACK: TrackFilter = {
  mode: 'search',
  bpmMin: TEMPO_RANGE_BPM.min,
  bpmMax: TEMPO_RANGE_BPM.max,
  moods: [],
  genres: [],
  instruments: [],
};

/** The whole range accepts every tempo, also those outside the range. */
export const tempoIsFiltered = ({ bpmMin, bpmMax }: TrackFilter): boolean =>
  bpmMin > TEMPO_RANGE_BPM.min || bpmMax < TEMPO_RANGE_BPM.max;

export function passesFilter(track: FilterableTrack, filter: TrackFilter): boolean {
  return (
    passesTempo(track, filter) &&
    passesKey(track, filter) &&
    passesMoodAndGenre(track, filter) &&
    passesInstruments(track, filter)
  );
}

const passesTempo = ({ bpm }: FilterableTrack, filter: TrackFilter): boolean =>
  !tempoIsFiltered(filter) || (bpm >= filter.bpmMin && bpm <= filter.bpmMax);

const passesKey = ({ key }: FilterableTrack, filter: TrackFilter): boolean =>
  filter.key === undefined ||
  (key !== null && enharmonicKeys(filter.key as MusicalKey).includes(key as MusicalKey));

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
