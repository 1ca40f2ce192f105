import { framesOf, renderLoop, renderOnce, type Track } from './arrange.js';
import { midiFile } from './music/midi.js';
import { openSession, type SessionPlan } from './music/session.js';
import { isLoop, tracksOf, type Recipe } from './recipes.js';
import { master, trim, wavBytes } from './synth/master.js';
import { add, RATE, silence, type Stereo } from './synth/stereo.js';

export interface SoundPlan extends SessionPlan {
  name: string;
  recipe: Recipe;
  bits: 16 | 24;
  mono?: boolean;
  /** `midi`: also write a MIDI file of the notes. `stems`: also write each track to a file of its own. */
  midi?: boolean;
  stems?: boolean;
}

export interface MadeSound {
  pcm: Stereo;
  wav: Uint8Array;
  durationMs: number;
  midi?: Uint8Array;
  stems?: Array<{ name: string; wav: Uint8Array }>;
}

/** Makes one sound from its plan. The same plan always gives the same bytes. Has no side effects. */
export function makeSound(plan: SoundPlan): MadeSound {
  const session = openSession(plan);
  const tracks = tracksOf(plan.recipe, session);
  const loops = isLoop(plan.recipe);
  const seconds = plan.recipe.kind === 'shot' || plan.recipe.kind === 'effect' ? plan.recipe.seconds : 2.5;
  const rendered = tracks.map((track) =>
    loops ? renderLoop(track, session) : renderOnce(track, session, seconds),
  );
  let pcm = rendered[0] as Stereo;
  if (rendered.length > 1) {
    pcm = silence(framesOf(session));
    for (const track of rendered) add(pcm, track);
  }
  if (!loops) pcm = trim(pcm, plan.recipe.kind === 'effect' ? 0.12 : 0.03);
  const quiet = plan.recipe.kind === 'texture' ? -22 : plan.recipe.kind === 'hit' ? -16 : -14;
  const stems = plan.stems ? stemsOf(tracks, rendered) : undefined;
  const notes = tracks.flatMap((track) => track.notes);
  const drums = tracks.every((track) => track.voice === 'kit');
  master(pcm, quiet);
  return {
    pcm,
    wav: wavBytes(pcm, { bits: plan.bits, mono: plan.mono }),
    durationMs: Math.round((pcm.left.length / RATE) * 1_000),
    midi: plan.midi
      ? midiFile(notes, { bpm: plan.bpm, name: plan.name, beats: session.beats, drums })
      : undefined,
    stems,
  };
}

/** Returns each track alone, mastered separately so that none clips. */
function stemsOf(tracks: Track[], rendered: Stereo[]): Array<{ name: string; wav: Uint8Array }> {
  return rendered.map((sound, i) => {
    const copy = { left: sound.left.slice(), right: sound.right.slice() };
    master(copy, -18);
    return { name: `${i + 1} ${(tracks[i] as Track).name}.wav`, wav: wavBytes(copy, { bits: 16 }) };
  });
}
