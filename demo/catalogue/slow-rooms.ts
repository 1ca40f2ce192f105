import { arp, bass, comp, effect, full, groove, hit, shot, texture, tune, type DemoPack } from './entries.js';

// The formatter would put every field of a pack on a line of its own, which makes packs hard to read.
// oxfmt-ignore
export const SLOW_ROOMS: DemoPack[] = [
  {
    creator: 'halvard-sund', name: 'Slow Weather', genre: 'Ambient', mood: 'Peaceful',
    description: 'Eleven days on a jetty with one bow and a battery. Nothing happens quickly, some of it not at all.',
    bpm: 72, key: 'E Minor', progression: 'i:m9 VI:M9 III:M7 VII:add9', loose: 1, bits: 24,
    samples: [
      texture('Harbour crane drone', 'crane', { creditCost: 3 }), comp('Pad, wind from the west', 'warmPad', 'held', { creditCost: 2, midi: true }),
      texture('Wind under the door', 'wind'), texture('Long bow, open string', 'bowedDrone'), arp('Harp, thawing', 'harp', 0.5, 'updown', { midi: true }),
      comp('Choir, far shore', 'choirOoh', 'held', { centre: 64 }), texture('Rain, then less rain', 'rain'), effect('Swell to nothing', 'riser', 6),
    ],
  },
  {
    creator: 'halvard-sund', name: 'Harbour Log', genre: 'Ambient', mood: 'Melancholic',
    description: 'Entries by date: fog, fog, ferry, fog. Played on a felted piano by someone wearing gloves.',
    bpm: 64, key: 'D Major', progression: 'I:add9 vi:m7 IV:M9 V:sus4', loose: 1, bits: 24,
    samples: [
      comp('Felt piano, with gloves', 'feltPiano', 'halves', { midi: true }), tune('Second entry, flute', 'flute', { centre: 74, busy: 0.3 }),
      comp('Glass pad, first light', 'glassPad', 'held'), arp('Music box, salt in it', 'musicBox', 0.5, 'wide', { centre: 76 }),
      texture('Ferry, engine idle', 'lowDrone'), shot('Buoy bell', 'bell', { midiNote: 62, seconds: 2.6 }),
    ],
  },
  {
    creator: 'wren-abbott', name: 'Windowsill', genre: 'Lofi', mood: 'Chill',
    description: 'Played quietly because of the plants. Nylon, felt and a kit made of books.',
    bpm: 82, key: 'A Major', progression: 'I:M9 vi:m9 ii:m9 V:9', swing: 0.6, loose: 0.9, bits: 16,
    samples: [
      arp('Nylon run, half time', 'nylon', 0.5, 'updown', { midi: true }), comp('Rented piano, left hand', 'feltPiano', 'charleston', { bpm: 76, key: 'C Major' }),
      groove('Books, hardback', 'lofi'), bass('Thumb bass', 'uprightBass', 'floor'),
      tune('Kalimba, two tines', 'kalimba', { centre: 74, busy: 0.6, midi: true }), texture('Radiator and rain', 'rain', { bars: 2 }),
      full('Watering day', 4, [
        { name: 'Piano', kind: 'comp', player: 'feltPiano', comp: 'charleston', sections: 'xxxx', gain: 0.8 },
        { name: 'Bass', kind: 'bass', player: 'uprightBass', line: 'floor', sections: '.xxx', gain: 0.8 },
        { name: 'Drums', kind: 'groove', groove: 'lofi', sections: '.xxx', gain: 0.7 },
        { name: 'Nylon', kind: 'arp', player: 'nylon', grid: 0.5, order: 'updown', sections: '..xx', gain: 0.5 },
      ], { instruments: ['Piano', 'Guitar', 'Drums'] }),
    ],
  },
  {
    creator: 'wren-abbott', name: 'Laundry Day', genre: 'Lofi', mood: 'Dreamy',
    description: 'Chords that went through on forty. Shrunk slightly, softer for it.',
    bpm: 74, key: 'F Major', progression: 'IV:M9 iii:m7 ii:m9 I:M9', swing: 0.61, loose: 0.9, bits: 16,
    samples: [
      comp('Rhodes, delicates', 'rhodes', 'charleston', { treat: 'tape', midi: true }), groove('Drum, low spin', 'lofi', { treat: 'sampler' }),
      bass('Bass, line dried', 'electricBass', 'soul'), tune('Whistle over the fence', 'flute', { centre: 77, busy: 0.45, treat: 'tape' }),
      arp('Music box, odd socks', 'musicBox', 0.5, 'up', { centre: 74 }), texture('Crackle, cotton', 'vinyl', { bars: 2 }), hit('Peg', 'clave', { semitones: -5 }),
      hit('Basket kick', 'kickSoft'),
    ],
  },
  {
    creator: 'ines-calderon', name: 'Velvet Hours', genre: 'Neo R&B', mood: 'Smooth',
    description: 'Close voices and a pad that took four years to get right. It is on track two. Take your time.',
    bpm: 84, key: 'Db Major', progression: 'IV:M9 V:9 iii:m7 vi:m9', swing: 0.57, loose: 0.7, bits: 16,
    samples: [
      comp('Peach pad, detuned', 'peachPad', 'held', { midi: true }), comp('Velvet keys, second drawer', 'rhodes', 'push', { midi: true }),
      bass('Moog-ish, after ten', 'synthBass', 'half'), groove('Slow clap, slower kick', 'rnb'),
      tune('Low lights hook, dry', 'solo', { centre: 65, busy: 0.6, bpm: 91, key: 'Bb Minor', progression: 'i:m9 VI:M7 iv:m9 v:m7', creditCost: 2 }), tune('Chopped vowel', 'chop', { centre: 68, busy: 0.9, bars: 2 }),
      comp('Guitar, turned down', 'electricGuitar', 'charleston'), shot('Vowel, once', 'chop', { midiNote: 61, seconds: 1 }),
    ],
  },
  {
    creator: 'ines-calderon', name: 'Second Helping', genre: 'Neo R&B', mood: 'Romantic',
    description: 'What was left in the session after Velvet Hours. Some of us prefer it cold.',
    bpm: 78, key: 'B Minor', progression: 'i:m9 iv:m9 VII:9 III:M7', swing: 0.58, loose: 0.8, bits: 16,
    samples: [
      comp('Wurli, cold', 'wurli', 'charleston', { midi: true }), bass('Fingers and flats', 'electricBass', 'groove'),
      groove('Rim, mostly', 'rnb'), arp('Third floor bell', 'kalimba', 0.5, 'wide', { bpm: 102, midi: true }), comp('Strings for two', 'strings', 'held'),
      tune('Hum, no words yet', 'hum', { centre: 62, busy: 0.5 }),
    ],
  },
];
