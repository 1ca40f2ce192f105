import { FACT_MAX, SOUND_FACTS, type SoundFact } from '../../../application/catalogue/values.js';

export interface Range {
  min: number;
  max: number;
}
/** The chosen range for each fact of the sound, from 0 to 100. A fact without a range is missing. */
export type SoundRanges = Readonly<Partial<Record<SoundFact, Range>>>;

export const SOUND_LABELS: Record<SoundFact, { name: string; low: string; high: string }> = {
  brightness: { name: 'Brightness', low: 'dark', high: 'bright' },
  punch: { name: 'Punch', low: 'soft', high: 'hard' },
  decay: { name: 'Decay', low: 'short', high: 'long' },
  noisiness: { name: 'Noise', low: 'tone', high: 'hiss' },
  warmth: { name: 'Warmth', low: 'thin', high: 'warm' },
};

export const WHOLE: Range = { min: 0, max: FACT_MAX };

export const isWhole = ({ min, max }: Range): boolean => min <= WHOLE.min && max >= WHOLE.max;

export function soundsFrom(parameters: URLSearchParams): SoundRanges {
  return Object.fromEntries(
    SOUND_FACTS.flatMap((fact) => {
      const [, low, high] = /^(\d{1,3})\.\.(\d{1,3})$/.exec(parameters.get(fact) ?? '') ?? [];
      const [min, max] = [Number(low ?? WHOLE.min), Math.min(FACT_MAX, Number(high ?? WHOLE.max))];
      return min > max || isWhole({ min, max }) ? [] : [[fact, { min, max }]];
    }),
  );
}

/** The chosen ranges as query parameters, for requests and page addresses. Undefined where nothing is chosen. */
export function soundParameters(sounds: SoundRanges) {
  const text = (range: Range | undefined) => range && `${range.min}..${range.max}`;
  const { brightness, punch, decay, noisiness, warmth } = sounds;
  return {
    brightness: text(brightness),
    punch: text(punch),
    decay: text(decay),
    noisiness: text(noisiness),
    warmth: text(warmth),
  };
}

/** Returns the ranges with one of them replaced, or without it if the new range is the whole range. */
export function withSound(sounds: SoundRanges, fact: SoundFact, range: Range): SoundRanges {
  const { [fact]: _, ...others } = sounds;
  return isWhole(range) ? others : { ...others, [fact]: range };
}

/** A label for each chosen range, such as "Punch 20–60", and the other ranges. */
export const chosenSounds = (sounds: SoundRanges): { label: string; without: SoundRanges }[] =>
  SOUND_FACTS.flatMap((fact) => {
    const range = sounds[fact];
    return range
      ? [
          {
            label: `${SOUND_LABELS[fact].name} ${range.min}–${range.max}`,
            without: withSound(sounds, fact, WHOLE),
          },
        ]
      : [];
  });
