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
export const SOUND_VERSION = 3;
/**
 * The number of dimensions that were learnt from labelled sounds. Sounds that are near each other in them sound alike.
 */
export const SOUND_DIMENSIONS = 32;
const RHYTHM_DIMENSIONS = 4;
export const PITCH_DIMENSIONS = 4;
/** The numbers by which sounds are compared: learnt dimensions, then those of rhythm, then those of pitch. */
export const COMPARED = SOUND_DIMENSIONS + RHYTHM_DIMENSIONS + PITCH_DIMENSIONS;
/** The number of descriptors of a sound: those by which it is compared, then its facts. */
export const DESCRIPTORS = COMPARED + SOUND_FACTS.length;

/** What counts most when sounds are compared. `timbre` compares the learnt dimensions only. */
export const BALANCES = ['timbre', 'rhythm', 'pitch'] as const;
export type Balance = (typeof BALANCES)[number];

export const factsOf = (descriptors: ArrayLike<number>): SoundFacts => {
  const fact = (name: SoundFact): number => descriptors[COMPARED + SOUND_FACTS.indexOf(name)] as number;
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

/**
 * Returns in words how another sound differs: first in rhythm if `balance` is `rhythm`, otherwise in pitch, then in
 * the facts that differ most, and then
 * one fact that is the same.
 */
export function soundReasons(
  sound: ArrayLike<number>,
  other: ArrayLike<number>,
  balance: Balance = 'timbre',
): string[] {
  const first = balance === 'rhythm' ? rhythmReason(sound, other) : pitchReason(sound, other, balance);
  const facts = factReasons(factsOf(sound), factsOf(other));
  const reasons = [...(first ? [first] : []), ...facts].slice(0, REASONS_LIMIT);
  return reasons.length > 0 ? reasons : ['Nearly the same sound'];
}

/**
 * The positions of the first descriptors of rhythm and pitch. Rhythm: hits per second, interval, clearness, decay.
 * Pitch: height, clarity, then two numbers for the note.
 */
const RHYTHM_START = SOUND_DIMENSIONS;
export const PITCH_START = SOUND_DIMENSIONS + RHYTHM_DIMENSIONS;

const SAME_RHYTHM_WITHIN = 4;
const CLEAR_RHYTHM = 20;

function rhythmReason(sound: ArrayLike<number>, other: ArrayLike<number>): string | undefined {
  const [byHits, byInterval] = [by(sound, other, RHYTHM_START), by(sound, other, RHYTHM_START + 1)];
  const isSteady = [sound, other].every((each) => (each[RHYTHM_START + 2] as number) >= CLEAR_RHYTHM);
  if (Math.abs(byHits) >= 2 * SAME_RHYTHM_WITHIN) return byHits > 0 ? 'Busier' : 'Sparser';
  const isSame = Math.abs(byHits) <= SAME_RHYTHM_WITHIN && Math.abs(byInterval) <= SAME_RHYTHM_WITHIN;
  return isSteady && isSame ? 'Same rhythm' : undefined;
}

/** Differences of the descriptor of pitch height: about a semitone, and about three semitones. */
const SAME_PITCH_WITHIN = 3;
const OTHER_PITCH = 8;
export const CLEAR_PITCH = 40;

function pitchReason(
  sound: ArrayLike<number>,
  other: ArrayLike<number>,
  balance: Balance,
): string | undefined {
  const isClear = [sound, other].every((each) => (each[PITCH_START + 1] as number) >= CLEAR_PITCH);
  if (!isClear) return undefined;
  const difference = by(sound, other, PITCH_START);
  if (Math.abs(difference) >= OTHER_PITCH) return difference > 0 ? 'Higher' : 'Lower';
  return balance === 'pitch' && Math.abs(difference) <= SAME_PITCH_WITHIN ? 'Same pitch' : undefined;
}

const by = (sound: ArrayLike<number>, other: ArrayLike<number>, at: number): number =>
  (other[at] as number) - (sound[at] as number);

/**
 * Returns up to two clear differences, or a slight one if none is clear, and then one fact that is the same. Returns
 * nothing if no fact differs.
 */
function factReasons(sound: SoundFacts, other: SoundFacts): string[] {
  const differences = SOUND_FACTS.map((fact) => ({ fact, by: other[fact] - sound[fact] })).sort(
    (a, b) => Math.abs(b.by) - Math.abs(a.by),
  );
  const [largest] = differences as [(typeof differences)[0]];
  const words = ({ fact, by }: typeof largest): string => (by > 0 ? WORDS[fact].more : WORDS[fact].less);
  if (Math.abs(largest.by) <= SAME_WITHIN) return [];
  const clear = differences.filter(({ by }) => Math.abs(by) >= CLEARLY).slice(0, REASONS_LIMIT - 1);
  const same = differences.findLast(({ by }) => Math.abs(by) <= SAME_WITHIN);
  return [
    ...(clear.length > 0 ? clear.map(words) : [`Slightly ${words(largest).toLowerCase()}`]),
    ...(same ? [WORDS[same.fact].same] : []),
  ];
}
