import type { MusicalKey, Scale } from './vocabulary.js';

/** The tempo, in BPM, and the key to which samples are adapted, so that they sound together. */
export interface Project {
  tempo: number;
  key: MusicalKey | null;
}

/** How the key of a sample relates to the project's key. `none`: one of the two has no key. */
export type KeyRelation = 'none' | 'same' | 'relative' | 'parallel' | 'neighbour' | 'other';

/** How a sample sounds in a project. */
export interface Fit {
  key: KeyRelation;
  /** The shift to the project's key or its relative, from -6 to 5; 0 if the sample or the project has no key. */
  semitones: number;
  /** The tempo at which the sample plays: the project's own, half or double. `none`: the sample has no tempo. */
  time: 'none' | 'own' | 'half' | 'double';
  /** The rate at which the sample plays, between 1/3 and 3 for tempos of 40 to 240; 1 without a tempo. */
  rate: number;
  /** Whether the sample plays more than 15 % faster or slower than recorded. */
  isStretched: boolean;
}

const STRETCH_LIMIT = 0.15;

const PITCHES = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 } as const;

/** Returns the number of semitones modulo 12. The result is from 0 to 11 for negative numbers as well. */
const inOctave = (semitones: number): number => ((semitones % 12) + 12) % 12;

/** Returns the scale of a key and the pitch of the major key with the same notes, from 0 for C. */
export function placeOf(key: string | null): { scale: Scale; major: number } | undefined {
  const [, letter, sign, scale] = /^([A-G])([#b]?) (Major|Minor)$/.exec(key ?? '') ?? [];
  if (letter === undefined || scale === undefined) return undefined;
  const pitch = PITCHES[letter as keyof typeof PITCHES] + (sign === '#' ? 1 : sign === 'b' ? -1 : 0);
  return scale === 'Minor'
    ? { scale, major: inOctave(pitch + 3) }
    : { scale: 'Major', major: inOctave(pitch) };
}

/** The usual names of tonics, by the pitch of the major key with the same notes. */
const TONICS: Record<Scale, readonly string[]> = {
  Major: ['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'],
  Minor: ['A', 'Bb', 'B', 'C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#'],
};

/** Returns the key that is some semitones higher, in its usual name. */
export function keyAbove(key: string | null, semitones: number): string | null {
  const place = placeOf(key);
  if (!place || semitones === 0) return key;
  return `${TONICS[place.scale][inOctave(place.major + semitones)]} ${place.scale}`;
}

/**
 * Returns the key in which a sample sounds in a project: the project's key, or its relative in the sample's scale.
 * Without one of the two keys, the sample keeps its own.
 */
export function keyInProject(sample: string | null, project: string | null): string | null {
  const [from, to] = [placeOf(sample), placeOf(project)];
  if (!from || !to || from.major === to.major) return sample;
  return from.scale === to.scale ? project : keyAbove(sample, to.major - from.major);
}

function relationOf(sample: string | null, project: string | null): Pick<Fit, 'key' | 'semitones'> {
  const [from, to] = [placeOf(sample), placeOf(project)];
  if (!from || !to) return { key: 'none', semitones: 0 };
  const up = inOctave(to.major - from.major);
  const semitones = up > 5 ? up - 12 : up;
  const isSameScale = from.scale === to.scale;
  if (semitones === 0) return { key: isSameScale ? 'same' : 'relative', semitones };
  // The parallel key has the same tonic in the other scale; a neighbour is a fifth above or below in the same scale.
  if (!isSameScale && semitones === (from.scale === 'Minor' ? -3 : 3)) return { key: 'parallel', semitones };
  return { key: isSameScale && Math.abs(semitones) === 5 ? 'neighbour' : 'other', semitones };
}

const TIMES = [
  { time: 'own', of: 1 },
  { time: 'half', of: 0.5 },
  { time: 'double', of: 2 },
] as const;

const octaves = ({ rate }: Pick<Fit, 'rate'>): number => Math.abs(Math.log2(rate));

/**
 * Returns how a sample is played in a project: at its own, half or double time, whichever stretches it least, and
 * transposed by the smallest shift to the project's key or its relative.
 * @param sample `bpm` 0: no tempo; `key` null: no pitch
 */
export function fitOf({ bpm, key }: { bpm: number; key: string | null }, project: Project): Fit {
  const relation = relationOf(key, project.key);
  if (bpm <= 0) return { ...relation, time: 'none', rate: 1, isStretched: false };
  const { time, rate } = TIMES.map(({ time, of }) => ({ time, rate: (project.tempo * of) / bpm })).reduce(
    (best, each) => (octaves(each) < octaves(best) ? each : best),
  );
  return { ...relation, time, rate, isStretched: Math.abs(rate - 1) > STRETCH_LIMIT + 1e-9 };
}

/** Whether a sample plays in a project without a shift, and within the limit of stretching. */
export const fitsAsItIs = ({ semitones, isStretched }: Fit): boolean => semitones === 0 && !isStretched;

/** How much a project changes a sample, for sorting: the semitones of its shift, plus 24 per octave of its rate. */
export const changeOf = (fit: Fit): number => Math.abs(fit.semitones) + 24 * octaves(fit);
