import { BEAT_STEP } from './workbench.js';

/** A sound in a song. Beats are quarter notes at the song's tempo. */
export interface SongTrack {
  name: string;
  /** Where the audio file is, relative to the project file. */
  path: string;
  /** The length of the whole file. */
  seconds: number;
  channels: number;
  sampleRateHz: number;
  /** Such as `#F8C33A`. */
  colour: string;
  gainDb: number;
  /** From -1 for left to 1 for right. */
  pan: number;
  isMuted: boolean;
  /** Whether the sound has a tempo, and therefore keeps its length in beats. */
  isInTempo: boolean;
  /** How fast the sound plays; 1 as it was recorded. */
  rate: number;
  semitones: number;
  offsetBeats: number;
  /** The sound begins again after this many beats, until the song ends. Null plays it once. */
  cycleBeats: number | null;
}

export interface Song {
  name: string;
  /** In quarter notes per minute. */
  tempo: number;
  /** Such as `6/8`. */
  timeSignature: string;
  tracks: readonly SongTrack[];
}

/** A part of a track that plays the sound from its beginning. */
export interface Piece {
  atBeat: number;
  beats: number;
}

const FEWEST_BARS = 8;
/** The length of a song is a multiple of this many bars. */
const BARS_STEP = 4;
/** The most pieces of a track, so that a project file stays small. */
const PIECES_LIMIT = 1_000;

/** The fields of a track that determine where its sound plays. */
export type Placed = Pick<SongTrack, 'seconds' | 'rate' | 'offsetBeats' | 'cycleBeats'>;
type Timed = Pick<Song, 'tempo' | 'timeSignature'>;

/** Returns the numbers of a time signature, and the length of its bar: three beats for `6/8`. */
export function barOf({ timeSignature }: Pick<Song, 'timeSignature'>) {
  const [numerator = 4, denominator = 4] = timeSignature.split('/').map(Number);
  return { numerator, denominator, beats: (numerator * 4) / denominator };
}

/** Returns how many beats a sound lasts. */
export const beatsOf = (
  { seconds, rate }: Pick<Placed, 'seconds' | 'rate'>,
  { tempo }: Pick<Song, 'tempo'>,
): number => (seconds / rate / 60) * tempo;

/** Returns how many beats a loop lasts, rounded to the grid: recordings are seldom exactly as long as their loop. */
export const gridBeatsOf = (sound: Pick<Placed, 'seconds' | 'rate'>, song: Pick<Song, 'tempo'>): number =>
  Math.max(1, Math.round(beatsOf(sound, song) / BEAT_STEP)) * BEAT_STEP;

/** Returns the length in beats: at least eight bars, and in steps of four until every track has played once. */
export function songBeats(song: Timed & { tracks: readonly Placed[] }): number {
  const step = BARS_STEP * barOf(song).beats;
  const ends = song.tracks.map((track) => track.offsetBeats + (track.cycleBeats ?? gridBeatsOf(track, song)));
  return step * Math.max(FEWEST_BARS / BARS_STEP, ...ends.map((end) => Math.ceil(end / step)));
}

/** Returns where a track plays its sound. A cycle that is shorter than the sound cuts it. */
export function piecesOf(track: SongTrack, song: Song): Piece[] {
  const beats = beatsOf(track, song);
  const { offsetBeats, cycleBeats } = track;
  if (cycleBeats === null) return [{ atBeat: offsetBeats, beats }];
  const end = songBeats(song);
  const count = Math.min(PIECES_LIMIT, Math.ceil((end - offsetBeats) / cycleBeats));
  return Array.from({ length: count }, (_, n) => {
    const atBeat = offsetBeats + n * cycleBeats;
    return { atBeat, beats: Math.min(beats, cycleBeats, end - atBeat) };
  });
}

/** Returns the factor of a gain: 1 for 0 dB. */
export const amplitudeOf = ({ gainDb }: Pick<SongTrack, 'gainDb'>): number => 10 ** (gainDb / 20);
