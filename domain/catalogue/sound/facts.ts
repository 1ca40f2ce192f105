/**
 * Facts of a sound that listeners choose by, from 0 to 100:
 * - `brightness`: the centre of the spectrum on the mel scale, from 40 Hz to 9 kHz
 * - `punch`: how fast the sound rises, and how far its peak stands above the rest
 * - `decay`: how long the sound takes to lose 20 dB after its peak, from 10 ms to 10 s on a logarithmic scale
 * - `noisiness`: how flat the spectrum is, and how little pitch the sound has
 * - `warmth`: the share of the level that lies below 500 Hz
 */
export const SOUND_FACTS = ['brightness', 'punch', 'decay', 'noisiness', 'warmth'] as const;
export type SoundFact = (typeof SOUND_FACTS)[number];
export type SoundFacts = Readonly<Record<SoundFact, number>>;

export const FACT_MAX = 100;

/** Increase this number with every change of the descriptors. Workers then describe all sounds again. */
export const SOUND_VERSION = 1;
/** The number of dimensions in which sounds are compared. Sounds that are near each other sound alike. */
export const SOUND_DIMENSIONS = 32;
/** The number of descriptors of a sound: its place in the dimensions, then its facts. */
export const DESCRIPTORS = SOUND_DIMENSIONS + SOUND_FACTS.length;

export const factsOf = (descriptors: ArrayLike<number>): SoundFacts => {
  const fact = (name: SoundFact): number =>
    descriptors[SOUND_DIMENSIONS + SOUND_FACTS.indexOf(name)] as number;
  return {
    brightness: fact('brightness'),
    punch: fact('punch'),
    decay: fact('decay'),
    noisiness: fact('noisiness'),
    warmth: fact('warmth'),
  };
};

const SAME_WITHIN = 5;
const CLEARLY = 10;
const REASONS_LIMIT = 3;

const WORDS: Record<SoundFact, { more: string; less: string; same: string }> = {
  brightness: { more: 'Brighter', less: 'Darker', same: 'Same brightness' },
  punch: { more: 'Punchier', less: 'Softer attack', same: 'Same punch' },
  decay: { more: 'Longer decay', less: 'Shorter decay', same: 'Same decay' },
  noisiness: { more: 'Noisier', less: 'More tonal', same: 'Same noisiness' },
  warmth: { more: 'Warmer', less: 'Thinner', same: 'Same warmth' },
};

/** Returns in words how another sound differs, the clearest difference first, and then what is the same. */
export function soundReasons(sound: SoundFacts, other: SoundFacts): string[] {
  const differences = SOUND_FACTS.map((fact) => ({ fact, by: other[fact] - sound[fact] }));
  const clear = differences
    .filter(({ by }) => Math.abs(by) >= CLEARLY)
    .sort((a, b) => Math.abs(b.by) - Math.abs(a.by))
    .slice(0, REASONS_LIMIT - 1)
    .map(({ fact, by }) => (by > 0 ? WORDS[fact].more : WORDS[fact].less));
  const same = differences
    .filter(({ by }) => Math.abs(by) <= SAME_WITHIN)
    .map(({ fact }) => WORDS[fact].same);
  const reasons = [...clear, ...same].slice(0, REASONS_LIMIT);
  return reasons.length > 0 ? reasons : ['Nearly the same sound'];
}
