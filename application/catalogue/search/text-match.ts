import { add, bitmapFor, intersect, subtract, unite, visitEach, type Bitmap } from './bitmap.js';
import type { SearchWord } from './search-words.js';
import { samplesOf, type Segment } from './segment.js';
import type { TextTable } from './text-table.js';

/** Samples whose title contains a text. */
export function titlesContaining(segment: Segment, text: string): Bitmap {
  const words = text.split(' ');
  // Between other words a word must match whole; the first may start and the last may end inside one.
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

/** Samples that have one word of a search in any field. @param creatorIds artists whose name has it */
export function samplesHaving(segment: Segment, word: SearchWord, creatorIds: Iterable<string>): Bitmap {
  const bits = bitmapFor(segment.size);
  if (word.near !== undefined) addNear(segment, new RegExp(word.near, 'u'), bits);
  for (const text of word.texts) {
    unite(bits, titlesContaining(segment, text));
    for (const pack of segment.packTitles.containing(text)) addAll(bits, segment.packs.samples.of(pack));
    addLabelled(segment, ['genre', 'mood', 'instrument', 'key'], (label) => label.includes(text), bits);
  }
  for (const creatorId of creatorIds) addAll(bits, samplesOf(segment.creators, creatorId));
  if (word.bpm !== undefined) {
    const { [word.bpm]: atMost, [word.bpm - 1]: slower } = segment.atMostBpm;
    unite(bits, subtract((atMost as Bitmap).slice(), slower as Bitmap));
  }
  return bits;
}

function addNear(segment: Segment, near: RegExp, bits: Bitmap): void {
  for (const word of matching(segment.words, near)) addAll(bits, segment.titlesOfWord.of(word));
  for (const pack of matching(segment.packTitles, near)) addAll(bits, segment.packs.samples.of(pack));
  addLabelled(segment, ['genre', 'mood', 'instrument'], (label) => near.test(label), bits);
}

function addLabelled(
  segment: Segment,
  facets: readonly (keyof Segment['labels'])[],
  wanted: (label: string) => boolean,
  bits: Bitmap,
): void {
  for (const facet of facets)
    for (const [label, labelled] of segment.labels[facet])
      if (wanted(label.toLowerCase())) unite(bits, labelled);
}

function* matching(texts: TextTable, near: RegExp): Generator<number> {
  for (let at = 0; at < texts.size; at++) if (near.test(texts.at(at))) yield at;
}

/** Titles that have, for each part, a word that contains it. */
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
