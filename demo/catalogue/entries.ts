import type { Genre, Instrument, Mood, MusicalKey } from '../../domain/catalogue/vocabulary.js';
import type { GrooveName } from '../music/grooves.js';
import type { ArpOrder, BassLine, Comp } from '../music/parts.js';
import { instrumentsOf, type FullPart, type Player, type Recipe, type Treatment } from '../recipes.js';
import { DRUMS, type Drum } from '../synth/drums.js';
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
  /** The chords of the sample. Needed if its key is minor and the pack's key is major, or the reverse. */
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
  /** If absent, the pack is published. */
  draft?: true;
  samples: DemoSample[];
}

type More = Partial<
  Pick<DemoSample, 'bars' | 'creditCost' | 'bpm' | 'key' | 'progression' | 'midi' | 'stems' | 'instruments'>
>;

const PERCUSSION: readonly GrooveName[] = ['conga', 'tambourine', 'shakers'];
const PITCHED: readonly TextureName[] = ['lowDrone', 'bowedDrone', 'crane', 'riser', 'impact'];
const RECORDED: readonly TextureName[] = ['rain', 'room', 'wind', 'crane'];

/**
 * Returns an entry of the catalogue. Without other values in `more`, the sample has two bars and costs one
 * credit.
 */
const loop = (
  name: string,
  recipe: Recipe,
  instruments: Instrument[],
  more: Partial<DemoSample>,
): DemoSample => ({ name, recipe, instruments, bars: 2, creditCost: 1, ...more });

const drumsOf = (pattern: GrooveName): Instrument[] => {
  if (pattern === 'trapHats') return ['Hi-Hat', 'Drums'];
  return PERCUSSION.includes(pattern) ? ['Percussion'] : ['Drums'];
};

export const groove = (
  name: string,
  pattern: GrooveName,
  { without, treat, ...more }: More & { without?: Drum[]; treat?: Treatment } = {},
): DemoSample =>
  loop(name, { kind: 'groove', groove: pattern, without, treat }, drumsOf(pattern), {
    keyless: true,
    ...more,
  });

export const bass = (name: string, player: Player, line: BassLine | 'walk', more: More = {}): DemoSample =>
  loop(name, { kind: 'bass', player, line }, instrumentsOf(player), { mono: true, ...more });

type Placed = More & { centre?: number; treat?: Treatment };
export const comp = (
  name: string,
  player: Player,
  rhythm: Comp,
  { centre, treat, ...more }: Placed = {},
): DemoSample =>
  loop(name, { kind: 'comp', player, comp: rhythm, centre, treat }, instrumentsOf(player), more);

export const arp = (
  name: string,
  player: Player,
  grid: number,
  order: ArpOrder,
  { centre, treat, ...more }: Placed = {},
): DemoSample => loop(name, { kind: 'arp', player, grid, order, centre, treat }, instrumentsOf(player), more);

export const tune = (
  name: string,
  player: Player,
  { centre, busy, treat, ...more }: Placed & { busy?: number } = {},
): DemoSample => loop(name, { kind: 'tune', player, centre, busy, treat }, instrumentsOf(player), more);

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
  loop(name, { kind: 'hit', drum, semitones }, [DRUMS[drum].instrument ?? 'Percussion', 'Drums'], {
    bars: 1,
    keyless: true,
    mono: true,
    ...more,
  });

export const shot = (
  name: string,
  player: Player,
  {
    chord,
    midiNote,
    seconds = 1.4,
    ...more
  }: More & { chord?: boolean; midiNote?: number; seconds?: number } = {},
): DemoSample =>
  loop(name, { kind: 'shot', player, chord, midi: midiNote, seconds }, instrumentsOf(player), {
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
