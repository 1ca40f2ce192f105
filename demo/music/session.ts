import type { MusicalKey } from '../../domain/catalogue/vocabulary.js';
import { randomFrom, type Random } from '../../domain/shared/seeded-random.js';
import { progressionOf, tonalityOf, type Chord, type Tonality } from './theory.js';

/** Musical settings that all instruments of a sample share. */
export interface Session {
  bpm: number;
  bars: number;
  beats: number;
  /**
   * The start of the second of two sixteenths, as a fraction of the length of the pair: 0.5 straight, 0.66
   * triplet.
   */
  swing: number;
  /** How much the timing and strength of notes vary at random: 0 not at all … 1 much. */
  loose: number;
  tonality: Tonality;
  /** One entry per bar, repeated as needed. */
  chords: Chord[][];
  random: Random;
}

export interface SessionPlan {
  bpm: number;
  bars: number;
  key: MusicalKey;
  progression: string;
  swing?: number;
  loose?: number;
  /** The same seed gives the same performance. */
  seed: string;
}

export function openSession(plan: SessionPlan): Session {
  const tonality = tonalityOf(plan.key);
  return {
    bpm: plan.bpm,
    bars: plan.bars,
    beats: plan.bars * 4,
    swing: plan.swing ?? 0.5,
    loose: plan.loose ?? 0.4,
    tonality,
    chords: progressionOf(plan.progression, tonality),
    random: randomFrom(plan.seed),
  };
}

/** Returns the chords of a bar, with the beats at which they start and end. */
export function chordsOfBar(
  session: Session,
  bar: number,
): Array<{ chord: Chord; from: number; to: number }> {
  const chords = session.chords[bar % session.chords.length] as Chord[];
  const beats = 4 / chords.length;
  return chords.map((chord, i) => ({ chord, from: bar * 4 + i * beats, to: bar * 4 + (i + 1) * beats }));
}

export function chordAt(session: Session, beat: number): Chord {
  const bar = Math.floor(beat / 4);
  const chords = session.chords[bar % session.chords.length] as Chord[];
  return chords[Math.min(chords.length - 1, Math.floor(((beat - bar * 4) / 4) * chords.length))] as Chord;
}

/** Returns the position of a sixteenth in beats, with swing. */
export const stepBeat = (session: Session, bar: number, step: number): number =>
  bar * 4 + step * 0.25 + (step % 2 === 1 ? (session.swing - 0.5) * 0.5 : 0);
