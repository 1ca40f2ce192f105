import type { Note } from './midi.js';
import { chordAt, chordsOfBar, stepBeat, type Session } from './session.js';
import { nearest, voicing, type Chord } from './theory.js';

/** Each exported function of this file returns the notes of one instrument, which fit the session's chords. */

/** Bass lines, one mark per sixteenth: R root, O octave, 5 fifth, 7 minor seventh, `a` a half step to the next root. */
const BASS_LINES = {
  floor: ['R.......R.....R.', 'R.......R.....5.'],
  groove: ['R..R..O...5R..a.', 'R..R..O..5.7..a.'],
  soul: ['R.....R.5..O..a.', 'R..R....5.7.O.a.'],
  half: ['R.........R..R..', 'R......R..O.....'],
  slide: ['R.....O...R.....', 'R.........O..R..'],
  tumbao: ['...R..5.....O...', '...R..5.....O..R'],
  pulse: ['R.R.R.R.R.R.R.R.', 'R.R.R.R.R.O.5.a.'],
  off: ['..R...R...R...R.', '..R...R...R..OR.'],
  drill: ['R.....R...5.....', 'R..a......O.R...'],
  long: ['R...............', 'R...............'],
} as const;
export type BassLine = keyof typeof BASS_LINES;

/** The lowest note of a bass. */
const LOWEST = 28;

const bassRoot = ({ tonality }: Session, chord: Chord): number =>
  LOWEST + ((((tonality.root + chord.root - LOWEST) % 12) + 12) % 12);

export function bassPart(session: Session, line: BassLine): Note[] {
  const notes: Note[] = [];
  const bars = BASS_LINES[line];
  for (let bar = 0; bar < session.bars; bar++) {
    const marks = [...(bars[bar % bars.length] as string)];
    marks.forEach((mark, step) => {
      if (mark === '.') return;
      const chord = chordAt(session, bar * 4 + step * 0.25);
      const next = chordAt(session, ((bar + 1) * 4) % session.beats);
      const root = bassRoot(session, chord);
      const tones: Record<string, number> = { O: root + 12, 5: root + 7, 7: root + 10 };
      const midi = mark === 'a' ? bassRoot(session, next) - 1 : (tones[mark] ?? root);
      let gap = 1;
      while (step + gap < 16 && marks[step + gap] === '.') gap++;
      notes.push({
        midi,
        beat: stepBeat(session, bar, step),
        beats: gap * 0.25 * 0.92,
        velocity: (step % 4 === 0 ? 0.92 : 0.74) + (session.random() - 0.5) * 0.1,
      });
    });
  }
  return notes;
}

/** Returns a bass line of four notes a bar: the root, two chord tones, and a half step to the next root. */
export function walkingBass(session: Session): Note[] {
  const notes: Note[] = [];
  for (let beat = 0; beat < session.beats; beat++) {
    const chord = chordAt(session, beat);
    const root = bassRoot(session, chord);
    const nextRoot = bassRoot(session, chordAt(session, (beat + 1) % session.beats));
    const place = beat % 4;
    const tones = chord.tones.map((tone) => tone % 12);
    const midi =
      place === 0
        ? root
        : place === 3
          ? nextRoot + (session.random() < 0.5 ? -1 : 1)
          : root + (tones[place % tones.length] as number);
    notes.push({ midi, beat, beats: 0.94, velocity: place % 2 === 0 ? 0.85 : 0.75 });
    if (place === 2 && session.random() < 0.3)
      notes.push({ midi, beat: beat + 0.66, beats: 0.25, velocity: 0.42 });
  }
  return notes;
}

/** Rhythms of chords. A digit is a chord's length in sixteenths, written to base 17, so that g is a whole bar. */
const COMPS = {
  held: ['g...............'],
  charleston: ['5.....a.........', '5.....4...6.....'],
  push: ['6.....4...5.....', '3..3....2.....2.'],
  stabs: ['2.....2.........', '2..2......2.....'],
  offbeat: ['..2...2...2...2.'],
  halves: ['8.......8.......'],
  montuno: ['2.2..2.2..2.2.2.', '.2.2..2.2.2..2.2'],
  quarters: ['4...4...4...4...'],
} as const;
export type Comp = keyof typeof COMPS;

export function compPart(session: Session, comp: Comp, centre = 60): Note[] {
  const notes: Note[] = [];
  let before: number[] = [];
  const bars = COMPS[comp];
  for (let bar = 0; bar < session.bars; bar++)
    [...(bars[bar % bars.length] as string)].forEach((mark, step) => {
      if (mark === '.') return;
      const start = bar * 4 + step * 0.25;
      const chords =
        comp === 'held'
          ? chordsOfBar(session, bar)
          : [{ chord: chordAt(session, start), from: start, to: start + parseInt(mark, 17) * 0.25 }];
      for (const { chord, from, to } of chords) {
        before = voicing(chord, session.tonality, centre, before);
        before.forEach((midi, i) =>
          notes.push({
            midi,
            beat: (from === start ? stepBeat(session, bar, step) : from) + i * 0.012,
            beats: (to - from) * 0.96,
            velocity: (step % 8 === 0 ? 0.78 : 0.66) + (session.random() - 0.5) * 0.14 - (i === 0 ? 0 : 0.06),
          }),
        );
      }
    });
  return notes;
}

export type ArpOrder = 'up' | 'updown' | 'wide';

/** Plays the chord tones in sequence, in steps of `grid` beats. */
export function arpeggio(session: Session, grid: number, order: ArpOrder, centre = 64): Note[] {
  const notes: Note[] = [];
  let before: number[] = [];
  const count = Math.round(session.beats / grid);
  for (let i = 0; i < count; i++) {
    const beat = i * grid;
    const chord = chordAt(session, beat);
    before = voicing(chord, session.tonality, centre, before);
    const [first, second, third = second] = before as [number, number, number?];
    const ladder = {
      up: [...before, first + 12],
      updown: [...before, first + 12, ...before.slice(1).reverse()],
      wide: [first, third, second + 12, first + 12, third + 12, second],
    }[order];
    const swung = grid === 0.25 && i % 2 === 1 ? (session.swing - 0.5) * 0.5 : 0;
    notes.push({
      midi: ladder[i % ladder.length] as number,
      beat: beat + swung,
      beats: grid * 1.1,
      velocity: (i % 4 === 0 ? 0.84 : 0.6) + (session.random() - 0.5) * 0.12,
    });
  }
  return notes;
}

const RHYTHMS = [
  [0, 1.5, 2, 3.5],
  [0, 0.75, 1.5, 2.5, 3],
  [0.5, 1, 1.5, 3],
  [0, 1, 1.75, 2.5, 3.25],
  [0, 2, 2.5, 3, 3.5],
  [0, 0.5, 1, 2.75],
  [1, 1.5, 2, 2.5],
  [0, 1.25, 2.5],
];

/**
 * Returns a melody of four-bar phrases: motif A, motif B higher, A, B lower. Strong beats are chord tones, the others
 * notes of the key's pentatonic scale.
 * @param busy 0 a few long notes … 1 all notes
 */
export function melodyPart(session: Session, centre = 72, busy = 0.7): Note[] {
  const { random, tonality } = session;
  const motif = [0, 1].map(() => {
    const rhythm = RHYTHMS[Math.floor(random() * RHYTHMS.length)] as number[];
    return rhythm
      .filter((_, i) => i === 0 || random() < 0.4 + busy * 0.6)
      .map((beat) => ({ beat, step: Math.round((random() - 0.48) * 5) }));
  });
  const notes: Note[] = [];
  for (let bar = 0; bar < session.bars; bar++) {
    const sentence = bar % 4;
    const bend = sentence === 1 ? 2 : sentence === 3 ? -2 : 0;
    const phrase = motif[sentence === 3 ? 1 : bar % 2] as Array<{ beat: number; step: number }>;
    let at = centre + bend;
    phrase.forEach(({ beat, step }, i) => {
      const start = bar * 4 + beat;
      const chord = chordAt(session, start);
      at = Math.max(centre - 9, Math.min(centre + 11, at + step * 1.6));
      const strong = beat % 1 === 0;
      const midi = strong
        ? nearest(Math.round(at), tonality.root + chord.root, chord.tones)
        : nearest(Math.round(at), tonality.root, tonality.pentatonic);
      const end = phrase[i + 1]?.beat ?? 4;
      const sixteenth = Math.round(beat * 4);
      notes.push({
        midi,
        beat: stepBeat(session, bar, sixteenth),
        beats: Math.min(2, (end - beat) * 0.94),
        velocity: (strong ? 0.82 : 0.66) + (random() - 0.5) * 0.14,
      });
      at = midi;
    });
  }
  return notes;
}
