/** The parts of a song, in the order in which a missing one is suggested. */
export const PARTS = ['drums', 'bass', 'chords', 'texture'] as const;
export type Part = (typeof PARTS)[number];

/** The most samples that are suggested at once. */
export const SUGGESTED_LIMIT = 6;
