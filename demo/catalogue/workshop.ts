import { arp, bass, comp, effect, groove, hit, shot, texture, tune, type DemoPack } from './entries.js';

export const WORKSHOP: DemoPack[] = [
  {
    creator: 'foundry-row', name: 'Contact Mic Diary', genre: 'Experimental', mood: 'Mysterious',
    description: 'Things touched, in order: railing, fridge, lift door, piano lid, neighbour’s fence. Sorry about the fence.',
    bpm: 110, key: 'C Minor', progression: 'i:m7 i:m7 VI:M7 i:m7', loose: 0.5, bits: 24,
    samples: [
      texture('Railing, bowed', 'bowedDrone', { creditCost: 2 }), texture('Fridge, door open', 'lowDrone', { bars: 2 }), groove('Fence, both sides', 'march'),
      groove('Lift door, loop', 'broken', { treat: 'driven' }), hit('Piano lid', 'tomLow'), hit('Fence post', 'block'), hit('Railing, knocked', 'cowbell'),
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
      hit('Tray open', 'snareTight'), effect('Power down', 'impact', 2.6),
    ],
  },
  {
    creator: 'rook-daughters', name: 'Unsold Stock', genre: 'Soul', mood: 'Funky',
    description: 'Forty-fives from the back room that deserved better. The daughters chose; Rook disagreed with two.',
    bpm: 106, key: 'E Minor', progression: 'i:m7 i:m7 iv:9 iv:9', swing: 0.53, loose: 0.6, bits: 16,
    samples: [
      comp('Clav, back room', 'clavinet', 'stabs', { bars: 2, midi: true }), bass('Bass, warped side', 'electricBass', 'groove'), groove('Break, uncounted', 'live'),
      groove('Break, counted', 'stairs'), comp('Scratch guitar', 'mutedGuitar', 'push', { bars: 2 }), comp('Section, two takes', 'brass', 'stabs', { bars: 2 }),
      tune('Organ solo, disputed', 'organ', { centre: 67, busy: 0.9 }), hit('Rook’s snare', 'snareCrack'), texture('Run-out groove', 'vinyl', { bars: 2 }),
    ],
  },
  {
    creator: 'offcut-creator', name: 'First Cuts', genre: 'Lofi', mood: 'Peaceful',
    description: 'A first pack: what a piano, a bass and a quiet evening leave behind.',
    bpm: 80, key: 'C Major', progression: 'I:M9 vi:m9 ii:m9 V:9', swing: 0.58, loose: 0.7, bits: 24,
    samples: [
      comp('Evening piano', 'piano', 'charleston', { midi: true }), bass('Evening bass', 'uprightBass', 'soul'), groove('Evening kit', 'lofi'),
      tune('Evening vibes', 'vibes', { centre: 72, busy: 0.5, midi: true }), hit('Evening rim', 'rim'), texture('Evening, window shut', 'room', { bars: 2 }),
    ],
  },
  {
    creator: 'offcut-creator', name: 'Spare Parts', genre: 'Boom-Bap', mood: 'Groovy',
    description: 'Drums from the drawer where the batteries are.',
    bpm: 90, key: 'A Minor', progression: 'i:m7 iv:m7 i:m7 v:m7', swing: 0.6, loose: 0.6, bits: 16,
    samples: [
      groove('Drawer break', 'boombap'), groove('Drawer break, top only', 'boombap', { without: ['kickDusty', 'snareDusty'] }), hit('Battery kick', 'kickTight'),
      hit('Tape-measure snare', 'snareTight'), bass('Spare bass', 'electricBass', 'groove'), comp('Spare keys', 'wurli', 'push', { bars: 2, midi: true }),
    ],
  },
  {
    creator: 'offcut-creator', name: 'Work in Progress', genre: 'Ambient', mood: 'Dreamy', draft: true,
    description: 'Not finished. Nobody can hear this but you.',
    bpm: 70, key: 'G Major', progression: 'I:M9 IV:M9 vi:m9 IV:M9', loose: 1, bits: 24,
    samples: [comp('Pad, unfinished', 'glassPad', 'held'), texture('Drone, unnamed', 'lowDrone', { bars: 2 })],
  },
]; // prettier-ignore
