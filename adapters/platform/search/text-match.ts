import { add, bitmapFor, intersect, subtract, unite, visitEach, type Bitmap } from './bitmap.js';
import { hasNear, hasText, type SearchWord } from './search-words.js';
import type { Segment } from './segment.js';
import { samplesOf } from './postings.js';
import type { TextTable } from './text-table.js';

/** Returns samples whose title has a text at the start of a word, or as whole words. */
export function titlesHaving(segment: Segment, text: string, isWhole: boolean): Bitmap {
  const words = text.split(' ');
  // Spaces separate words. The first may match the end of a word in a title, the last the start; the others match all.
  const last = words.length - 1;
  const parts = words.map((word, at) => `${at > 0 ? '\n' : ''}${word}${at < last ? '\n' : ''}`);
  const having = titlesWithAll(segment, parts, isWhole);
  if (last === 0) return having;
  const needle = Buffer.from(text);
  return only(having, (title) => segment.titles.has(title, needle, isWhole));
}

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

/** Returns samples that have the search word in any field. @param creatorIds artists whose name contains the word */
export function samplesHaving(segment: Segment, word: SearchWord, creatorIds: Iterable<string>): Bitmap {
  const bits = samplesHavingThemselves(segment, word, creatorIds);
  addOfPacks(segment, word, bits);
  return bits;
}

/** Adds to `bits` the samples that have the word in the title of their pack. */
export function addOfPacks(segment: Segment, word: SearchWord, bits: Bitmap): void {
  const { packTitles, packs } = segment;
  for (const text of word.texts)
    for (const pack of packTitles.having(text, word.isWhole)) addAll(bits, packs.samples.of(pack));
  if (word.isNear) for (const pack of near(packTitles, word.typed)) addAll(bits, packs.samples.of(pack));
}

/** Like `samplesHaving`, but without searching the title of the pack. */
export function samplesHavingThemselves(
  segment: Segment,
  word: SearchWord,
  creatorIds: Iterable<string>,
): Bitmap {
  const bits = bitmapFor(segment.size);
  const { isWhole } = word;
  if (word.isNear) addNear(segment, word.typed, bits);
  for (const text of word.texts) {
    unite(bits, titlesHaving(segment, text, isWhole));
    addLabelled(
      segment,
      ['genre', 'mood', 'instrument', 'key'],
      (label) => hasText(label, text, isWhole),
      bits,
    );
  }
  for (const creatorId of creatorIds) addAll(bits, samplesOf(segment.creators, creatorId));
  if (word.bpm) {
    const { [word.bpm.max]: atMost, [word.bpm.min - 1]: slower } = segment.atMostBpm;
    unite(bits, subtract((atMost as Bitmap).slice(), slower as Bitmap));
  }
  const { kind, feature } = word;
  const having = [kind && segment.labels.kind.get(kind), feature && segment.labels[feature].get('true')];
  for (const samples of having) if (samples) unite(bits, samples);
  return bits;
}

function addNear(segment: Segment, typed: string, bits: Bitmap): void {
  for (const word of near(segment.words, typed)) addAll(bits, segment.titlesOfWord.of(word));
  addLabelled(segment, ['genre', 'mood', 'instrument'], (label) => hasNear(label, typed), bits);
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

function* near(texts: TextTable, typed: string): Generator<number> {
  for (let at = 0; at < texts.size; at++) if (hasNear(texts.at(at), typed)) yield at;
}

function titlesWithAll(segment: Segment, parts: readonly string[], isWhole = false): Bitmap {
  const all = parts.map((part) => {
    const bits = bitmapFor(segment.size);
    for (const word of segment.words.having(part, isWhole)) addAll(bits, segment.titlesOfWord.of(word));
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
