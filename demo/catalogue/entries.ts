import type { Genre, Instrument, Mood, MusicalKey } from '../../domain/catalogue/vocabulary.js';
import type { GrooveName } from '../music/grooves.js';
import type { BassLine, Comp } from '../music/parts.js';
import type { FullPart, Player, Recipe, Treatment } from '../recipes.js';
import type { Drum } from '../synth/drums.js';
import type { TextureName } from '../synth/textures.js';

/** The words in which the demo catalogue is written. */

export interface DemoSample {
  name: string;
  recipe: Recipe;
  instruments: Instrument[];
  bars: number;
  creditCost: number;
  bpm?: number;
  key?: MusicalKey;
  /** Needed where the key is of the other mode than the pack's. */
  progression?: string;
  /** Sounds without a pitch of their own have no key. */
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
  rhodes: ['Rhodes'], wurli: ['Wurlitzer'], piano: ['Piano'], feltPiano: ['Piano'], vibes: ['Mallets'],
  marimba: ['Mallets'], kalimba: ['Mallets'], bell: ['Mallets'], musicBox: ['Mallets'], nylon: ['Guitar'],
  electricGuitar: ['Guitar'], mutedGuitar: ['Guitar'], uprightBass: ['Upright Bass', 'Bass'],
  electricBass: ['Bass'], harp: ['Harp'], clavinet: ['Clavinet'], warmPad: ['Pad', 'Synth'],
  peachPad: ['Pad', 'Synth'], glassPad: ['Pad', 'Synth'], strings: ['Strings'], brass: ['Brass'],
  sax: ['Saxophone'], clarinet: ['Clarinet'], flute: ['Flute'], softLead: ['Lead', 'Synth'],
  brightLead: ['Lead', 'Synth'], pluck: ['Pluck', 'Synth'], stab: ['Synth'], organ: ['Organ'],
  synthBass: ['Bass', 'Synth'], reese: ['Bass', 'Synth'], choirAh: ['Choir', 'Vocals'],
  choirOoh: ['Choir', 'Vocals'], hum: ['Vocals'], chop: ['Vocals'], solo: ['Vocals'], sub: ['Bass'],
  slide808: ['808', 'Bass'], hard808: ['808', 'Bass'],
}; // prettier-ignore

const DRUM_INSTRUMENT: Partial<Record<Drum, Instrument>> = {
  kickDusty: 'Kick', kickTight: 'Kick', kickSoft: 'Kick', kickHard: 'Kick', snareCrack: 'Snare', snareDusty: 'Snare',
  snareTight: 'Snare', ghost: 'Snare', hatClosed: 'Hi-Hat', hatTight: 'Hi-Hat', hatOpen: 'Hi-Hat', brushTap: 'Snare',
}; // prettier-ignore

const PERCUSSION: readonly GrooveName[] = ['conga', 'tambourine', 'shakers'];

export const groove = (name: string, pattern: GrooveName, more: More & { without?: Drum[]; treat?: Treatment } = {}): DemoSample => {
  const { without, treat, ...rest } = more;
  const instruments: Instrument[] =
    pattern === 'trapHats' ? ['Hi-Hat', 'Drums'] : PERCUSSION.includes(pattern) ? ['Percussion'] : ['Drums'];
  return { name, recipe: { kind: 'groove', groove: pattern, without, treat }, instruments, bars: 2, creditCost: 1, keyless: true, ...rest };
}; // prettier-ignore

export const bass = (name: string, player: Player, line: BassLine | 'walk', more: More & { lowest?: number } = {}): DemoSample => {
  const { lowest, ...rest } = more;
  return { name, recipe: { kind: 'bass', player, line, lowest }, instruments: INSTRUMENT_OF[player], bars: 2, creditCost: 1, mono: true, ...rest };
}; // prettier-ignore

export const comp = (name: string, player: Player, rhythm: Comp, more: More & { centre?: number; treat?: Treatment } = {}): DemoSample => {
  const { centre, treat, ...rest } = more;
  return { name, recipe: { kind: 'comp', player, comp: rhythm, centre, treat }, instruments: INSTRUMENT_OF[player], bars: 2, creditCost: 1, ...rest };
}; // prettier-ignore

export const arp = (name: string, player: Player, grid: number, order: 'up' | 'updown' | 'wide', more: More & { centre?: number; treat?: Treatment } = {}): DemoSample => {
  const { centre, treat, ...rest } = more;
  return { name, recipe: { kind: 'arp', player, grid, order, centre, treat }, instruments: INSTRUMENT_OF[player], bars: 2, creditCost: 1, ...rest };
}; // prettier-ignore

export const tune = (name: string, player: Player, more: More & { centre?: number; busy?: number; treat?: Treatment } = {}): DemoSample => {
  const { centre, busy, treat, ...rest } = more;
  return { name, recipe: { kind: 'tune', player, centre, busy, treat }, instruments: INSTRUMENT_OF[player], bars: 2, creditCost: 1, ...rest };
}; // prettier-ignore

const PITCHED: readonly TextureName[] = ['lowDrone', 'bowedDrone', 'crane', 'riser', 'impact'];
const RECORDED: readonly TextureName[] = ['rain', 'room', 'wind', 'crane'];

export const texture = (name: string, kind: TextureName, more: More = {}): DemoSample => ({
  name, recipe: { kind: 'texture', texture: kind }, instruments: RECORDED.includes(kind) ? ['Field Recording', 'FX'] : ['FX'],
  bars: 2, creditCost: 1, keyless: !PITCHED.includes(kind), ...more,
}); // prettier-ignore

export const effect = (name: string, kind: TextureName, seconds: number, more: More = {}): DemoSample => ({
  name, recipe: { kind: 'effect', texture: kind, seconds }, instruments: ['FX'], bars: 1, creditCost: 1, keyless: !PITCHED.includes(kind), ...more,
}); // prettier-ignore

export const hit = (name: string, drum: Drum, more: More = {}): DemoSample => ({
  name, recipe: { kind: 'hit', drum }, instruments: [DRUM_INSTRUMENT[drum] ?? 'Percussion', 'Drums'], bars: 1, creditCost: 1,
  keyless: true, mono: true, ...more,
}); // prettier-ignore

export const shot = (name: string, player: Player, more: More & { chord?: boolean; midiNote?: number; seconds?: number } = {}): DemoSample => {
  const { chord, midiNote, seconds = 1.4, ...rest } = more;
  return { name, recipe: { kind: 'shot', player, chord, midi: midiNote, seconds }, instruments: INSTRUMENT_OF[player], bars: 1, creditCost: 1, ...rest };
}; // prettier-ignore

export const full = (name: string, bars: number, parts: FullPart[], more: More & { instruments: Instrument[] }): DemoSample => ({
  name, recipe: { kind: 'full', parts }, bars, creditCost: 2, stems: true, ...more,
}); // prettier-ignore
