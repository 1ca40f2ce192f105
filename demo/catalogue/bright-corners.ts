import { arp, bass, comp, effect, groove, hit, shot, texture, tune, type DemoPack } from './entries.js';

// The formatter would put every field of a pack on a line of its own, which makes packs hard to read.
// oxfmt-ignore
export const BRIGHT_CORNERS: DemoPack[] = [
  {
    creator: 'mbali-nkosi', name: 'Sugar Glass', genre: 'Pop', mood: 'Euphoric',
    description: 'Bright, sharp at the edges, made to break on the chorus. Measured, not poured.',
    bpm: 118, key: 'G Major', progression: 'vi:m7 IV:M7 I:add9 V:sus4', loose: 0.25, bits: 24,
    samples: [
      comp('Glass chords, chorus', 'brightLead', 'push', { midi: true }), arp('Pluck, second verse', 'pluck', 0.25, 'updown', { midi: true }),
      bass('Bass, off the beat', 'synthBass', 'off'), groove('Four on the tiles', 'pop'), groove('Tiles, no kick', 'pop', { without: ['kickTight'] }),
      comp('Pad, ducking', 'peachPad', 'held', { treat: 'pumped' }), tune('Topline, no words', 'chop', { centre: 70, busy: 0.8 }),
      effect('Lift into chorus', 'riser', 4.07), shot('Shatter chord', 'stab', { chord: true }), hit('Clap, crowd of one', 'clap'),
    ],
  },
  {
    creator: 'mbali-nkosi', name: 'Paper Crown', genre: 'Pop', mood: 'Uplifting',
    description: 'The one out of the cracker. Fits everybody badly.',
    bpm: 104, key: 'C Major', progression: 'I:add9 V: vi:m7 IV:M7', loose: 0.35, bits: 16,
    samples: [
      comp('Piano, party end', 'piano', 'quarters', { bars: 2, midi: true }), comp('Strings, best plates', 'strings', 'held'), bass('Paper bass', 'electricBass', 'pulse'),
      groove('Table drums', 'live'), tune('Music box hook', 'musicBox', { centre: 79, busy: 0.7, midi: true }), comp('Choir, everyone in', 'choirAh', 'halves', { bars: 2 }),
      groove('Tambourine, cousin', 'tambourine'), hit('Bang, small', 'snareCrack', { semitones: -3 }),
    ],
  },
  {
    creator: 'tres-patios', name: 'Corner Fruit', genre: 'Latin', mood: 'Energetic',
    description: 'Congas at the fruit stand, guitar from the flat above. Prices as marked.',
    bpm: 100, key: 'D Minor', progression: 'i:m7 iv:m7 v:m7 i:m7', loose: 0.6, bits: 16,
    samples: [
      groove('Congas, ripe', 'conga'), groove('Dembow, bruised', 'dembow', { bpm: 94 }), comp('Montuno, upstairs', 'piano', 'montuno', { midi: true }),
      arp('Nylon, peeled', 'nylon', 0.25, 'wide', { bars: 2, midi: true }), bass('Tumbao in a crate', 'uprightBass', 'tumbao'),
      comp('Horns, two for one', 'brass', 'stabs', { bars: 2 }), hit('Clave', 'clave'), hit('Conga, open', 'congaHigh'), hit('Cowbell, dented', 'cowbell'),
      groove('Shaker, dried beans', 'shakers'),
    ],
  },
  {
    creator: 'tres-patios', name: 'Patio at Eleven', genre: 'Latin', mood: 'Romantic',
    description: 'The late set, after the chairs are counted. Bossa time, one microphone, two moths.',
    bpm: 126, key: 'A Minor', progression: 'i:m9 iv:m7 VII:9 III:M7', loose: 0.6, bits: 16,
    samples: [
      comp('Nylon, last set', 'nylon', 'push', { midi: true }), groove('Rim and shaker', 'bossa'), bass('Upright, in slippers', 'uprightBass', 'half'),
      tune('Flute and moths', 'flute', { centre: 76, busy: 0.7 }), tune('Vibes, borrowed', 'vibes', { centre: 69, busy: 0.6, midi: true }),
      comp('Organ, behind a curtain', 'organ', 'offbeat', { bars: 2 }), texture('Patio, closing', 'room', { bars: 2 }),
    ],
  },
  {
    creator: 'ines-calderon', name: 'Late Checkout', genre: 'R&B', mood: 'Smooth',
    description: 'Four chords, one key card, noon and counting. Do not disturb is included.',
    bpm: 94, key: 'Bb Minor', progression: 'i:m9 VI:M7 iv:m9 v:m7', swing: 0.55, loose: 0.5, bits: 16,
    samples: [
      comp('Keys, do not disturb', 'rhodes', 'halves', { midi: true }), bass('Room service', 'sub', 'half'), groove('Key card', 'rnb'),
      comp('Guitar in the next room', 'electricGuitar', 'stabs', { bars: 2 }), comp('Oohs in the corridor', 'choirOoh', 'held', { creditCost: 2 }),
      tune('Sax, ice machine', 'sax', { centre: 61, busy: 0.6 }), shot('Lift chime', 'vibes', { midiNote: 70, chord: true, seconds: 2 }), hit('Door, soft close', 'kickSoft', { semitones: -5 }),
    ],
  },
  {
    creator: 'junie-okafor', name: 'Soft Landing', genre: 'R&B', mood: 'Elegant',
    description: 'Nothing above forte. Wheels down, seats back, a harp where the engine was.',
    bpm: 90, key: 'Ab Major', progression: 'I:M9 iii:m7 vi:m9 IV:M9', swing: 0.56, loose: 0.6, bits: 16,
    samples: [
      arp('Harp, seat 4A', 'harp', 0.5, 'updown', { midi: true }), comp('Rhodes, cabin lights', 'rhodes', 'charleston', { midi: true }), bass('Descent', 'synthBass', 'long'),
      groove('Seatbelt sign', 'rnb'), comp('Strings, final approach', 'strings', 'held'), tune('Clarinet, one breath', 'clarinet', { centre: 65, key: 'Eb Major', bpm: 84, creditCost: 2 }),
    ],
  },
];
