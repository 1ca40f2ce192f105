const SHORTEST = 2;
const LONGEST = 40;
/** Addresses and numbers that may belong to a person. */
const PERSONAL = /@|https?:|www\.|\d[\d\s().-]{4,}\d/u;

/**
 * Returns the words of a search in the form in which they are counted: in lower case, with single spaces.
 * Undefined if the words may identify a person, or are too short or too long to be a search for sounds.
 */
export function countedTerm(words: string): string | undefined {
  const term = words.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  if (term.length < SHORTEST || term.length > LONGEST || PERSONAL.test(term)) return undefined;
  return term;
}
