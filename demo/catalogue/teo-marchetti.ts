import { bass, comp, groove, hit, texture, tune, type DemoPack } from './entries.js';

/** The packs of the demo creator, oldest first, and a draft. */
// The formatter would put every field of a pack on a line of its own, which makes packs hard to read.
// oxfmt-ignore
export const TEO_MARCHETTI: DemoPack[] = [
  {
    creator: 'offcut-creator', name: 'First Cuts', genre: 'Lofi', mood: 'Peaceful',
    description: 'A first pack: what a piano, a bass and a quiet evening leave behind.',
    bpm: 80, key: 'C Major', progression: 'I:M9 vi:m9 ii:m9 V:9', swing: 0.58, loose: 0.7, bits: 24,
    samples: [
      comp('Evening piano', 'piano', 'charleston', { creditCost: 3, midi: true }), bass('Evening bass', 'uprightBass', 'soul', { creditCost: 2 }), groove('Evening kit', 'lofi'),
      tune('Evening vibes', 'vibes', { centre: 72, busy: 0.5, creditCost: 2, midi: true }), hit('Evening rim', 'rim', { semitones: -4 }), texture('Evening, window shut', 'room', { bars: 2 }),
    ],
  },
  {
    creator: 'offcut-creator', name: 'Spare Parts', genre: 'Boom-Bap', mood: 'Groovy',
    description: 'Drums from the drawer where the batteries are.',
    bpm: 90, key: 'A Minor', progression: 'i:m7 iv:m7 i:m7 v:m7', swing: 0.6, loose: 0.6, bits: 16,
    samples: [
      groove('Drawer break', 'boombap', { creditCost: 2 }), groove('Drawer break, top only', 'boombap', { without: ['kickDusty', 'snareDusty'] }), hit('Battery kick', 'kickTight'),
      hit('Tape-measure snare', 'snareTight'), bass('Spare bass', 'electricBass', 'groove'), comp('Spare keys', 'wurli', 'push', { bars: 2, creditCost: 3, midi: true }),
    ],
  },
  {
    creator: 'offcut-creator', name: 'Work in Progress', genre: 'Ambient', mood: 'Dreamy', draft: true,
    description: 'Not finished. Nobody can hear this but you.',
    bpm: 70, key: 'G Major', progression: 'I:M9 IV:M9 vi:m9 IV:M9', loose: 1, bits: 24,
    samples: [comp('Pad, unfinished', 'glassPad', 'held'), texture('Drone, unnamed', 'lowDrone', { bars: 2 })],
  },
];
