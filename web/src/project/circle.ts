import { placeOf, type Scale } from '../../../application/catalogue/values.js';

/** The keys on the circle of fifths, clockwise from the top. */
const KEYS_AT = {
  Major: ['C', 'G', 'D', 'A', 'E', 'B', 'F#', 'Db', 'Ab', 'Eb', 'Bb', 'F'],
  Minor: ['A', 'E', 'B', 'F#', 'C#', 'G#', 'D#', 'Bb', 'F', 'C', 'G', 'D'],
} as const;

export const HOURS = Array.from({ length: 12 }, (_, hour) => hour);

export interface CirclePlace {
  /** The place on the circle as on a clock: 0 is the top, with C Major and A Minor. */
  hour: number;
  mode: Scale;
}

/** The position of a key on the circle of fifths; null if the text is no key. @param key such as "F# Minor" */
export function circlePlaceOf(key: string | null): CirclePlace | null {
  const place = placeOf(key);
  return place ? { hour: (place.major * 7) % 12, mode: place.scale } : null;
}

export function keyAt({ hour, mode }: CirclePlace) {
  const at = ((hour % 12) + 12) % 12;
  return `${KEYS_AT[mode][at] ?? 'C'} ${mode}` as const;
}
