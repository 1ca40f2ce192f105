import type { Kind } from '../../../domain/shared/kind.js';

/** What samplers and editors write beside the sound. Places count frames from the start. */
export interface Marks {
  loops?: { start: number; end: number }[];
  points?: number[];
  /** The MIDI note at which the sound plays at its own pitch. */
  rootNote?: number;
  isOneShot?: boolean;
  /** The length of the loop in beats, as the program that wrote the file measured it. */
  beats?: number;
  /** Frames of AIFF markers by id; loops as pairs of ids. */
  named?: ReadonlyMap<number, number>;
  between?: (readonly [number, number])[];
}

/** The note that most programs write if none was chosen. */
const DEFAULT_NOTE = 60;
const HIGHEST_NOTE = 127;
/** How far the loop points of a whole loop may be from the ends of the file, and beats from an even grid. */
const ENDS_SECONDS = 0.05;
const BEAT_SECONDS = 0.003;
const FEWEST_BEATS = 4;
const BEATS_BPM = [60, 200] as const;

/** Limits keep damaged files from costing time. */
const LOOPS_LIMIT = 16;
const POINTS_LIMIT = 2_000;

/** The `smpl` chunk: nine numbers, the fourth of them the root note and the eighth the number of loops. */
export function smpl(chunk: Buffer): Marks {
  if (chunk.length < 36) return {};
  const loops = recordsIn(chunk, { from: 36, count: chunk.readUInt32LE(28), limit: LOOPS_LIMIT }).map(
    (at) => ({
      start: chunk.readUInt32LE(at + 8),
      // The file stores the last frame of the loop, but `end` is the frame after it.
      end: chunk.readUInt32LE(at + 12) + 1,
    }),
  );
  return { loops, rootNote: chunk.readUInt32LE(12) };
}

/** The `cue ` chunk: a count, then the points, each with its frame as the last of six numbers. */
export function cue(chunk: Buffer): Marks {
  if (chunk.length < 4) return {};
  const records = recordsIn(chunk, { from: 4, count: chunk.readUInt32LE(0), limit: POINTS_LIMIT });
  return { points: records.map((at) => chunk.readUInt32LE(at + 20)) };
}

/** Both kinds of chunk have records of 24 bytes. */
function recordsIn(
  chunk: Buffer,
  { from, count, limit }: { from: number; count: number; limit: number },
): number[] {
  const whole = Math.floor((chunk.length - from) / 24);
  return Array.from({ length: Math.min(count, limit, whole) }, (_, index) => from + index * 24);
}

/** The `MARK` chunk of AIFF: a count, then id, frame and name of each marker. */
export function mark(chunk: Buffer): Marks {
  const named = new Map<number, number>();
  const count = chunk.length < 2 ? 0 : Math.min(chunk.readUInt16BE(0), POINTS_LIMIT);
  for (let at = 2; named.size < count && at + 7 <= chunk.length;) {
    named.set(chunk.readUInt16BE(at), chunk.readUInt32BE(at + 2));
    const textBytes = 1 + (chunk[at + 6] as number);
    at += 6 + textBytes + (textBytes % 2);
  }
  return { named };
}

/** The `INST` chunk of AIFF: the root note, ranges, and two loops between markers. WAV's `inst` has no loops. */
export function inst(chunk: Buffer): Marks {
  if (chunk.length < 7) return {};
  const rootNote = chunk[0] as number;
  if (chunk.length < 20) return { rootNote };
  const loopAt = (at: number): (readonly [number, number])[] =>
    chunk.readUInt16BE(at) === 0 ? [] : [[chunk.readUInt16BE(at + 2), chunk.readUInt16BE(at + 4)]];
  return { rootNote, between: [...loopAt(8), ...loopAt(14)] };
}

/** What the marks of a sound say about it. */
export interface Marked {
  kind: Kind | null;
  /** The tempo of evenly spaced markers; undefined if they are no beats. */
  bpm?: number;
  /** The pitch class of the root note, C is 0; undefined if no program has set it. */
  tonic?: number;
}

export function markedIn(marks: Marks, frames: number, sampleRateHz: number): Marked {
  const { rootNote, isOneShot, beats = 0 } = marks;
  const isSet =
    rootNote !== undefined && rootNote > 0 && rootNote <= HIGHEST_NOTE && rootNote !== DEFAULT_NOTE;
  const loops = [
    ...(marks.loops ?? []),
    ...(marks.between ?? []).flatMap(([from, to]) => {
      const [start, end] = [marks.named?.get(from), marks.named?.get(to)];
      return start === undefined || end === undefined ? [] : [{ start, end }];
    }),
  ];
  const near = ENDS_SECONDS * sampleRateHz;
  const isSpanned = loops.some(
    ({ start, end }) => start <= near && end >= frames - near && end <= frames + near && end - start > near,
  );
  const bpm = tempoOf(marks.points ?? [...(marks.named?.values() ?? [])], frames, sampleRateHz);
  return {
    kind: isSpanned || (beats > 0 && !isOneShot) ? 'loop' : isOneShot ? 'one-shot' : null,
    ...(bpm !== undefined && { bpm }),
    ...(isSet && { tonic: rootNote % 12 }),
  };
}

/** Returns the tempo if the markers are the beats of the whole sound. Markers at its hits are not evenly spaced. */
function tempoOf(points: readonly number[], frames: number, sampleRateHz: number): number | undefined {
  const sorted = [...new Set(points)].filter((point) => point < frames).sort((a, b) => a - b);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined || sorted.length < FEWEST_BEATS) return undefined;
  const beat = (last - first) / (sorted.length - 1);
  const bpm = Math.round((60 * sampleRateHz) / beat);
  const tolerance = BEAT_SECONDS * sampleRateHz;
  const isEven = sorted.every((point, index) => Math.abs(point - first - index * beat) <= tolerance);
  const isWhole = first < beat && frames - last <= beat + tolerance;
  return isEven && isWhole && bpm >= BEATS_BPM[0] && bpm <= BEATS_BPM[1] ? bpm : undefined;
}
