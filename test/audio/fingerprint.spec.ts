import { describe, expect, it } from '@jest/globals';
import { questionsOf, atSpeed } from '../../adapters/vendors/audio/fingerprint/questions.js';
import { secondLook } from '../../adapters/vendors/audio/fingerprint/phases.js';
import {
  differing,
  fingerprintOf,
  signsOf,
  unpackSigns,
} from '../../adapters/vendors/audio/fingerprint/signs.js';
import { SoundIndex } from '../../adapters/vendors/audio/fingerprint/sound-index.js';
import { MonoTrack } from '../../domain/catalogue/sound/mono-track.js';
import { RATE, cadence, drumLoop, rustle, sine } from './synthesis.js';

/** The track at the sample rate of the analysis. */
function trackOf(sound: Float32Array): Float32Array {
  const track = new MonoTrack(RATE);
  track.add(sound);
  return track.finish();
}
const louder = (sound: Float32Array, factor: number): Float32Array => sound.map((value) => value * factor);
const after = (sound: Float32Array, silence: number): Float32Array => {
  const later = new Float32Array(sound.length + silence);
  later.set(sound, silence);
  return later;
};
const groove = trackOf(drumLoop(120, 2));
const kick = groove.subarray(0, 5_000);
const chords = trackOf(cadence(57, 'Minor', 4));

describe('the fingerprint of a sound', () => {
  it('[COPY-01] stays when the sound gets louder or softer, to the bit', () => {
    const signs = signsOf(groove);
    for (const factor of [0.01, 0.3, 4]) {
      const changed = signsOf(louder(groove, factor));
      const turned = signs.words.reduce(
        (sum, word, at) => sum + differing(word, changed.words[at] as number),
        0,
      );
      expect(turned / (32 * signs.words.length)).toBeLessThan(0.001);
    }
  });

  it('[COPY-02] is not made of what is too plain to be told apart: a steady tone, a click, nearly nothing', () => {
    for (const frequency of [110, 311, 312, 997])
      expect(fingerprintOf(trackOf(sine(frequency, 2, 0.5)))).toBeNull();
    expect(
      fingerprintOf(trackOf(Float32Array.from({ length: 3_000 }, (_, at) => (at < 20 ? 0.9 : 0)))),
    ).toBeNull();
    expect(fingerprintOf(new Float32Array(0))).toBeNull();
    for (const sound of [groove, chords, trackOf(rustle(1, 3))]) expect(fingerprintOf(sound)).not.toBeNull();
  });

  it('[COPY-03] takes 33 bits a frame, and comes back from them', () => {
    const { words, heard } = signsOf(groove);
    const packed = fingerprintOf(groove) as Uint8Array;
    expect(packed).toHaveLength(words.length * 4 + Math.ceil(words.length / 8));
    expect(unpackSigns(packed)).toEqual({ words, heard });
  });
});

describe('sounds that are alike', () => {
  const sounds = [groove, chords, ...Array.from({ length: 8 }, (_, seed) => trackOf(rustle(1, seed)))];
  const index = new SoundIndex();
  index.add(sounds.map((sound, id) => ({ id, owner: `creator ${id % 7}`, signs: signsOf(sound) })));
  const find = (sound: Float32Array, owner = 'nobody') => index.find(questionsOf(sound), owner);

  it.each([
    ['softer', (sound: Float32Array) => louder(sound, 0.1)],
    ['after a pause', (sound: Float32Array) => after(sound, 3_333)],
    ['cut at both ends', (sound: Float32Array) => sound.subarray(3_000, sound.length - 2_000)],
    ['faster', (sound: Float32Array) => atSpeed(sound, 1.02)],
    ['slower', (sound: Float32Array) => atSpeed(sound, 0.985)],
  ])('[COPY-04] are found %s, and the phases agree', (_, change) => {
    for (const id of [0, 5]) {
      const changed = change(sounds[id] as Float32Array);
      const [first] = find(changed);
      expect(first).toMatchObject({ id });
      expect(secondLook(sounds[id] as Float32Array, changed, first as never).likeness).toBeGreaterThan(0.4);
    }
  });

  it('[COPY-05] are not looked for among the sounds of the same creator', () => {
    expect(find(groove)[0]).toMatchObject({ id: 0 });
    expect(find(groove, 'creator 0')).toEqual([]);
  });

  it('[COPY-06] are no two sounds of their own, and no hit inside a groove', () => {
    for (const [id, sound] of sounds.entries()) expect(find(sound).map((each) => each.id)).toEqual([id]);
    expect(find(kick)).toEqual([]);
    expect(find(trackOf(rustle(1, 999)))).toEqual([]);
  });

  it('[COPY-54] fit as a whole, not each part where it likes', () => {
    const first = { speed: 1, shift: 0, cut: 0 };
    const parts = Array.from({ length: 4 }, (_, part) => trackOf(rustle(0.5, 50 + part)));
    const apart = (pauses: number[]) =>
      Float32Array.from(
        pauses.flatMap((pause, at) => [...new Float32Array(pause), ...(parts[at] as Float32Array)]),
      );
    const [whole, torn] = [apart([0, 600, 600, 600]), apart([0, 900, 200, 1_000])];
    const { likeness } = secondLook(whole, whole, first);
    expect(likeness).toBeGreaterThan(0.5);
    expect(secondLook(whole, torn, first).likeness).toBeLessThan(likeness * 0.6);
  });

  it('[COPY-07] tell where they lie, and at which speed', () => {
    const [first] = find(atSpeed(after(groove, 22_050), 1.01));
    expect(first).toMatchObject({ id: 0, speed: 1.01 });
    const look = secondLook(groove, atSpeed(after(groove, 22_050), 1.01), first as never);
    expect(look.speed).toBeCloseTo(1.01, 3);
    // A second of silence precedes the copy, which was then played faster.
    expect(Math.abs(look.stretch.fromMs - 990)).toBeLessThan(5);
    expect(look.stretch.likeFromMs).toBe(0);
  });
});
