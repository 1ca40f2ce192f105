import type { Random } from '../domain/shared/seeded-random.js';
import type { DrumNote } from './music/grooves.js';
import type { Note } from './music/midi.js';
import type { Session } from './music/session.js';
import { DRUMS, type Drum } from './synth/drums.js';
import { echo, reverb } from './synth/effects.js';
import { filterStereo } from './synth/filters.js';
import { add, fold, place, RATE, silence, type Stereo } from './synth/stereo.js';
import type { Voice } from './synth/voice.js';
import { hertz } from './synth/waves.js';

/** The notes of one instrument, or a texture, with mixer settings. A stem is the audio of one track alone. */
export interface Track {
  name: string;
  notes: Note[];
  voice: Voice | 'kit';
  /** Sound without notes, as long as the loop. */
  bed?: (frames: number, random: Random) => Stereo;
  gain?: number;
  /** How much of the track goes into the reverb, and how long the reverb lasts. */
  room?: number;
  roomSeconds?: number;
  echo?: number;
  lowCutHz?: number;
  highCutHz?: number;
  /** Effects that run after `fold` made the track a seamless loop: chorus, wow, drive. */
  treat?: (loop: Stereo, session: Session) => Stereo | void;
}

export const framesOf = ({ beats, bpm }: Session): number => Math.round(((beats * 60) / bpm) * RATE);

/** Renders a track, plus `tailSeconds` for what still sounds after its last beat. */
function perform(track: Track, session: Session, frames: number, tailSeconds: number): Stereo {
  const dry = silence(frames + Math.round(tailSeconds * RATE));
  const framesPerBeat = (60 / session.bpm) * RATE;
  const strokes = new Map<string, Float32Array>();
  for (const note of track.notes) {
    const late = (session.random() + session.random() - 0.85) * 0.008 * session.loose * RATE;
    const at = Math.max(0, Math.round(note.beat * framesPerBeat + late));
    const velocity = Math.max(
      0.05,
      Math.min(1, note.velocity * (1 + (session.random() - 0.5) * 0.16 * session.loose)),
    );
    if (track.voice === 'kit') {
      const { drum } = note as DrumNote;
      const { hit, level = 0.9, pan = 0 } = DRUMS[drum];
      // Chooses one of two takes of each stroke and strength, so that rolls do not sound mechanical.
      const take = `${drum}/${Math.round(note.velocity * 4)}/${Math.floor(session.random() * 2)}`;
      let stroke = strokes.get(take);
      if (!stroke) strokes.set(take, (stroke = hit(velocity, session.random)));
      place(dry, stroke, at, velocity ** 1.3 * level, pan);
    } else
      track.voice(dry, {
        at,
        frequencyHz: hertz(note.midi),
        seconds: (note.beats * 60) / session.bpm,
        velocity,
        random: session.random,
      });
  }
  return dry;
}

/** @returns the track as a seamless loop of whole bars, at its level in the mix */
export function renderLoop(track: Track, session: Session): Stereo {
  const frames = framesOf(session);
  const tailSeconds = Math.min(3.2, Math.max(1.2, (track.roomSeconds ?? 1.2) * 0.9, track.echo ? 2.4 : 0));
  let loop = track.bed
    ? crossfadedBed(track.bed, frames, session.random)
    : fold(coloured(track, session, perform(track, session, frames, tailSeconds)), frames);
  loop = track.treat?.(loop, session) ?? loop;
  const { gain = 1 } = track;
  if (gain !== 1)
    for (const channel of [loop.left, loop.right])
      for (let i = 0; i < channel.length; i++) (channel[i] as number) *= gain;
  return loop;
}

/** @returns the track played once with its tail, untrimmed */
export function renderOnce(track: Track, session: Session, seconds: number): Stereo {
  const frames = Math.round(seconds * RATE);
  if (track.bed) return track.bed(frames, session.random);
  const sound = coloured(track, session, perform(track, session, frames, 1.5));
  return track.treat?.(sound, session) ?? sound;
}

function coloured(track: Track, session: Session, dry: Stereo): Stereo {
  if (track.lowCutHz) filterStereo(dry, 'high', track.lowCutHz);
  if (track.highCutHz) filterStereo(dry, 'low', track.highCutHz);
  const wets: Array<[Stereo, number]> = [];
  if (track.echo) wets.push([echo(dry, (0.75 * 60) / session.bpm), track.echo]);
  if (track.room) wets.push([reverb(dry, track.roomSeconds ?? 1.2), track.room]);
  for (const [wet, gain] of wets) add(dry, wet, gain);
  return dry;
}

/** Renders a texture longer than the loop, and cross-fades its end into its beginning with constant power. */
function crossfadedBed(bed: NonNullable<Track['bed']>, frames: number, random: Random): Stereo {
  const overlap = Math.min(Math.round(RATE * 0.6), Math.floor(frames / 3));
  const long = bed(frames + overlap, random);
  for (const channel of [long.left, long.right])
    for (let i = 0; i < overlap; i++) {
      (channel[i] as number) *= Math.sin(((i / overlap) * Math.PI) / 2);
      (channel[frames + i] as number) *= Math.cos(((i / overlap) * Math.PI) / 2);
    }
  return fold(long, frames);
}

export const drumTrack = (notes: DrumNote[], more: Partial<Track> = {}): Track => ({
  name: 'Drums',
  notes,
  voice: 'kit',
  room: 0.09,
  roomSeconds: 0.7,
  ...more,
});

export const oneStroke = (drum: Drum): DrumNote[] => [
  { drum, midi: DRUMS[drum].midi, beat: 0, beats: 1, velocity: 0.95 },
];
