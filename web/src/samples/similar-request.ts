import type { Sample } from '../../../application/catalogue/contract.js';
import { held } from '../held.js';

const asked = held<Sample | null>(null);

/** Shows what sounds like a sample; null closes it. */
export const askSimilar = asked.set;

/** The sample whose similar sounds are shown. */
export const useSimilarRequest = asked.use;
