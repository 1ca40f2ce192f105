import type { Sample } from '../../../application/catalogue/contract.js';
import { GrowingBytes, GrowingNumbers } from './growing-array.js';
import type { CardFields, CatalogueRow, SampleCard } from './rows.js';
import { TextTableBuilder, type TextTable } from './text-table.js';

/** Fields of each sample for lists. A sample's fields are adjacent, because distant memory accesses cost most. */
export interface Cards {
  bytes: Buffer;
  ends: Uint32Array;
  /** The `PackCard` of each pack as JSON, by the number of the pack. */
  packs: TextTable;
}

/** Fields shared by the samples of a pack. @property creator number of the artist */
export interface PackCard {
  title: string;
  slug: string;
  artworkUrl: string | null;
  creator: number;
}

/** A card as `Cards` stores it: numbers replace the instruments and the pack, so that each name is stored once. */
export type KeptCard = Omit<CardFields, 'packTitle' | 'packSlug' | 'artworkUrl'> &
  Pick<Sample, 'bpm' | 'durationMs' | 'creditCost' | 'hasMidi' | 'hasStems'> & {
    pack: number;
    instruments: number[];
  };

/** Estimated size of a card with 50 waveform bars and a preview URL that contains a hash. */
const CARD_BYTES = 200;
const FLAGS = { hasStems: 1, hasMidi: 2, isRoyaltyFree: 4 };

export const packOf = ({ bytes, ends }: Cards, number: number): number =>
  bytes.readUInt32LE(startOf(ends, number));

const startOf = (ends: Uint32Array, number: number): number =>
  number === 0 ? 0 : (ends[number - 1] as number);

export function factsAt(
  { bytes, ends }: Pick<Cards, 'bytes' | 'ends'>,
  number: number,
): Pick<KeptCard, 'bpm' | 'durationMs' | 'creditCost' | 'hasMidi' | 'hasStems'> {
  const start = startOf(ends, number);
  const flags = bytes[start + 14] as number;
  return {
    durationMs: bytes.readUInt32LE(start + 4),
    creditCost: bytes.readUInt32LE(start + 8),
    bpm: bytes.readUInt16LE(start + 12),
    hasStems: (flags & FLAGS.hasStems) !== 0,
    hasMidi: (flags & FLAGS.hasMidi) !== 0,
  };
}

/** The exact tempos of samples, by number. */
export class ExactTempos {
  constructor(private readonly cards: Pick<Cards, 'bytes' | 'ends'>) {}

  at(number: number): number {
    return factsAt(this.cards, number).bpm;
  }
}

export function cardAt(cards: Pick<Cards, 'bytes' | 'ends'>, number: number): Omit<KeptCard, 'pack'> {
  const { bytes, ends } = cards;
  const start = startOf(ends, number);
  const flags = bytes[start + 14] as number;
  let at = start + 15;
  const list = (): number[] => {
    const numbers: number[] = [];
    for (const end = at + 1 + (bytes[at] as number); ++at < end;) numbers.push(bytes[at] as number);
    return numbers;
  };
  const instruments = list();
  const waveform = list();
  const titleStart = at + 2;
  const titleEnd = titleStart + bytes.readUInt16LE(at);
  const end = ends[number] as number;
  return {
    ...factsAt(cards, number),
    isRoyaltyFree: (flags & FLAGS.isRoyaltyFree) !== 0,
    instruments,
    waveform,
    title: bytes.toString('utf8', titleStart, titleEnd),
    previewUrl: titleEnd === end ? null : bytes.toString('utf8', titleEnd, end),
  };
}

export function cardOf({ sampleId, packId, creatorId, card, ...facts }: CatalogueRow): SampleCard {
  const { genre, mood, key, bpm, durationMs, creditCost, hasMidi, hasStems, kind, origin, instruments } =
    facts;
  const { packTitle, packSlug, ...shown } = card;
  const pack = { id: packId, title: packTitle, slug: packSlug };
  const by = (creator: Sample['creator']) => ({
    id: sampleId,
    creator,
    pack,
    genre,
    mood,
    key,
    bpm,
    durationMs,
    creditCost,
    hasMidi,
    hasStems,
    kind,
    origin,
    instruments,
    ...shown,
  });
  return { creatorId, by };
}

export class CardsBuilder {
  private readonly bytes: GrowingBytes;
  private readonly ends: GrowingNumbers;
  private readonly packs = new TextTableBuilder();

  constructor(capacity: number) {
    this.bytes = new GrowingBytes(capacity * CARD_BYTES);
    this.ends = new GrowingNumbers(capacity);
  }

  add({ title, previewUrl, instruments, waveform, ...numbers }: KeptCard): void {
    const flags =
      (numbers.hasStems ? FLAGS.hasStems : 0) |
      (numbers.hasMidi ? FLAGS.hasMidi : 0) |
      (numbers.isRoyaltyFree ? FLAGS.isRoyaltyFree : 0);
    const fixed = Buffer.alloc(15);
    fixed.writeUInt32LE(numbers.pack, 0);
    fixed.writeUInt32LE(numbers.durationMs, 4);
    fixed.writeUInt32LE(numbers.creditCost, 8);
    fixed.writeUInt16LE(numbers.bpm, 12);
    fixed.writeUInt8(flags, 14);
    const text = Buffer.from(title);
    const length = Buffer.alloc(2);
    length.writeUInt16LE(text.length);
    const preview = Buffer.from(previewUrl ?? '');
    const parts = [
      fixed,
      [instruments.length, ...instruments],
      [waveform.length, ...waveform],
      length,
      text,
      preview,
    ];
    for (const part of parts) this.bytes.append(part);
    this.ends.push(this.bytes.length);
  }

  addPack(pack: PackCard): void {
    this.packs.add(JSON.stringify(pack));
  }

  finish(): Cards {
    const { buffer, byteOffset, byteLength } = this.bytes.finish();
    return {
      bytes: Buffer.from(buffer, byteOffset, byteLength),
      ends: this.ends.finish(),
      packs: this.packs.finish(),
    };
  }
}
