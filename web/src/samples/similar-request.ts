import type { Sample } from '../../../application/catalogue/contract.js';
import { held } from '../held.js';

const asked = held<Sample | null>(null);

export const askSimilar = asked.set;

export const useSimilarRequest = asked.use;
