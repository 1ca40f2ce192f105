import type { Sample } from '../../../application/catalogue/contract.js';
import { fitOf, keyAbove, keyInProject } from '../../../application/catalogue/values.js';
import type { SharedWorkbench } from '../../../application/library/workbenches/contract.js';
import { barOf, gridBeatsOf, LANE_BOUNDS, songBeats } from '../../../application/library/values.js';
import type { Tuning } from '../player/player-store.js';
import { soundIn } from '../player/tuning.js';
import type { NamedProject } from '../project/project.js';

/** A file of the listener. It stays in this browser. */
export interface OwnFile {
  file: File;
  seconds: number;
  /** The heights of 50 bars, from 0 to 100. */
  waveform: readonly number[];
}

export interface Lane extends Omit<SharedWorkbench['lanes'][number], 'sampleId'> {
  id: string;
  /** Null for a file of the listener. */
  sampleId: string | null;
  own?: OwnFile;
}

export interface Bench extends NamedProject {
  lanes: readonly Lane[];
}

/** The samples of a workbench, each once. */
export const samplesOf = ({ lanes }: Bench): Sample[] => [
  ...new Map(lanes.flatMap(({ sample }) => (sample ? [[sample.id, sample] as const] : []))).values(),
];

export const beatsPerBarOf = (bench: Pick<Bench, 'timeSignature'>): number => barOf(bench).beats;

/** @property beats the length of this sound, in beats of the song */
type LaneSound = Tuning & { beats: number };

/** Returns how a lane sounds, including the semitones by which the listener shifted it. */
export function soundOfLane({ sample, own, semitones }: Lane, bench: Bench): LaneSound {
  const sound: Tuning = sample
    ? soundIn(sample, bench)
    : { rate: 1, semitones: 0, seconds: own?.seconds ?? 0, repeats: false, isPercussive: false };
  return { ...sound, semitones: sound.semitones + semitones, beats: gridBeatsOf(sound, bench) };
}

/** After how many beats a lane repeats; null if it plays once. */
export const cycleOf = ({ loopBeats }: Lane, { repeats, beats }: LaneSound): number | null =>
  loopBeats ?? (repeats ? beats : null);

/** Returns the loop length that makes a loop end with a bar; null if it already ends with a bar. */
export function loopOnBar(sample: Sample, bench: Bench): number | null {
  const sound = soundIn(sample, bench);
  const beats = gridBeatsOf(sound, bench);
  const perBar = beatsPerBarOf(bench);
  const onBar = Math.ceil(beats / perBar) * perBar;
  const isUneven = sound.repeats && beats > perBar && onBar !== beats;
  return isUneven && onBar <= LANE_BOUNDS.loopBeats.max ? onBar : null;
}

/** The number of bars in which every lane plays at least once. */
export function barsOf(bench: Bench): number {
  const tracks = bench.lanes.map((lane) => {
    const sound = soundOfLane(lane, bench);
    return { ...sound, offsetBeats: lane.offsetBeats, cycleBeats: cycleOf(lane, sound) };
  });
  return songBeats({ ...bench, tracks }) / beatsPerBarOf(bench);
}

export interface Piece {
  fromBeat: number;
  beats: number;
  /** One level per sixteenth, 0 to 100. */
  levels: readonly number[];
}

/** The repeats of a lane, up to the end of the song. */
export function piecesOf(lane: Lane, bench: Bench): Piece[] {
  const sound = soundOfLane(lane, bench);
  const cycle = cycleOf(lane, sound);
  const end = barsOf(bench) * beatsPerBarOf(bench);
  const waveform = lane.sample?.waveform ?? lane.own?.waveform ?? [];
  const levelAt = (beat: number) =>
    beat < sound.beats ? (waveform[Math.floor((beat / sound.beats) * waveform.length)] ?? 0) : 0;
  const pieces: Piece[] = [];
  for (let fromBeat = lane.offsetBeats; fromBeat < end; fromBeat += cycle ?? end) {
    const beats = Math.min(cycle ?? sound.beats, end - fromBeat);
    pieces.push({ fromBeat, beats, levels: Array.from({ length: beats * 4 }, (_, at) => levelAt(at / 4)) });
  }
  return pieces;
}

export interface Pitch {
  /** 0 if unknown. */
  bpm: number;
  key: string | null;
}

/** The tempo and key of a sample in the song. @param semitones the shift that the listener chose */
export const heardIn = (sample: Pitch, bench: Bench, semitones = 0): Pitch => ({
  bpm: Math.round(sample.bpm * fitOf(sample, bench).rate * 100) / 100,
  key: keyAbove(keyInProject(sample.key, bench.key), semitones),
});

const short = (key: string | null): string => key?.replace(' Major', ' maj').replace(' Minor', ' min') ?? '';

/** "104 A min to 90 C min", for screen readers. */
export function heardText(sample: Pitch, bench: Bench, semitones = 0): string {
  const heard = heardIn(sample, bench, semitones);
  const words = ({ bpm, key }: Pitch) => `${bpm} ${short(key)}`.trim();
  return sample.bpm === 0 ? 'no tempo' : `${words(sample)} to ${words(heard)}`;
}
