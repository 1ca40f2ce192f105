import { MEANS, ROWS } from './learnt.js';

const numbersIn = (text: string): number[] => text.trim().split(/\s+/).map(Number);
const means = numbersIn(MEANS);
const rows = ROWS.split(';').map((text) => {
  const [step = 0, ...weights] = numbersIn(text);
  return weights.map((weight) => weight * step);
});

/** Projects a sound onto the learnt dimensions, in which sounds of one instrument lie close together. */
export const placeOf = (features: readonly number[]): number[] =>
  rows.map((row) =>
    row.reduce((sum, weight, at) => sum + weight * ((features[at] as number) - (means[at] as number)), 0),
  );
