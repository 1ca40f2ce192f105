import type { Genre, Instrument, Mood, MusicalKey } from '../../domain/catalogue/vocabulary.js';
import type { GrooveName } from '../music/grooves.js';
import type { BassLine, Comp } from '../music/parts.js';
import type { FullPart, Player, Recipe, Treatment } from '../recipes.js';
import type { Drum } from '../synth/drums.js';
import type { TextureName } from '../synth/textures.js';

/** Builders for the entries of the demo catalogue. */

export interface DemoSample {
  name: string;
  recipe: Recipe;
  instruments: Instrument[];
  bars: number;
  creditCost: number;
  bpm?: number;
  key?: MusicalKey;
  /** Needed if the key has another mode than the pack's. */
  progression?: string;
  /** Sounds without a pitch have no key. */
  keyless?: boolean;
  mono?: boolean;
  midi?: boolean;
  stems?: boolean;
}

export interface DemoPack {
  creator: string;
  name: string;
  genre: Genre;
  mood: Mood;
  description: string;
  bpm: number;
  key: MusicalKey;
  progression: string;
  swing?: number;
  loose?: number;
  bits: 16 | 24;
  /** Absent: published. */
  draft?: true;
  samples: DemoSample[];
}

type More = Partial<
  Pick<DemoSample, 'bars' | 'creditCost' | 'bpm' | 'key' | 'progression' | 'midi' | 'stems' | 'instruments'>
>;

const INSTRUMENT_OF: Record<Player, Instrument[]> = {
  rhodes: ['Rhodes'],
  wurli: ['Wurlitzer'],
  piano: ['Piano'],
  feltPiano: ['Piano'],
  vibes: ['Mallets'],
  marimba: ['Mallets'],
  kalimba: ['Mallets'],
  bell: ['Mallets'],
  musicBox: ['Mallets'],
  nylon: ['Guitar'],
  electricGuitar: ['Guitar'],
  mutedGuitar: ['Guitar'],
  uprightBass: ['Upright Bass', 'Bass'],
  electricBass: ['Bass'],
  harp: ['Harp'],
  clavinet: ['Clavinet'],
  warmPad: ['Pad', 'Synth'],
  peachPad: ['Pad', 'Synth'],
  glassPad: ['Pad', 'Synth'],
  strings: ['Strings'],
  brass: ['Brass'],
  sax: ['Saxophone'],
  clarinet: ['Clarinet'],
  flute: ['Flute'],
  softLead: ['Lead', 'Synth'],
  brightLead: ['Lead', 'Synth'],
  pluck: ['Pluck', 'Synth'],
  stab: ['Synth'],
  organ: ['Organ'],
  synthBass: ['Bass', 'Synth'],
  reese: ['Bass', 'Synth'],
  choirAh: ['Choir', 'Vocals'],
  choirOoh: ['Choir', 'Vocals'],
  hum: ['Vocals'],
  chop: ['Vocals'],
  solo: ['Vocals'],
  sub: ['Bass'],
  slide808: ['808', 'Bass'],
  hard808: ['808', 'Bass'],
};

const DRUM_INSTRUMENT: Partial<Record<Drum, Instrument>> = {
  kickDusty: 'Kick',
  kickTight: 'Kick',
  kickSoft: 'Kick',
  kickHard: 'Kick',
  snareCrack: 'Snare',
  snareDusty: 'Snare',
  snareTight: 'Snare',
  ghost: 'Snare',
  hatClosed: 'Hi-Hat',
  hatTight: 'Hi-Hat',
  hatOpen: 'Hi-Hat',
  brushTap: 'Snare',
};

const PERCUSSION: readonly GrooveName[] = ['conga', 'tambourine', 'shakers'];
const PITCHED: readonly TextureName[] = ['lowDrone', 'bowedDrone', 'crane', 'riser', 'impact'];
const RECORDED: readonly TextureName[] = ['rain', 'room', 'wind', 'crane'];

/** A two-bar loop for one credit. A single sound lasts one bar. */
const loop = (
  name: string,
  recipe: Recipe,
  instruments: Instrument[],
  more: Partial<DemoSample>,
): DemoSample => ({
  name,
  recipe,
  instruments,
  bars: 2,
  creditCost: 1,
  ...more,
});

const drumsOf = (pattern: GrooveName): Instrument[] => {
  if (pattern === 'trapHats') return ['Hi-Hat', 'Drums'];
  return PERCUSSION.includes(pattern) ? ['Percussion'] : ['Drums'];
};

type Grooved = More & { without?: Drum[]; treat?: Treatment };
export const groove = (
  name: string,
  pattern: GrooveName,
  { without, treat, ...more }: Grooved = {},
): DemoSample =>
  loop(name, { kind: 'groove', groove: pattern, without, treat }, drumsOf(pattern), {
    keyless: true,
    ...more,
  });

type Low = More & { lowest?: number };
export const bass = (
  name: string,
  player: Player,
  line: BassLine | 'walk',
  { lowest, ...more }: Low = {},
): DemoSample =>
  loop(name, { kind: 'bass', player, line, lowest }, INSTRUMENT_OF[player], { mono: true, ...more });

type Placed = More & { centre?: number; treat?: Treatment };
export const comp = (
  name: string,
  player: Player,
  rhythm: Comp,
  { centre, treat, ...more }: Placed = {},
): DemoSample =>
  loop(name, { kind: 'comp', player, comp: rhythm, centre, treat }, INSTRUMENT_OF[player], more);

export const arp = (
  name: string,
  player: Player,
  grid: number,
  order: 'up' | 'updown' | 'wide',
  { centre, treat, ...more }: Placed = {},
): DemoSample => loop(name, { kind: 'arp', player, grid, order, centre, treat }, INSTRUMENT_OF[player], more);

export const tune = (
  name: string,
  player: Player,
  { centre, busy, treat, ...more }: Placed & { busy?: number } = {},
): DemoSample => loop(name, { kind: 'tune', player, centre, busy, treat }, INSTRUMENT_OF[player], more);

export const texture = (name: string, kind: TextureName, more: More = {}): DemoSample =>
  loop(
    name,
    { kind: 'texture', texture: kind },
    RECORDED.includes(kind) ? ['Field Recording', 'FX'] : ['FX'],
    { keyless: !PITCHED.includes(kind), ...more },
  );

export const effect = (name: string, kind: TextureName, seconds: number, more: More = {}): DemoSample =>
  loop(name, { kind: 'effect', texture: kind, seconds }, ['FX'], {
    bars: 1,
    keyless: !PITCHED.includes(kind),
    ...more,
  });

/** @param semitones retunes the drum, so that two creators who use it have different recordings */
export const hit = (
  name: string,
  drum: Drum,
  { semitones = 0, ...more }: More & { semitones?: number } = {},
): DemoSample =>
  loop(name, { kind: 'hit', drum, semitones }, [DRUM_INSTRUMENT[drum] ?? 'Percussion', 'Drums'], {
    bars: 1,
    keyless: true,
    mono: true,
    ...more,
  });

type Shot = More & { chord?: boolean; midiNote?: number; seconds?: number };
export const shot = (
  name: string,
  player: Player,
  { chord, midiNote, seconds = 1.4, ...more }: Shot = {},
): DemoSample =>
  loop(name, { kind: 'shot', player, chord, midi: midiNote, seconds }, INSTRUMENT_OF[player], {
    bars: 1,
    ...more,
  });

export const full = (
  name: string,
  bars: number,
  parts: FullPart[],
  { instruments, ...more }: More & { instruments: Instrument[] },
): DemoSample =>
  loop(name, { kind: 'full', parts }, instruments, { bars, creditCost: 2, stems: true, ...more });
