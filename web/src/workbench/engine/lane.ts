/** A sound in the song. Times in beats are multiples of a quarter beat. */
export interface EngineLane {
  id: string;
  /** The address of a preview, or a file of the listener that is only read in this browser. */
  source: { url: string } | { file: File };
  /** The true length of the sound. A preview is longer, because its encoder added silence. Null: unknown. */
  seconds: number | null;
  /** The speed of the sound in the song, relative to the recording: 2 is twice as fast. */
  rate: number;
  semitones: number;
  /** Whether stretching keeps attacks sharp, as drums need, rather than the pitch steady. */
  isPercussive: boolean;
  /** The sound starts again after this many beats. Null: it plays once in each pass of the song. */
  cycleBeats: number | null;
  /** The sound is silent before this beat of the song. */
  offsetBeats: number;
  gainDb: number;
  /** From -1 (left) to 1 (right). */
  pan: number;
  /** Whether the lane is muted, or another lane plays solo. */
  isSilent: boolean;
}

/** The song repeats when its last bar ends. */
export interface Song {
  tempo: number;
  beatsPerBar: number;
  bars: number;
}

/**
 * Why a lane does not sound. `missing`: the preview was taken down. `network`: the preview could not be loaded, or not
 * in time. `unreadable`: the browser cannot decode the sound. `too-large` and `too-long`: a file of the listener
 * exceeds `OWN_SOUND_MAX_MB` or `OWN_LANE_LIMIT_SECONDS`.
 */
export type LaneFailure = 'missing' | 'network' | 'unreadable' | 'too-large' | 'too-long';

export type LaneStatus = { status: 'loading' | 'ready' } | { status: 'failed'; reason: LaneFailure };

export interface EngineState {
  /** `starting`: waits for lanes that load, at most two seconds. */
  transport: 'paused' | 'starting' | 'counting-in' | 'playing';
  /** The status of each lane, by the id of the lane. */
  lanes: Readonly<Record<string, LaneStatus>>;
  /** False where this browser cannot stretch sounds. Then their pitch follows their tempo, and nothing is transposed. */
  canStretch: boolean;
}
