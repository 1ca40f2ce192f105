import type { Sample } from '../../../application/catalogue/contract.js';
import { held } from '../held.js';

const asked = held<Sample | null>(null);

/** Opens the sounds similar to a sample; null closes them. */
export const askSimilar = asked.set;

export const useSimilarRequest = asked.use;
