import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import { TEMPO_RANGE_BPM } from '../../../domain/catalogue/filter.js';
import type { Bitmap } from './bitmap.js';
import { ExactTempos, type Cards } from './cards.js';
import { LABEL_PAIRS } from './label-pairs.js';
import { Postings } from './postings.js';
import { byFacet, bySingleFacet, FACETS, SINGLE_FACETS } from './labels.js';
import type { Segment } from './segment.js';
import { TextTable } from './text-table.js';

/** Raise this number with every change of this format or of the parts of a segment. */
export const SEGMENT_FORMAT = 5;

type Numbers = Int8Array | Uint8Array | Uint16Array | Uint32Array | Float64Array;
type NumbersOf<Kind> = new (bytes: ArrayBuffer, start: number, length: number) => Kind;

const Count = z.int().nonnegative();
const Texts = z.array(z.string());
const Header = z.object({
  format: z.literal(SEGMENT_FORMAT),
  /** The segment was built from this version of the search table, at this position of this log. */
  version: Count,
  position: Count,
  log: z.string(),
  size: Count,
  describedId: Count,
  lengths: z.array(Count),
  packIds: Texts,
  creatorIds: Texts,
  labels: z.object(byFacet(() => Texts)),
});
type Header = z.infer<typeof Header>;

/** The source of a segment. @property log the hash of the event at `position` */
export type SegmentOrigin = Pick<Header, 'version' | 'position' | 'log'>;

const MAGIC = Buffer.from('OFFCUTIX');
const HEADER_START = MAGIC.length + 8;
const DIGEST_BYTES = 32;
const SLICE_BYTES = 2 ** 20;

const aligned = (bytes: number): number => (bytes + 7) & ~7;

const listed = ({ bytes, ends }: TextTable | Cards): Numbers[] => [bytes, ends];

/** Returns every array of a segment, in the order in which `fromParts` takes them. */
const partsOf = (segment: Segment): Numbers[] => [
  ...[segment.ids, segment.titles, segment.words, segment.packTitles].flatMap(listed),
  ...[segment.titlesOfWord, segment.packs.samples, segment.creators.samples].flatMap(({ starts, items }) => [
    starts,
    items,
  ]),
  segment.oneWord,
  segment.popularity,
  segment.publishedAtMs,
  ...SINGLE_FACETS.map((facet) => segment.codes[facet]),
  segment.instrumentMasks,
  ...FACETS.flatMap((facet) => [...segment.labels[facet].values()]),
  segment.tempo,
  segment.durationMs,
  ...segment.atMostBpm,
  ...segment.pairs.flatMap((lists) => [
    lists.starts,
    lists.numbers,
    lists.tempo,
    lists.third,
    lists.instrumentMasks,
    ...lists.withInstrument,
  ]),
  segment.tallies,
  segment.soundFacts,
  segment.sounds.vectors,
  segment.sounds.numbers,
  segment.sounds.places,
  segment.sounds.starts,
  segment.sounds.centres,
  ...[segment.cards, segment.cards.packs].flatMap(listed),
];

/** Yields the bytes of a segment: magic and lengths, header as JSON, arrays as they are in memory, and checksum. */
export function* segmentBytes(
  segment: Segment,
  { version, position, log }: SegmentOrigin,
): Generator<Buffer> {
  const parts = partsOf(segment);
  const header: Header = {
    format: SEGMENT_FORMAT,
    version,
    position,
    log,
    size: segment.size,
    describedId: segment.describedId,
    lengths: parts.map(({ length }) => length),
    packIds: segment.packIds,
    creatorIds: segment.creatorIds,
    labels: byFacet((facet) => [...segment.labels[facet].keys()]),
  };
  const text = Buffer.from(JSON.stringify(header));
  const head = Buffer.alloc(HEADER_START);
  MAGIC.copy(head);
  head.writeUInt32LE(text.length, MAGIC.length);
  // Repeat the length in native byte order: a machine with another byte order reads another number here.
  new Uint32Array(head.buffer, head.byteOffset + MAGIC.length + 4, 1)[0] = text.length;
  const hash = createHash('sha256');
  for (const part of [head, text, ...parts]) {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    const padded = aligned(bytes.length) - bytes.length;
    for (const piece of [...slices(bytes), ...(padded > 0 ? [Buffer.alloc(padded)] : [])]) {
      hash.update(piece);
      yield piece;
    }
  }
  yield hash.digest();
}

/** @throws if the bytes were not written by `segmentBytes` on a machine with the same byte order */
export async function segmentFrom(file: ArrayBuffer): Promise<{ segment: Segment; origin: SegmentOrigin }> {
  const bytes = Buffer.from(file);
  const end = bytes.length - DIGEST_BYTES;
  if (end < HEADER_START || !bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw new Error('not an index file');
  const hash = createHash('sha256');
  for (const slice of slices(bytes.subarray(0, end))) {
    hash.update(slice);
    await nextTurn();
  }
  if (!hash.digest().equals(bytes.subarray(end))) throw new Error('the checksum of the index is wrong');
  const length = bytes.readUInt32LE(MAGIC.length);
  if (new Uint32Array(file, MAGIC.length + 4, 1)[0] !== length)
    throw new Error('the index has another byte order');
  const header = Header.parse(
    JSON.parse(bytes.toString('utf8', HEADER_START, HEADER_START + length)) as unknown,
  );
  let start = HEADER_START + aligned(length);
  let part = 0;
  const take = <Kind extends Numbers>(kind: NumbersOf<Kind>): Kind => {
    const numbers = new kind(file, start, header.lengths[part++] ?? 0);
    start += aligned(numbers.byteLength);
    return numbers;
  };
  const segment = fromParts(header, take);
  if (start !== end || part !== header.lengths.length)
    throw new Error('the parts of the index do not match its length');
  const { version, position, log } = header;
  return { segment, origin: { version, position, log } };
}

function fromParts(
  { size, describedId, packIds, creatorIds, labels }: Header,
  take: <Kind extends Numbers>(kind: NumbersOf<Kind>) => Kind,
): Segment {
  const numbers = (): Bitmap => take<Bitmap>(Uint32Array);
  const bytes = (): Buffer => {
    const { buffer, byteOffset, byteLength } = take<Uint8Array<ArrayBuffer>>(Uint8Array);
    return Buffer.from(buffer, byteOffset, byteLength);
  };
  const texts = (): TextTable => new TextTable(bytes(), numbers());
  const postings = (): Postings => new Postings(numbers(), numbers());
  const numbered = (ids: readonly string[]) => new Map(ids.map((id, number) => [id, number]));
  // Take the parts in the order of `partsOf`.
  const parts = {
    size,
    packIds,
    creatorIds,
    ids: texts(),
    titles: texts(),
    words: texts(),
    packTitles: texts(),
    titlesOfWord: postings(),
    packs: { numbers: numbered(packIds), samples: postings() },
    creators: { numbers: numbered(creatorIds), samples: postings() },
    oneWord: numbers(),
    popularity: numbers(),
    publishedAtMs: take(Float64Array),
    codes: bySingleFacet(() => take(Uint16Array)),
    instrumentMasks: numbers(),
    labels: byFacet((facet) => new Map(labels[facet].map((label) => [label, numbers()]))),
    tempo: take<Uint8Array<ArrayBuffer>>(Uint8Array),
    durationMs: numbers(),
    atMostBpm: Array.from({ length: TEMPO_RANGE_BPM.max + 1 }, numbers),
    pairs: LABEL_PAIRS.map(() => ({
      starts: numbers(),
      numbers: numbers(),
      tempo: take(Uint8Array),
      third: take(Uint16Array),
      instrumentMasks: numbers(),
      withInstrument: labels.instrument.map(numbers),
    })),
    tallies: numbers(),
    describedId,
    soundFacts: take(Uint8Array),
    sounds: {
      vectors: take(Int8Array),
      numbers: numbers(),
      places: numbers(),
      starts: numbers(),
      centres: take(Int8Array),
    },
    cards: { bytes: bytes(), ends: numbers(), packs: texts() },
  };
  return { ...parts, bpms: new ExactTempos(parts.cards) };
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
