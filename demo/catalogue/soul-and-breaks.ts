import { bass, comp, full, groove, hit, shot, texture, tune, type DemoPack } from './entries.js';

// The formatter would put every field of a pack on a line of its own, which makes packs hard to read.
// oxfmt-ignore
export const SOUL_AND_BREAKS: DemoPack[] = [
  {
    creator: 'junie-okafor', name: 'Kitchen Table Soul', genre: 'Soul', mood: 'Nostalgic',
    description: 'One upright, one Rhodes with a sticky key, four people who had somewhere to be by nine. Straight to cassette, in a kitchen. The kettle is on the last track.',
    bpm: 84, key: 'Eb Major', progression: 'I:M9 vi:m9 ii:m9 V:13', swing: 0.57, loose: 0.9, bits: 16,
    samples: [
      full('Late Service, full take', 10, [
        { name: 'Rhodes', kind: 'comp', player: 'rhodes', comp: 'charleston', sections: 'xxxxx', gain: 0.9 },
        { name: 'Upright bass', kind: 'bass', player: 'uprightBass', line: 'soul', sections: '.xxxx', gain: 0.9 },
        { name: 'Drums', kind: 'groove', groove: 'brush', sections: '..xx.', gain: 0.8 },
      ], { instruments: ['Rhodes', 'Upright Bass', 'Drums'], creditCost: 3, stems: false }),
      comp('Rhodes under the window', 'rhodes', 'held', { midi: true }),
      groove('Brush break, close mic', 'brush', { bpm: 88 }),
      bass('Upright walk in F', 'uprightBass', 'walk', { key: 'F Minor', progression: 'i:m7 iv:m7 i:m7 v:m7', midi: true, bars: 4 }),
      comp('Wurli turnaround', 'wurli', 'push', { key: 'C Minor', progression: 'i:m9 iv:m7/v:m7', bars: 2, midi: true }),
      comp('Choir ahh, three voices', 'choirAh', 'halves', { bars: 2, creditCost: 2 }),
      comp('Upright piano, lid open', 'piano', 'charleston', { midi: true }),
      tune('Hummed by the sink', 'hum', { centre: 63, busy: 0.4 }),
      texture('Kitchen, kettle on', 'room', { bars: 2 }),
    ],
  },
  {
    creator: 'ada-prewitt', name: 'Sunday Best Horns', genre: 'Soul', mood: 'Uplifting',
    description: 'Stabs, swells and one long solo from a section that irons its shirts. Cut from four services. Amens removed where possible.',
    bpm: 96, key: 'Bb Major', progression: 'I:6 IV:9 ii:m9 V:13', swing: 0.55, loose: 0.7, bits: 24,
    samples: [
      comp('Horn stabs, all four', 'brass', 'stabs', { bars: 2, midi: true }),
      comp('Horn line, second try', 'brass', 'push', { creditCost: 2 }),
      tune('Tenor, one chorus', 'sax', { centre: 62, creditCost: 2, midi: true }),
      comp('Church organ, quiet hand', 'organ', 'halves', { bars: 2 }),
      groove('Sunday kit, dry', 'live'),
      bass('Deacon on bass', 'electricBass', 'soul'),
      shot('Horn stab, Bb6', 'brass', { chord: true, midiNote: 58 }),
      hit('Snare from the back pew', 'snareDusty'),
    ],
  },
  {
    creator: 'low-ceiling', name: 'Stairwell Breaks', genre: 'Boom-Bap', mood: 'Groovy',
    description: 'A kit on every landing of a six-floor stairwell, two microphones, no headphones. The room is the compressor.',
    bpm: 88, key: 'A Minor', progression: 'i:m7 i:m7 iv:m7 v:m7', swing: 0.59, loose: 0.8, bits: 16,
    samples: [
      full('Landing to roof, full', 12, [
        { name: 'Drums', kind: 'groove', groove: 'stairs', sections: '.xxxx.xxxxx.', gain: 0.9 },
        { name: 'Bass', kind: 'bass', player: 'electricBass', line: 'groove', sections: '..xxxxxx.xxx', gain: 0.8 },
        { name: 'Guitar', kind: 'comp', player: 'mutedGuitar', comp: 'push', sections: 'xxxx..xxxxxx', gain: 0.8 },
      ], { instruments: ['Drums'], creditCost: 2, stems: false }),
      groove('Third floor, both hands', 'boombap'),
      groove('Ground floor, door open', 'stairs', { bpm: 92 }),
      groove('Roof break, wind in it', 'dusty', { bpm: 84, treat: 'tape' }),
      groove('Third floor, no kick', 'boombap', { without: ['kickDusty'] }),
      groove('Landing, sampled to death', 'dusty', { treat: 'sampler' }),
      hit('Stairwell kick', 'kickDusty'), hit('Stairwell snare', 'snareCrack'), hit('Handrail', 'block'),
      hit('Crash, two floors up', 'crash'), hit('Rim on concrete', 'rim'),
      texture('Empty stairwell, minute of', 'room', { bars: 2 }),
    ],
  },
  {
    creator: 'rook-daughters', name: 'Loose Change', genre: 'Boom-Bap', mood: 'Nostalgic',
    description: 'Bits found between the good bits of records nobody bought. Some surface noise is ours, most is theirs.',
    bpm: 92, key: 'D Minor', progression: 'i:m9 VI:M7 iv:m9 v:m7', swing: 0.6, loose: 0.6, bits: 16,
    samples: [
      texture('Vinyl intro and needle', 'vinyl'),
      comp('Basement chord stab', 'stab', 'stabs', { bpm: 86, bars: 2, midi: true }),
      comp('Flipped piano, side B', 'feltPiano', 'charleston', { treat: 'tape' }),
      bass('Filtered bass, side A', 'electricBass', 'groove'),
      groove('Loose change break', 'dusty', { treat: 'sampler' }),
      tune('Flute in the run-out', 'flute', { centre: 74, busy: 0.5, treat: 'tape' }),
      comp('String cue, thirty pence', 'strings', 'halves', { bars: 2 }),
      hit('Kick, price still on', 'kickDusty', { semitones: -4 }), hit('Snare, slight return', 'snareDusty', { semitones: -3 }), hit('Hat, well thumbed', 'hatClosed'),
    ],
  },
];
