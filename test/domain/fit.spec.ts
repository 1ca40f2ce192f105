import { expect, it } from '@jest/globals';
import { changeOf, fitOf, fitsAsItIs, keyInProject } from '../../domain/catalogue/fit.js';
import { KEYS, SCALES, type MusicalKey } from '../../domain/catalogue/vocabulary.js';

const inKey = (key: string | null, project: MusicalKey | null) =>
  fitOf({ bpm: 0, key }, { tempo: 120, key: project });

it.each([
  ['C Major', 'C Major', 'same', 0],
  ['Db Major', 'C# Major', 'same', 0],
  ['A Minor', 'C Major', 'relative', 0],
  ['C Major', 'A Minor', 'relative', 0],
  ['C Minor', 'C Major', 'parallel', -3],
  ['C Major', 'C Minor', 'parallel', 3],
  ['G Major', 'C Major', 'neighbour', 5],
  ['F Major', 'C Major', 'neighbour', -5],
  ['E Minor', 'A Minor', 'neighbour', 5],
  ['A Minor', 'C Minor', 'other', 3],
  ['B Minor', 'C Major', 'other', -2],
  ['F# Major', 'C Major', 'other', -6],
] as const)('[EAR-720] %s in %s is %s, %i semitones away', (key, project, relation, semitones) => {
  expect(inKey(key, project)).toMatchObject({ key: relation, semitones });
});

it('[EAR-720] without a key, a sample fits every key, and every sample fits a project without one', () => {
  expect(inKey(null, 'C Major')).toMatchObject({ key: 'none', semitones: 0 });
  expect(inKey('C Minor', null)).toMatchObject({ key: 'none', semitones: 0 });
});

it.each([
  ['A Minor', 'C Minor', 'C Minor'],
  ['Db Major', 'C Minor', 'Eb Major'],
  ['Eb Major', 'C Minor', 'Eb Major'],
  ['G# Minor', 'Bb Major', 'G Minor'],
  ['C# Major', 'Db Major', 'C# Major'],
  ['C Minor', null, 'C Minor'],
  [null, 'C Minor', null],
] as const)('[PLAY-709] %s in a project in %s sounds in %s', (key, project, heard) => {
  expect(keyInProject(key, project)).toBe(heard);
});

it('[PLAY-709] the named key is the one to which the shift leads', () => {
  for (const project of KEYS)
    for (const key of KEYS) {
      const heard = keyInProject(key, project);
      expect(inKey(heard, project).semitones).toBe(0);
      expect((heard ?? '').split(' ')[1]).toBe(key.split(' ')[1]);
    }
});

/** Tonics by semitone. */
const TONICS = ['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'];

it('[EAR-720] the shift leads from every key to the key or its relative, by six semitones at most', () => {
  for (const scale of SCALES)
    for (const [at, tonic] of TONICS.entries())
      for (const project of KEYS) {
        const { semitones } = inKey(`${tonic} ${scale}`, project);
        expect([-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5]).toContain(semitones);
        const shifted = `${TONICS.at((at + semitones) % 12)} ${scale}`;
        expect(['same', 'relative']).toContain(inKey(shifted, project).key);
      }
});

it.each([
  [120, 'own', 1, false],
  [104, 'own', 120 / 104, true],
  [105, 'own', 120 / 105, false],
  [60, 'half', 1, false],
  [240, 'double', 1, false],
  [170, 'double', 240 / 170, true],
  [0, 'none', 1, false],
] as const)('[EAR-721] %i BPM in a project of 120 BPM plays in %s time', (bpm, time, rate, isStretched) => {
  const fit = fitOf({ bpm, key: null }, { tempo: 120, key: null });
  expect(fit).toMatchObject({ time, isStretched });
  expect(fit.rate).toBeCloseTo(rate, 9);
});

it('[EAR-721] a sample fits as it is without a shift and within 15 % of stretching; the change is what to sort by', () => {
  const of = (bpm: number, key: string | null) => fitOf({ bpm, key }, { tempo: 120, key: 'A Minor' });
  expect([of(126, 'C Major'), of(0, null), of(120, 'B Minor'), of(100, 'A Minor')].map(fitsAsItIs)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(changeOf(of(60, 'A Minor'))).toBe(0);
  expect(changeOf(of(120, 'B Minor'))).toBe(2);
  expect(changeOf(of(90, null))).toBeGreaterThan(changeOf(of(110, null)));
});
