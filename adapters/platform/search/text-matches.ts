import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import { count, has, intersect, subtract, unite, visitEach, type Bitmap, add, bitmapFor } from './bitmap.js';
import type { LiveCatalogue } from './live-catalogue.js';
import type { CatalogueRow, FoundSample, Scope } from './rows.js';
import { samplesOf } from './postings.js';
import { FilteredSamples } from './filtered-samples.js';
import {
  bitsWhere,
  hasText,
  hasWord,
  isWholePhrase,
  nearWord,
  parted,
  wordsToKeep,
  type SearchedFields,
  type SearchWord,
  hasNear,
} from './search-words.js';
import type { Segment } from './segment.js';

export type NamedWord = SearchWord & {
  creatorIds: readonly string[];
  /** Artists whose names contain the word with a typing error. */
  nearCreatorIds?: readonly string[];
};

const TIERS = 4;

/**
 * The matches of a text in four tiers: titles that equal the text, titles that contain it, samples that have all its
 * words, and samples that have some of the words only in the title of their pack.
 */
export class TextMatches {
  private readonly tiers: (Bitmap | undefined)[] = [];
  /** The samples with each word; from tier 3 on, with words in pack titles, too. */
  private ofWords: Bitmap[] | undefined;
  private widerMatches: TextMatches | undefined;
  private readonly isWhole: boolean;

  constructor(
    private readonly live: LiveCatalogue,
    private readonly text: string,
    private readonly words: readonly NamedWord[],
    private readonly having = new Map<NamedWord, ReadonlySet<CatalogueRow>>(),
  ) {
    this.isWhole = isWholePhrase(words);
  }

  /** Returns the best matches, most downloaded first within each tier. @param tiers 4 for all, 2 for titles only */
  best(filter: TrackFilter, scope: Scope, limit: number, tiers = TIERS): FoundSample[] {
    const { segment } = this.live;
    const sieve = new FilteredSamples(segment, filter, scope);
    const passing = this.live.changed.rowsPassing(filter, scope);
    const tierOfRows = passing.map((row) => this.tierOf(row));
    const found: FoundSample[] = [];
    for (let tier = 0; tier < tiers && found.length < limit; tier++) {
      const bits = this.bitsOf(tier);
      const rows = passing.filter((_, at) => tierOfRows[at] === tier);
      const best = this.live.best(sieve, rows, limit - found.length, { within: bits });
      found.push(...best.map((each) => this.live.sampleOf(each)));
    }
    return found;
  }

  /** All samples of the segment that match, whether or not they pass a filter. */
  get bits(): Bitmap {
    const all = this.bitsOf(0).slice();
    for (let tier = 1; tier < TIERS; tier++) unite(all, this.bitsOf(tier));
    return all;
  }

  /** Returns whether a sample of a changed pack matches. */
  hasRow(row: CatalogueRow): boolean {
    return this.tierOf(row) !== undefined;
  }

  /** Returns matches that allow typing errors in each word that no sample has. */
  get wider(): TextMatches {
    return (this.widerMatches ??= new TextMatches(
      this.live,
      this.text,
      this.words.map((word) => {
        const near = this.isKnown(word) ? undefined : nearWord(word);
        const { creatorIds, nearCreatorIds = [] } = word;
        return near ? { ...word, ...near, creatorIds: [...creatorIds, ...nearCreatorIds] } : word;
      }),
      this.having,
    ));
  }

  /** Returns matches after leaving out as few words as possible; undefined if only chance matches are left. */
  relaxed(filter: TrackFilter, scope: Scope): { matches: TextMatches; dropped: string[] } | undefined {
    const { segment, alive, changed } = this.live;
    const sieve = new FilteredSamples(segment, filter, scope);
    const rows = changed.rowsPassing(filter, scope);
    const passing = Uint32Array.from(alive, (bits, at) => (bits === 0 ? 0 : bits & sieve.word(at)));
    const found = this.words.map((word) => ({
      bits: intersect(samplesHaving(segment, word, word.creatorIds), passing),
      rows: this.rowsWith(word),
    }));
    const isBy = ({ creatorIds }: NamedWord): boolean =>
      creatorIds.some((id) => samplesOf(segment.creators, id).some((at) => has(passing, at))) ||
      rows.some(({ creatorId }) => creatorIds.includes(creatorId));
    // A typing error in a word that is no name resembles some title by chance.
    const isMeant = (word: NamedWord): boolean =>
      !word.isNear || word.isMisspelledName === true || isBy(word);
    const kept = wordsToKeep(this.words, bitsWhere(this.words, isMeant), (bits) => {
      const all = found.filter((_, at) => (bits & (1 << at)) !== 0);
      const inSegment = all.reduce((both, { bits: having }) => intersect(both, having), passing.slice());
      return count(inSegment) + rows.filter((row) => all.every((each) => each.rows.has(row))).length;
    });
    if (kept === 0) return undefined;
    const { words, dropped } = parted(this.words, kept);
    return { matches: new TextMatches(this.live, this.text, words, this.having), dropped };
  }

  /** Returns whether a sample has the word. Ignores names of artists, because a match in a name may be chance. */
  private isKnown(word: NamedWord): boolean {
    let found = false;
    visitEach(samplesHaving(this.live.segment, word, []), (number) => {
      found = has(this.live.alive, number);
      return !found;
    });
    return found || this.live.changed.rows.some((row) => rowHas(row, { ...word, creatorIds: [] }));
  }

  /** Computes a tier only when it is needed: matches of titles often fill the page already. */
  private bitsOf(tier: number): Bitmap {
    return (this.tiers[tier] ??= this.makeBits(tier));
  }

  private makeBits(tier: number): Bitmap {
    const { segment } = this.live;
    if (tier === 0) return titlesEqualTo(segment, this.text);
    if (tier === 1) return subtract(titlesHaving(segment, this.text, this.isWhole), this.bitsOf(0));
    const before = Array.from({ length: tier }, (_, at) => this.bitsOf(at));
    this.ofWords ??= this.words.map((word) => samplesHavingThemselves(segment, word, word.creatorIds));
    // Tier 2, which needs the sets without pack titles, is complete: add the pack titles now.
    if (tier === 3)
      for (const [at, bits] of this.ofWords.entries()) addOfPacks(segment, this.words[at] as NamedWord, bits);
    return before.reduce(subtract, this.ofWords.map((bits) => bits.slice()).reduce(intersect));
  }

  private tierOf(row: CatalogueRow): number | undefined {
    if (row.titleLower === this.text) return 0;
    if (hasText(row.titleLower, this.text, this.isWhole)) return 1;
    if (!this.words.every((word) => this.rowsWith(word).has(row))) return undefined;
    return this.words.every((word) => rowHas(row, word, false)) ? 2 : 3;
  }

  /** Returns rows outside the segment that have a word. Exact, wider and relaxed matches share the result. */
  private rowsWith(word: NamedWord): ReadonlySet<CatalogueRow> {
    const known = this.having.get(word);
    if (known) return known;
    const found = new Set(this.live.changed.rows.filter((row) => rowHas(row, word)));
    this.having.set(word, found);
    return found;
  }
}

/** Caches lowercased fields, because lowercasing them would take most of the time of a search. */
const searched = new WeakMap<CatalogueRow, SearchedFields>();

const rowHas = (row: CatalogueRow, word: NamedWord, withPack = true): boolean =>
  word.creatorIds.includes(row.creatorId) || hasWord(fieldsOf(row), word, withPack);

function fieldsOf(row: CatalogueRow): SearchedFields {
  const known = searched.get(row);
  if (known) return known;
  const labels = [row.genre, row.mood, ...row.instruments].map((label) => label.toLowerCase());
  const { kind, hasMidi, hasStems } = row;
  const fields = {
    kind,
    hasMidi,
    hasStems,
    pack: row.packLower,
    texts: [row.titleLower, ...labels],
    keys: row.key === null ? [] : [row.key.toLowerCase()],
    bpm: row.bpm,
  };
  searched.set(row, fields);
  return fields;
}

/** Returns samples whose title has a text at the start of a word, or as whole words. */
function titlesHaving(segment: Segment, text: string, isWhole: boolean): Bitmap {
  const words = text.split(' ');
  // Spaces separate words. The first may match the end of a word in a title, and the last may match the start of one.
  // Those between must match whole words.
  const last = words.length - 1;
  const parts = words.map((word, at) => `${at > 0 ? '\n' : ''}${word}${at < last ? '\n' : ''}`);
  const having = titlesWithAll(segment, parts, isWhole);
  if (last === 0) return having;
  const needle = Buffer.from(text);
  return only(having, (title) => segment.titles.has(title, needle, isWhole));
}

function titlesEqualTo(segment: Segment, text: string): Bitmap {
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
function samplesHaving(segment: Segment, word: SearchWord, creatorIds: Iterable<string>): Bitmap {
  const bits = samplesHavingThemselves(segment, word, creatorIds);
  addOfPacks(segment, word, bits);
  return bits;
}

/** Adds to `bits` the samples that have the word in the title of their pack. */
function addOfPacks(segment: Segment, word: SearchWord, bits: Bitmap): void {
  const { packTitles, packs } = segment;
  for (const text of word.texts)
    for (const pack of packTitles.having(text, word.isWhole)) addAll(bits, packs.samples.of(pack));
  if (word.isNear) for (const pack of packTitles.near(word.typed)) addAll(bits, packs.samples.of(pack));
}

/** Like `samplesHaving`, but without searching the title of the pack. */
function samplesHavingThemselves(segment: Segment, word: SearchWord, creatorIds: Iterable<string>): Bitmap {
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
  for (const word of segment.words.near(typed)) addAll(bits, segment.titlesOfWord.of(word));
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
