import { add, bitmapFor, intersect, unite, visitEach, type Bitmap } from './bitmap.js';
import { samplesOf, type Segment } from './segment.js';

/** Samples whose title contains a text. */
export function titlesContaining(segment: Segment, text: string): Bitmap {
  const words = text.split(' ');
  // Between other words a word stands whole; the first may begin and the last end inside one.
  const last = words.length - 1;
  const parts = words.map((word, at) => `${at > 0 ? '\n' : ''}${word}${at < last ? '\n' : ''}`);
  const having = titlesWithAll(segment, parts);
  if (last === 0) return having;
  const needle = Buffer.from(text);
  return only(having, (title) => segment.titles.contains(title, needle));
}

/** Samples whose title is a text. */
export function titlesEqualTo(segment: Segment, text: string): Bitmap {
  const whole = Buffer.from(text);
  const words = text.split(' ');
  const having = titlesWithAll(
    segment,
    words.map((word) => `\n${word}\n`),
  );
  if (words.length === 1) intersect(having, segment.oneWord);
  return only(having, (title) => segment.titles.equals(title, whole));
}

/** Samples found by their pack's title, artist, genre, mood or an instrument. */
export function othersMatching(segment: Segment, text: string, creatorIds: Iterable<string>): Bitmap {
  const bits = bitmapFor(segment.size);
  for (const pack of segment.packTitles.containing(text)) addAll(bits, segment.packs.samples.of(pack));
  for (const creatorId of creatorIds) addAll(bits, samplesOf(segment.creators, creatorId));
  for (const facet of ['genre', 'mood', 'instrument'] as const)
    for (const [label, labelled] of segment.labels[facet])
      if (label.toLowerCase().includes(text)) unite(bits, labelled);
  return bits;
}

/** Titles that have, for each part, a word which contains it. */
function titlesWithAll(segment: Segment, parts: readonly string[]): Bitmap {
  const all = parts.map((part) => {
    const bits = bitmapFor(segment.size);
    for (const word of segment.words.containing(part)) addAll(bits, segment.titlesOfWord.of(word));
    return bits;
  });
  return all.reduce(intersect);
}

function only(bits: Bitmap, wanted: (number: number) => boolean): Bitmap {
  const kept = bitmapFor(bits.length * 32);
  visitEach(bits, (number) => {
    if (wanted(number)) add(kept, number);
  });
  return kept;
}

function addAll(bits: Bitmap, numbers: Uint32Array): void {
  for (let at = 0; at < numbers.length; at++) add(bits, numbers[at] as number);
}
