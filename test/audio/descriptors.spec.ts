import { describe, expect, it } from '@jest/globals';
import { atSpeed } from '../../adapters/vendors/audio/fingerprint/questions.js';
import { ANALYSIS_RATE_HZ, MonoTrack } from '../../domain/catalogue/sound/mono-track.js';
import { distanceTo } from '../../adapters/platform/search/sound-clusters.js';
import { descriptorsOf } from '../../domain/catalogue/sound/descriptors.js';
import {
  COMPARED,
  DESCRIPTORS,
  factsOf,
  SOUND_DIMENSIONS,
  soundReasons,
  type Balance,
  type SoundFacts,
} from '../../domain/catalogue/sound/facts.js';
import { SOUND_RATE_HZ } from '../../domain/catalogue/sound/spectra.js';
import { cadence, drumLoop, RATE, rustle, seeded, sine } from './synthesis.js';

const trackOf = (pcm: Float32Array, rateHz = RATE): Float32Array => {
  const track = new MonoTrack(rateHz);
  track.add(pcm);
  return track.finish();
};
const described = (track: Float32Array): Float32Array => {
  const descriptors = descriptorsOf(track);
  if (!descriptors) throw new Error('silent');
  return descriptors;
};
const distance = (a: Float32Array, b: Float32Array): number =>
  Math.hypot(...a.slice(0, SOUND_DIMENSIONS).map((value, at) => value - (b[at] as number)));

const withFacts = (...facts: number[]): number[] => [...Array.from({ length: COMPARED }, () => 0), ...facts];

/** A tone that rises at once and decays, with a share of noise. */
function hit(frequencyHz: number, decaySeconds: number, noise: number, seed: number): Float32Array {
  const random = seeded(seed);
  return Float32Array.from({ length: RATE * 1.5 }, (_, at) => {
    const tone = Math.sin((2 * Math.PI * frequencyHz * at) / RATE);
    return 0.8 * Math.exp(-at / RATE / decaySeconds) * ((1 - noise) * tone + noise * (2 * random() - 1));
  });
}
const HITS = Array.from({ length: 60 }, (_, n) =>
  hit(60 * 1.13 ** (n % 30), 0.03 * 1.12 ** ((n * 7) % 30), ((n * 11) % 60) / 60, n),
);

describe('the descriptors of a sound', () => {
  it('[EAR-703] are whole numbers of one byte, always the same for the same audio, and do not depend on loudness', () => {
    expect(SOUND_RATE_HZ).toBe(ANALYSIS_RATE_HZ);
    for (const pcm of [drumLoop(120, 2), cadence(57, 'Minor', 4), rustle(2, 3), ...HITS.slice(0, 4)]) {
      const descriptors = described(trackOf(pcm));
      expect(descriptors).toHaveLength(DESCRIPTORS);
      expect(descriptors.every((value) => Number.isInteger(value) && Math.abs(value) < 128)).toBe(true);
      expect(described(trackOf(pcm))).toEqual(descriptors);
      expect(distance(described(trackOf(pcm.map((value) => value / 4))), descriptors)).toBeLessThan(2);
    }
  });

  it('[EAR-703] exist for any input that is not silent', () => {
    expect(descriptorsOf(new Float32Array(0))).toBeNull();
    expect(descriptorsOf(new Float32Array(30_000))).toBeNull();
    const clipped = trackOf(sine(110, 2, 50).map((value) => Math.max(-1, Math.min(1, value))));
    const long = Float32Array.from({ length: 100 * SOUND_RATE_HZ }, (_, at) => Math.sin(at / 9));
    for (const track of [Float32Array.of(1), Float32Array.of(0, 0.5), clipped, long])
      expect(described(track).every(Number.isFinite)).toBe(true);
    expect(described(long)).toEqual(described(long.slice(0, 31 * SOUND_RATE_HZ)));
  });

  it('[EAR-704] bring a copy that was transposed or resampled to its original', () => {
    const known = HITS.map((pcm) => described(trackOf(pcm)));
    const copies = HITS.flatMap((pcm, n) => [
      { n, track: trackOf(atSpeed(pcm, 2 ** (2 / 12))) },
      { n, track: trackOf(atSpeed(pcm, 2 ** (-2 / 12))) },
      { n, track: trackOf(atSpeed(pcm, RATE / 32_000), 32_000) },
    ]);
    const found = copies.filter(({ n, track }) => {
      const copy = described(track);
      const own = distance(copy, known[n] as Float32Array);
      return known.filter((each) => distance(copy, each) < own).length < 3;
    });
    expect(found.length / copies.length).toBeGreaterThanOrEqual(0.95);
  });

  it('[EAR-703] say in facts how a sound is, and in words how another one differs', () => {
    const facts = (pcm: Float32Array): SoundFacts => factsOf(described(trackOf(pcm)));
    const [low, high] = [facts(hit(80, 0.2, 0, 1)), facts(hit(3_000, 0.2, 0, 1))];
    expect(high.brightness).toBeGreaterThan(low.brightness + 30);
    expect(low.warmth).toBeGreaterThan(high.warmth + 50);
    expect(facts(hit(300, 0.6, 0, 1)).decay).toBeGreaterThan(facts(hit(300, 0.05, 0, 1)).decay + 20);
    expect(facts(hit(300, 0.2, 1, 1)).noisiness).toBeGreaterThan(facts(hit(300, 0.2, 0, 1)).noisiness + 30);
    const swell = Float32Array.from(sine(300, 2, 0.5), (value, at) => (value * at) / (2 * RATE));
    expect(facts(hit(300, 0.1, 0, 1)).punch).toBeGreaterThan(facts(swell).punch + 30);
    const reasons = (...facts: number[]): string[] =>
      soundReasons(withFacts(50, 50, 50, 50, 50), withFacts(...facts));
    expect(reasons(62, 20, 50, 43, 42)).toEqual(['Softer attack', 'Brighter', 'Same decay']);
    expect(reasons(53, 50, 57, 52, 50)).toEqual(['Slightly longer decay', 'Same warmth']);
    expect(reasons(57, 57, 57, 57, 57)).toEqual(['Slightly brighter']);
    expect(reasons(55, 53, 50, 45, 48)).toEqual(['Nearly the same sound']);
  });

  it('[EAR-710] has the rhythm and the pitch of a sound apart from its timbre', () => {
    const nearest = (pcm: Float32Array, others: Record<string, Float32Array>, balance: Balance) => {
      const [sound, ...rest] = [pcm, ...Object.values(others)].map((each) =>
        Int8Array.from(described(trackOf(each))),
      );
      const distances = rest.map((each) => distanceTo(sound as Int8Array, balance, each));
      const first = distances.indexOf(Math.min(...distances));
      return [
        Object.keys(others)[first],
        soundReasons(sound as Int8Array, rest[first] as Int8Array, balance)[0],
      ];
    };
    const square = (hertz: number): Float32Array =>
      Float32Array.from(sine(hertz, 1, 0.5), (value) => 0.4 * Math.sign(value));
    const tones = { 'sine, other note': sine(310, 1, 0.5), 'square, same note': square(440) };
    expect(nearest(sine(440, 1, 0.5), tones, 'timbre')[0]).toBe('sine, other note');
    expect(nearest(sine(440, 1, 0.5), tones, 'pitch')).toEqual(['square, same note', 'Same pitch']);
    /** Short noises, so many in a second. */
    const clicks = (perSecond: number): Float32Array =>
      Float32Array.from(rustle(4, 5), (value, at) => value * Math.exp(-40 * (((at / RATE) * perSecond) % 1)));
    const loops = { 'drums, slower': drumLoop(80, 4), 'clicks at the same tempo': clicks(4) };
    expect(nearest(drumLoop(120, 4), loops, 'timbre')[0]).toBe('drums, slower');
    expect(nearest(drumLoop(120, 4), loops, 'rhythm')).toEqual(['clicks at the same tempo', 'Same rhythm']);
  });
});
