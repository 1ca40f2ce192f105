import { MEANS, ROWS } from './learnt.js';

const numbersIn = (text: string): number[] => text.trim().split(/\s+/).map(Number);
const means = numbersIn(MEANS);
const rows = ROWS.split(';').map((text) => {
  const [step = 0, ...weights] = numbersIn(text);
  return weights.map((weight) => weight * step);
});

/** Returns the place of a sound in the dimensions that separate instruments. */
export const placeOf = (features: readonly number[]): number[] =>
  rows.map((row) =>
    row.reduce((sum, weight, at) => sum + weight * ((features[at] as number) - (means[at] as number)), 0),
  );
