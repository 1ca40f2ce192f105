import { arp, bass, comp, effect, groove, hit, shot, texture, tune, type DemoPack } from './entries.js';

// The formatter would put every field of a pack on a line of its own, which makes packs hard to read.
// oxfmt-ignore
export const WORKSHOP: DemoPack[] = [
  {
    creator: 'foundry-row', name: 'Contact Mic Diary', genre: 'Experimental', mood: 'Mysterious',
    description: 'Things touched, in order: railing, fridge, lift door, piano lid, neighbour’s fence. Sorry about the fence.',
    bpm: 110, key: 'C Minor', progression: 'i:m7 i:m7 VI:M7 i:m7', loose: 0.5, bits: 24,
    samples: [
      texture('Railing, bowed', 'bowedDrone', { creditCost: 2 }), texture('Fridge, door open', 'lowDrone', { bars: 2 }), groove('Fence, both sides', 'march'),
      groove('Lift door, loop', 'broken', { treat: 'driven' }), hit('Piano lid', 'tomLow'), hit('Fence post', 'block', { semitones: -4 }), hit('Railing, knocked', 'cowbell', { semitones: -6 }),
      effect('Fence, falling', 'impact', 3.4, { creditCost: 2 }), arp('Glasses on the fridge', 'bell', 0.75, 'wide', { bars: 3 }),
    ],
  },
  {
    creator: 'foundry-row', name: 'Broken Printer', genre: 'Experimental', mood: 'Driving',
    description: 'It printed rhythms for a week before anyone checked. Sold as found, no toner.',
    bpm: 128, key: 'F Minor', progression: 'i:m7 i:m7 iv:m7 i:m7', loose: 0.1, bits: 16,
    samples: [
      groove('Paper feed', 'broken'), texture('Head cleaning', 'broken'),
      bass('Drum unit', 'reese', 'pulse'), arp('Status lights', 'pluck', 0.25, 'wide', { bars: 2, midi: true }), shot('Out of paper', 'stab', { chord: true, seconds: 1 }),
      hit('Tray open', 'snareTight', { semitones: -3 }), effect('Power down', 'impact', 2.6),
    ],
  },
  {
    creator: 'rook-daughters', name: 'Unsold Stock', genre: 'Soul', mood: 'Funky',
    description: 'Forty-fives from the back room that deserved better. The daughters chose; Rook disagreed with two.',
    bpm: 106, key: 'E Minor', progression: 'i:m7 i:m7 iv:9 iv:9', swing: 0.53, loose: 0.6, bits: 16,
    samples: [
      comp('Clav, back room', 'clavinet', 'stabs', { bars: 2, midi: true }), bass('Bass, warped side', 'electricBass', 'groove'), groove('Break, uncounted', 'live'),
      groove('Break, counted', 'stairs'), comp('Scratch guitar', 'mutedGuitar', 'push', { bars: 2 }), comp('Section, two takes', 'brass', 'stabs', { bars: 2 }),
      tune('Organ solo, disputed', 'organ', { centre: 67, busy: 0.9 }), hit('Rook’s snare', 'snareCrack', { semitones: -6 }), texture('Run-out groove', 'vinyl', { bars: 2 }),
    ],
  },
];
