import { add, bitmapFor, type Bitmap } from './bitmap.js';
import { samplesOf, type Segment } from './segment.js';

/** Samples whose title contains a text. */
export function titlesContaining(segment: Segment, text: string): Bitmap {
  const bits = bitmapFor(segment.size);
  const words = text.split(' ');
  if (words.length === 1) {
    for (const word of segment.words.containing(text)) addAll(bits, segment.titlesOfWord.of(word));
    return bits;
  }
  // The rarest of its words leads to few titles, and those are read.
  const needle = Buffer.from(text);
  for (const title of candidates(segment, words))
    if (segment.titles.contains(title, needle)) add(bits, title);
  return bits;
}

/** Samples whose title is a text. */
export function titlesEqualTo(segment: Segment, text: string): Bitmap {
  const bits = bitmapFor(segment.size);
  const whole = Buffer.from(text);
  for (const title of rarest(
    segment,
    text.split(' ').map((word) => `\n${word}\n`),
  ))
    // prettier-ignore
    if (segment.titles.equals(title, whole)) add(bits, title);
  return bits;
}

/** Samples found by their pack's title, artist, genre, mood or an instrument. */
export function othersMatching(segment: Segment, text: string, creatorIds: Iterable<string>): Bitmap {
  const bits = bitmapFor(segment.size);
  for (const pack of segment.packTitles.containing(text)) addAll(bits, segment.packs.samples.of(pack));
  for (const creatorId of creatorIds) addAll(bits, samplesOf(segment.creators, creatorId));
  for (const facet of ['genre', 'mood', 'instrument'] as const)
    for (const [label, labelled] of segment.labels[facet])
      if (label.toLowerCase().includes(text))
        for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] as number) | (labelled[at] as number);
  return bits;
}

/** Between other words a word stands whole; the first may begin and the last end inside one. */
const candidates = (segment: Segment, words: readonly string[]): Iterable<number> =>
  rarest(segment, words.map((word, index) => `${index > 0 ? '\n' : ''}${word}${index < words.length - 1 ? '\n' : ''}`)); // prettier-ignore

/** Titles with a word that contains the part which the fewest have. */
function rarest(segment: Segment, parts: readonly string[]): Iterable<number> {
  let fewest: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    const words = segment.words.containing(part);
    const titles = words.reduce((sum, word) => sum + segment.titlesOfWord.countOf(word), 0);
    if (titles < least) [fewest, least] = [words, titles];
  }
  return titlesWith(segment, fewest);
}

function* titlesWith(segment: Segment, words: readonly number[]): Generator<number> {
  for (const word of words) yield* segment.titlesOfWord.of(word);
}

function addAll(bits: Bitmap, numbers: Uint32Array): void {
  for (const number of numbers) add(bits, number);
}
