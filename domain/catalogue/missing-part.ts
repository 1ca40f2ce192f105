import { fitOf, fitsAsItIs, type Fit, type Project } from './fit.js';
import { factsOf, type SoundFacts } from './sound/facts.js';
import { pitchHzIn } from './sound/features.js';
import type { Instrument } from './vocabulary.js';

/** The parts of a song, in the order in which a missing one is suggested. */
export const PARTS = ['drums', 'bass', 'chords', 'texture'] as const;
export type Part = (typeof PARTS)[number];

export const INSTRUMENTS_OF: Record<Part, readonly Instrument[]> = {
  drums: ['Drums', 'Kick', 'Snare', 'Hi-Hat', 'Percussion'],
  bass: ['Bass', 'Upright Bass', '808'],
  chords: ['Piano', 'Guitar', 'Rhodes', 'Wurlitzer', 'Organ', 'Clavinet', 'Synth', 'Strings', 'Harp', 'Pad'],
  texture: ['Pad', 'FX', 'Field Recording', 'Choir'],
};

/** The most samples that are suggested at once, in all and of one creator. */
export const SUGGESTED_LIMIT = 6;
const OF_CREATOR = 2;

export interface PlayedSample {
  /** The tempo; 0 if unknown. */
  bpm: number;
  key: string | null;
  instruments: readonly string[];
  /** Null if the sound is silent or not described yet. */
  descriptors: ArrayLike<number> | null;
}

export interface Candidate extends PlayedSample {
  sampleId: string;
  creatorId: string;
}

const plays = ({ instruments }: PlayedSample, part: Part): boolean =>
  INSTRUMENTS_OF[part].some((instrument) => instruments.includes(instrument));

/** Returns the first part that no lane plays; undefined if the lanes have all parts. */
export const missingPart = (lanes: readonly PlayedSample[]): Part | undefined =>
  PARTS.find((part) => !lanes.some((lane) => plays(lane, part)));

const NO_PART: Record<Part, string> = {
  drums: 'No drums play yet.',
  bass: 'No bass plays yet.',
  chords: 'No chords play yet.',
  texture: 'No texture plays yet.',
};

/** Says what is missing and, for a missing bass, how low the other lanes reach in the project. */
export function whyMissing(part: Part, lanes: readonly PlayedSample[], project: Project): string {
  if (part !== 'bass') return NO_PART[part];
  const pitches = lanes.flatMap((lane) => {
    // Lanes with drums are skipped, because the pitch of drums is not a note.
    const hz = lane.descriptors && !plays(lane, 'drums') ? pitchHzIn(lane.descriptors) : undefined;
    return hz === undefined ? [] : hz * 2 ** (fitOf(lane, project).semitones / 12);
  });
  if (pitches.length === 0) return NO_PART.bass;
  return `${NO_PART.bass} The lowest pitch is about ${Number(Math.min(...pitches).toPrecision(2))} Hz.`;
}

/**
 * Two sounds mask each other if the distance between their spectra, as computed by `apart`, is less than
 * this. The spectra consist of numbers from 0 to 100.
 */
const MASKS_WITHIN = 10;

/** Returns the distance between the spectra of two sounds, by brightness, warmth and noisiness. */
const apart = (a: SoundFacts, b: SoundFacts): number =>
  Math.hypot(a.brightness - b.brightness, a.warmth - b.warmth, a.noisiness - b.noisiness);

/** Listeners can hear a difference in a fact if it is at least this large. */
const CLEARLY = 10;

/** Returns the reasons to add a sample to the lanes, the most specific reason first. */
function reasonsFor(sound: SoundFacts, fit: Fit, lanes: readonly Played[]): string[] {
  const sounds = lanes.flatMap(({ facts }) => facts ?? []);
  const below = (fact: keyof SoundFacts, others = sounds): boolean =>
    others.length > 0 && others.every((other) => sound[fact] <= other[fact] - CLEARLY);
  const above = (fact: keyof SoundFacts): boolean =>
    sounds.length > 0 && sounds.every((other) => sound[fact] >= other[fact] + CLEARLY);
  const leavesRoomFor = (part: 'kick' | 'bass'): boolean =>
    below(
      'warmth',
      lanes.flatMap(({ facts, sample }) =>
        facts && (part === 'kick' ? sample.instruments.includes('Kick') : plays(sample, part)) ? facts : [],
      ),
    );
  return [
    ...(leavesRoomFor('kick') ? ['Leaves room for the kick'] : []),
    ...(leavesRoomFor('bass') ? ['Leaves room for the bass'] : []),
    ...(below('brightness') ? ['Darker than the rest'] : []),
    ...(above('brightness') ? ['Brighter than the rest'] : []),
    ...(below('punch') ? ['Softer attack than the rest'] : []),
    ...(above('punch') ? ['Punchier than the rest'] : []),
    ...(fit.key === 'same' ? ['Already in your key'] : []),
    ...(fit.key === 'relative' ? ['In the relative key'] : []),
    fitsAsItIs(fit) ? 'Fits as it is' : 'Fits after a shift',
  ];
}

interface Played {
  sample: PlayedSample;
  facts: SoundFacts | undefined;
}

/**
 * Returns samples that fit a part that is missing, each with a reason: in the order of `candidates`, at most two of
 * one creator. Omits samples that have no descriptors, mask a lane, need too much
 * stretching, or add a second drum or bass part. Repeats a
 * reason only if all reasons of a sample were already used.
 */
export function suggestedFor(
  part: Part,
  playing: readonly PlayedSample[],
  candidates: readonly Candidate[],
  project: Project,
): { sampleId: string; reason: string }[] {
  const lanes = playing.map((sample) => ({ sample, facts: soundOf(sample) }));
  const isDoubled = (candidate: Candidate): boolean =>
    (['drums', 'bass'] as const).some(
      (each) => each !== part && plays(candidate, each) && playing.some((lane) => plays(lane, each)),
    );
  const counts = new Map<string, number>();
  const given = new Set<string>();
  const suggested: { sampleId: string; reason: string }[] = [];
  for (const candidate of candidates) {
    const { sampleId, creatorId } = candidate;
    const count = counts.get(creatorId) ?? 0;
    const sound = soundOf(candidate);
    const fit = fitOf(candidate, project);
    if (suggested.length === SUGGESTED_LIMIT) break;
    if (count === OF_CREATOR || !sound || fit.isStretched || isDoubled(candidate)) continue;
    if (lanes.some(({ facts }) => facts && apart(facts, sound) < MASKS_WITHIN)) continue;
    const reasons = reasonsFor(sound, fit, lanes);
    const reason = reasons.find((each) => !given.has(each)) ?? (reasons[0] as string);
    counts.set(creatorId, count + 1);
    given.add(reason);
    suggested.push({ sampleId, reason });
  }
  return suggested;
}

const soundOf = ({ descriptors }: PlayedSample): SoundFacts | undefined =>
  descriptors ? factsOf(descriptors) : undefined;
