/** The most samples of one listener's collection. */
export const COLLECTION_SAMPLES_LIMIT = 1_000;
