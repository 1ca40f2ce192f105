import { setImmediate as nextTurn } from 'node:timers/promises';
import { TEMPO_RANGE_BPM } from '../../../domain/catalogue/filter.js';
import { COMPARED } from '../../../domain/catalogue/sound/facts.js';
import { add, bitmapFor, unite, type Bitmap } from './bitmap.js';
import { CardsBuilder, ExactTempos } from './cards.js';
import { GrowingNumbers } from './growing-array.js';
import { listsByPair } from './label-pairs.js';
import { LabelsBuilder } from './labels.js';
import { Postings, Grouping } from './postings.js';
import type { CatalogueRow } from './rows.js';
import type { Segment } from './segment.js';
import { clustered } from './sound-clusters.js';
import { Tallies } from './tallies.js';
import { TextTableBuilder } from './text-table.js';

/** Builds a segment from rows that are sorted by `byPopularity`. */
export class SegmentBuilder {
  private readonly ids = new TextTableBuilder();
  private readonly titles = new TextTableBuilder();
  private readonly words = new TextTableBuilder();
  private readonly wordNumbers = new Map<string, number>();
  private readonly wordsOfTitles = new GrowingNumbers();
  private readonly wordEnds: Uint32Array;
  private readonly oneWord: Bitmap;
  private readonly packTitles = new TextTableBuilder();
  private readonly packs: Grouping;
  private readonly creators: Grouping;
  private readonly cards: CardsBuilder;
  private readonly popularity: Uint32Array;
  private readonly publishedAtMs: Float64Array;
  private readonly labels: LabelsBuilder;
  private readonly atMostBpm: Bitmap[];
  private readonly sounds: Int8Array;
  private readonly described = new GrowingNumbers();
  private describedId = 0;
  private size = 0;

  constructor(capacity: number) {
    this.wordEnds = new Uint32Array(capacity);
    this.oneWord = bitmapFor(capacity);
    this.packs = new Grouping(capacity);
    this.creators = new Grouping(capacity);
    this.popularity = new Uint32Array(capacity);
    this.publishedAtMs = new Float64Array(capacity);
    this.sounds = new Int8Array(capacity * COMPARED);
    this.labels = new LabelsBuilder(capacity);
    this.cards = new CardsBuilder(capacity);
    this.atMostBpm = Array.from({ length: TEMPO_RANGE_BPM.max + 1 }, () => bitmapFor(capacity));
  }

  add(row: CatalogueRow): void {
    const number = this.size++;
    this.ids.add(row.sampleId);
    this.titles.add(row.titleLower);
    for (const word of new Set(row.titleLower.split(' '))) this.wordsOfTitles.push(this.numberOfWord(word));
    if (!row.titleLower.includes(' ')) add(this.oneWord, number);
    this.wordEnds[number] = this.wordsOfTitles.length;
    const creator = this.creators.put(number, row.creatorId);
    const pack = this.packs.put(number, row.packId);
    if (this.packTitles.size === pack) {
      this.packTitles.add(row.packLower);
      this.cards.addPack({
        title: row.card.packTitle,
        slug: row.card.packSlug,
        artworkUrl: row.card.artworkUrl,
        creator,
      });
    }
    this.popularity[number] = row.popularity;
    this.publishedAtMs[number] = row.publishedAtMs;
    if (row.sound) {
      this.sounds.set(row.sound.descriptors.subarray(0, COMPARED), number * COMPARED);
      this.described.push(number);
      this.describedId = Math.max(this.describedId, row.sound.id);
    }
    const instruments = this.labels.add(number, row);
    const { bpm, durationMs, creditCost, hasMidi, hasStems } = row;
    this.cards.add({ ...row.card, bpm, durationMs, creditCost, hasMidi, hasStems, pack, instruments });
    const ofTempo = this.atMostBpm[row.bpm];
    if (ofTempo) add(ofTempo, number);
  }

  /** Completes the segment. Yields to the event loop between the steps. */
  async finish(): Promise<Segment> {
    const segment = await this.flat();
    return {
      ...segment,
      pairs: await listsByPair(segment),
      tallies: await Tallies.countedIn(segment),
      sounds: await clustered(this.sounds, this.described.finish()),
    };
  }

  private async flat(): Promise<Omit<Segment, 'pairs' | 'tallies' | 'sounds'>> {
    for (let bpm = 1; bpm < this.atMostBpm.length; bpm++)
      unite(this.atMostBpm[bpm] as Bitmap, this.atMostBpm[bpm - 1] as Bitmap);
    await nextTurn();
    const cards = this.cards.finish();
    await nextTurn();
    const words = this.words.finish();
    const titlesOfWord = Postings.of(this.wordsOfTitles.finish(), words.size, this.wordEnds);
    await nextTurn();
    const [packs, creators] = [this.packs.finish(), this.creators.finish()];
    await nextTurn();
    return {
      size: this.size,
      ids: this.ids.finish(),
      titles: this.titles.finish(),
      words,
      titlesOfWord,
      oneWord: this.oneWord,
      packs,
      packTitles: this.packTitles.finish(),
      packIds: this.packs.names,
      creators,
      creatorIds: this.creators.names,
      popularity: this.popularity,
      publishedAtMs: this.publishedAtMs,
      ...this.labels.finish(),
      atMostBpm: this.atMostBpm,
      describedId: this.describedId,
      cards,
      bpms: new ExactTempos(cards),
    };
  }

  private numberOfWord(word: string): number {
    const known = this.wordNumbers.get(word);
    if (known !== undefined) return known;
    const number = this.words.add(word);
    this.wordNumbers.set(word, number);
    return number;
  }
}
