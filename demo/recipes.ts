import type { Instrument } from '../domain/catalogue/vocabulary.js';
import { drumTrack, oneStroke, type Track } from './arrange.js';
import { playGroove, type GrooveName } from './music/grooves.js';
import type { Note } from './music/midi.js';
import {
  arpeggio,
  bassPart,
  compPart,
  melodyPart,
  walkingBass,
  type ArpOrder,
  type BassLine,
  type Comp,
} from './music/parts.js';
import type { Session } from './music/session.js';
import { CHOIRS } from './synth/choir.js';
import type { Drum } from './synth/drums.js';
import { atPitch, chorus, crush, pump, saturate, wow } from './synth/effects.js';
import { KEYS_VOICES } from './synth/keys.js';
import { STRINGS } from './synth/plucked.js';
import { RATE } from './synth/stereo.js';
import { PATCHES } from './synth/subtractive.js';
import { sub808, TEXTURES, type TextureName } from './synth/textures.js';
import type { Voice } from './synth/voice.js';
import { hertz } from './synth/waves.js';

/** The instruments (players) for pitched parts. */
const PLAYERS = {
  ...KEYS_VOICES,
  ...STRINGS,
  ...PATCHES,
  ...CHOIRS,
  sub: sub808({ drive: 1.6, ring: 1.5 }),
  slide808: sub808({ drive: 3.4, slideFromSemitones: 5, ring: 1.1 }),
  hard808: sub808({ drive: 5, ring: 0.9 }),
} satisfies Record<string, Voice>;
export type Player = keyof typeof PLAYERS;

/** For each instrument: the labels of its sounds, and its place in the mix. */
// A table: a row is a player.
// oxfmt-ignore
const CHARACTER: Record<Player, Partial<Track> & { instruments: Instrument[] }> = {
  rhodes: { instruments: ['Rhodes'], room: 0.16, lowCutHz: 90, treat: (loop) => chorus(loop, 0.35) },
  wurli: { instruments: ['Wurlitzer'], room: 0.12, lowCutHz: 90, treat: (loop) => saturate(loop, 1.6) },
  piano: { instruments: ['Piano'], room: 0.2, roomSeconds: 1.4, lowCutHz: 60 },
  feltPiano: { instruments: ['Piano'], room: 0.24, roomSeconds: 1.8, lowCutHz: 60, highCutHz: 4_500, treat: (loop) => wow(loop, 16) },
  vibes: { instruments: ['Mallets'], room: 0.3, roomSeconds: 1.8 },
  kalimba: { instruments: ['Mallets'], room: 0.28, echo: 0.18 },
  bell: { instruments: ['Mallets'], room: 0.4, roomSeconds: 2.6 },
  musicBox: { instruments: ['Mallets'], room: 0.3, echo: 0.22, treat: (loop) => wow(loop, 22) },
  nylon: { instruments: ['Guitar'], room: 0.18, lowCutHz: 80 },
  electricGuitar: { instruments: ['Guitar'], room: 0.14, lowCutHz: 90, treat: (loop) => chorus(loop, 0.4) },
  mutedGuitar: { instruments: ['Guitar'], room: 0.12, echo: 0.2, lowCutHz: 120 },
  uprightBass: { instruments: ['Upright Bass', 'Bass'], room: 0.05, roomSeconds: 0.6 },
  electricBass: { instruments: ['Bass'], treat: (loop) => saturate(loop, 1.7) },
  harp: { instruments: ['Harp'], room: 0.34, roomSeconds: 2.2 },
  clavinet: { instruments: ['Clavinet'], room: 0.06, lowCutHz: 150, treat: (loop) => saturate(loop, 1.8) },
  warmPad: { instruments: ['Pad', 'Synth'], room: 0.3, roomSeconds: 2.4, lowCutHz: 110 },
  peachPad: { instruments: ['Pad', 'Synth'], room: 0.3, roomSeconds: 2.2, lowCutHz: 120, treat: (loop) => chorus(loop, 0.5) },
  glassPad: { instruments: ['Pad', 'Synth'], room: 0.42, roomSeconds: 3, lowCutHz: 140 },
  strings: { instruments: ['Strings'], room: 0.3, roomSeconds: 2, lowCutHz: 120 },
  brass: { instruments: ['Brass'], room: 0.16, lowCutHz: 110 },
  sax: { instruments: ['Saxophone'], room: 0.22, roomSeconds: 1.5, echo: 0.12, lowCutHz: 130 },
  clarinet: { instruments: ['Clarinet'], room: 0.26, roomSeconds: 1.6 },
  flute: { instruments: ['Flute'], room: 0.3, roomSeconds: 1.9, echo: 0.15, lowCutHz: 180 },
  softLead: { instruments: ['Lead', 'Synth'], room: 0.18, echo: 0.28 },
  brightLead: { instruments: ['Lead', 'Synth'], room: 0.2, echo: 0.3, lowCutHz: 150 },
  pluck: { instruments: ['Pluck', 'Synth'], room: 0.2, echo: 0.32, lowCutHz: 110 },
  stab: { instruments: ['Synth'], room: 0.22, echo: 0.18, lowCutHz: 110 },
  organ: { instruments: ['Organ'], room: 0.2, lowCutHz: 80 },
  synthBass: { instruments: ['Bass', 'Synth'], lowCutHz: 28 },
  reese: { instruments: ['Bass', 'Synth'], lowCutHz: 30 },
  choirAh: { instruments: ['Choir', 'Vocals'], room: 0.36, roomSeconds: 2.4, lowCutHz: 130 },
  choirOoh: { instruments: ['Choir', 'Vocals'], room: 0.4, roomSeconds: 2.6, lowCutHz: 130 },
  hum: { instruments: ['Vocals'], room: 0.26, roomSeconds: 1.6, lowCutHz: 130 },
  chop: { instruments: ['Vocals'], room: 0.2, echo: 0.34, lowCutHz: 180 },
  solo: { instruments: ['Vocals'], room: 0.3, roomSeconds: 2, echo: 0.2, lowCutHz: 160 },
  sub: { instruments: ['Bass'] },
  slide808: { instruments: ['808', 'Bass'] },
  hard808: { instruments: ['808', 'Bass'] },
};

export const instrumentsOf = (player: Player): Instrument[] => CHARACTER[player].instruments;

const track = (name: string, player: Player, notes: Note[], treat: Partial<Track> = {}): Track => {
  const { instruments: _, ...mix } = CHARACTER[player];
  return { name, notes, voice: PLAYERS[player], ...mix, ...treat };
};

export type Treatment = 'tape' | 'sampler' | 'pumped' | 'driven';
const TREATMENTS: Record<Treatment, NonNullable<Track['treat']>> = {
  tape: (loop) => {
    saturate(loop, 1.6);
    return wow(loop, 30);
  },
  sampler: (loop) => crush(loop, 2, 11),
  pumped: (loop, session) => pump(loop, Math.round((60 / session.bpm) * RATE), 0.7),
  driven: (loop) => saturate(loop, 3),
};

/** How the demo makes a sample, short enough to write by hand. */
export type Recipe =
  | { kind: 'groove'; groove: GrooveName; without?: Drum[]; treat?: Treatment }
  | { kind: 'bass'; player: Player; line: BassLine | 'walk' }
  | { kind: 'comp'; player: Player; comp: Comp; centre?: number; treat?: Treatment }
  | { kind: 'arp'; player: Player; grid: number; order: ArpOrder; centre?: number; treat?: Treatment }
  | { kind: 'tune'; player: Player; centre?: number; busy?: number; treat?: Treatment }
  | { kind: 'texture'; texture: TextureName }
  | { kind: 'hit'; drum: Drum; semitones: number }
  | { kind: 'shot'; player: Player; midi?: number; chord?: boolean; seconds: number }
  | { kind: 'effect'; texture: TextureName; seconds: number }
  | { kind: 'full'; parts: FullPart[] };

/** A part of a `full` recipe. `sections` is a mask over equal sections: `x` plays, `.` is silent. */
export type FullPart = { name: string; sections: string; gain?: number } & Extract<
  Recipe,
  { kind: 'groove' | 'bass' | 'comp' | 'arp' | 'tune' | 'texture' }
>;

export const isLoop = (recipe: Recipe): boolean => !['hit', 'shot', 'effect'].includes(recipe.kind);

/** Returns the tracks of a recipe: one for each part of a `full` recipe, one for all other kinds. */
export function tracksOf(recipe: Recipe, session: Session): Track[] {
  const treat = 'treat' in recipe && recipe.treat ? { treat: TREATMENTS[recipe.treat] } : {};
  switch (recipe.kind) {
    case 'groove':
      return [
        drumTrack(playGroove(recipe.groove, session, recipe.without), {
          treat: (loop) => saturate(loop, 1.5),
          ...treat,
        }),
      ];
    case 'bass': {
      const line = recipe.line === 'walk' ? walkingBass(session) : bassPart(session, recipe.line);
      return [track('Bass', recipe.player, line)];
    }
    case 'comp':
      return [track('Chords', recipe.player, compPart(session, recipe.comp, recipe.centre), treat)];
    case 'arp':
      return [
        track('Arpeggio', recipe.player, arpeggio(session, recipe.grid, recipe.order, recipe.centre), treat),
      ];
    case 'tune':
      return [track('Melody', recipe.player, melodyPart(session, recipe.centre, recipe.busy), treat)];
    case 'texture':
    case 'effect': {
      const rootHz = hertz(36 + session.tonality.root);
      return [
        {
          name: 'Texture',
          notes: [],
          voice: 'kit',
          bed: (frames, random) => TEXTURES[recipe.texture](frames, random, rootHz),
        },
      ];
    }
    case 'hit':
      return [
        drumTrack(oneStroke(recipe.drum), {
          room: 0.05,
          treat: (sound) => {
            saturate(sound, 1.4);
            return atPitch(sound, recipe.semitones);
          },
        }),
      ];
    case 'shot': {
      const root = recipe.midi ?? 48 + session.tonality.root;
      const chord = session.chords[0]?.[0]?.tones ?? [0];
      const notes = (recipe.chord ? chord.map((tone) => root + tone) : [root]).map((midi) => ({
        midi,
        beat: 0,
        beats: ((recipe.seconds * session.bpm) / 60) * 0.6,
        velocity: 0.9,
      }));
      return [track('Shot', recipe.player, notes)];
    }
    case 'full':
      return recipe.parts.flatMap((part) =>
        tracksOf(part, session).map((made) => ({
          ...inSections(made, part, session),
          name: part.name,
          gain: part.gain ?? 1,
        })),
      );
  }
}

/** Keeps only the notes in the sections that a part plays. A track without notes plays in all sections. */
function inSections(made: Track, part: FullPart, session: Session): Track {
  const beatsPerSection = session.beats / part.sections.length;
  const plays = (beat: number): boolean =>
    part.sections[Math.min(part.sections.length - 1, Math.floor(beat / beatsPerSection + 1e-6))] === 'x';
  return { ...made, notes: made.notes.filter((note) => plays(note.beat)) };
}
