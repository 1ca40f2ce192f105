import { arp, bass, comp, effect, groove, hit, shot, texture, tune, type DemoPack } from './entries.js';

// The formatter would put every field of a pack on a line of its own, which makes packs hard to read.
// oxfmt-ignore
export const NIGHT_SHIFT: DemoPack[] = [
  {
    creator: 'kessler-bros', name: 'Second Floor Subs', genre: 'Trap', mood: 'Powerful',
    description: 'Eight-oh-eights tuned, long and polite at the edges. The man upstairs signed a release.',
    bpm: 140, key: 'G# Minor', progression: 'i:m VI: iv:m i:m', loose: 0.2, bits: 16,
    samples: [
      bass('Sub slide, long', 'slide808', 'slide', { bpm: 90, midi: true }), bass('808, upstairs edit', 'hard808', 'half'),
      groove('Hats, nervous', 'trapHats'), groove('Knock, both brothers', 'trap'),
      arp('Bell, bad news', 'bell', 0.5, 'updown', { centre: 72, midi: true }), tune('Lead with a cold', 'softLead', { centre: 68 }),
      shot('808, tuned to G#', 'slide808', { midiNote: 32, seconds: 1.8 }), hit('Kick, no sub', 'kickHard'), hit('Clap, three hands', 'clap'),
      effect('Riser, two bars', 'riser', 3.43),
    ],
  },
  {
    creator: 'kessler-bros', name: 'Night Bus Home', genre: 'Trap', mood: 'Dark',
    description: 'Written on the top deck, front left. Wet windows, dry drums.',
    bpm: 132, key: 'C# Minor', progression: 'i:m9 VI:M7 VII: v:m', loose: 0.25, bits: 16,
    samples: [
      comp('Top deck keys', 'rhodes', 'halves', { midi: true }), bass('Bus 808', 'hard808', 'drill'),
      groove('Stop request', 'trap'), groove('Hats past midnight', 'trapHats'),
      comp('Choir in the tunnel', 'choirOoh', 'held', { centre: 62 }), texture('Rain on the upper deck', 'rain'),
      shot('Bell, next stop', 'bell', { midiNote: 73, seconds: 2 }), hit('Snare, folded ticket', 'snareTight', { semitones: -5 }),
    ],
  },
  {
    creator: 'foundry-row', name: 'Concrete Choir', genre: 'Drill', mood: 'Dramatic',
    description: 'Voices in a car park, level minus three. Sliding subs underneath, because they fit.',
    bpm: 142, key: 'F# Minor', progression: 'i:m VI: iv:m v:m', loose: 0.2, bits: 16,
    samples: [
      comp('Level minus three, choir', 'choirAh', 'held', { centre: 60, creditCost: 2 }), bass('Barrier slide', 'slide808', 'drill', { midi: true }),
      groove('Car park drill', 'drill'),
      arp('Strings, short of change', 'strings', 0.5, 'up', { centre: 66 }), tune('Piano, one finger', 'feltPiano', { centre: 70, busy: 0.5, midi: true }),
      hit('Shutter snare', 'snareTight', { semitones: -8 }), effect('Ramp, going down', 'impact', 3.2),
    ],
  },
  {
    creator: 'kessler-bros', name: 'Lift Shaft', genre: 'Drill', mood: 'Intense',
    description: 'Forty metres of reverb and a fault light. Snares land where the counterweight does.',
    bpm: 144, key: 'D# Minor', progression: 'i:m7 i:m7 VI:M7 VII:', loose: 0.2, bits: 16,
    samples: [
      groove('Counterweight', 'drill', { bpm: 132 }), bass('Cable bass', 'reese', 'drill'),
      arp('Floor indicator', 'pluck', 0.5, 'wide', { midi: true }), texture('Motor room drone', 'lowDrone'),
      shot('Doors closing', 'stab', { chord: true, seconds: 1.2 }), hit('Brake kick', 'kickHard', { semitones: -4 }), hit('Relay', 'block', { semitones: -8 }),
    ],
  },
  {
    creator: 'big-formica', name: 'Photocopy', genre: 'Underground', mood: 'Mysterious',
    description: 'Copies of copies of a tape nobody labelled. Toner low throughout.',
    bpm: 86, key: 'G Minor', progression: 'i:m7 iv:m7 i:m7 VI:M7', swing: 0.6, loose: 0.7, bits: 16,
    samples: [
      comp('Third generation keys', 'wurli', 'charleston', { treat: 'tape', midi: true }), bass('Under the lid', 'electricBass', 'floor'),
      groove('Paper jam', 'boombap', { treat: 'sampler' }), groove('Low toner', 'lofi', { treat: 'tape' }),
      tune('Clarinet, page missing', 'clarinet', { centre: 64, busy: 0.5 }),
      texture('Tape, nothing on it', 'tape', { bars: 2 }), hit('Staple', 'rim', { semitones: -8 }), hit('Tray two', 'kickDusty', { semitones: -8 }),
    ],
  },
  {
    creator: 'big-formica', name: 'Flood Damage', genre: 'Underground', mood: 'Dark',
    description: 'Everything below knee height got wet. These are the machines that still switched on, and what they said.',
    bpm: 78, key: 'E Minor', progression: 'i:m7 VI:M7 i:m7 v:m7', swing: 0.58, loose: 0.8, bits: 16,
    samples: [
      comp('Organ, still dripping', 'organ', 'held', { treat: 'tape' }), bass('Waterline bass', 'sub', 'floor'),
      groove('Kit on a pallet', 'dusty', { treat: 'tape' }), arp('Synth with a short', 'softLead', 0.25, 'wide', { bars: 2, treat: 'sampler' }),
      tune('Vibes, drying', 'vibes', { centre: 67, busy: 0.4 }), texture('Drip count', 'rain', { bars: 2 }),
      hit('Wet snare', 'snareDusty', { semitones: -6 }),
    ],
  },
];
