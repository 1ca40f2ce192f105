import type { ByteWindow } from '../byte-window.js';
import { AudioRefused, unreadable } from '../pcm.js';

const HEADER_BYTES = 27;
/** Comments may hold a cover picture. */
const PACKET_LIMIT_BYTES = 16 * 1024 * 1024;
const FIRST_PAGE = 2;
const LAST_PAGE = 4;

/** One logical stream. Positions are in samples. */
export interface OggStream {
  packets(): Generator<Buffer>;
  /** The first position that a page states, and how many packets end up to there. */
  first: { granule: number; packets: number };
  /** The position that the last page states. */
  lastGranule: number;
}

/**
 * Returns the length of a stream in samples. The positions of a stream that was cut from a longer one begin late.
 * @param samplesInFirst the samples in the packets up to the first position
 */
export const lengthOf = ({ first, lastGranule }: OggStream, samplesInFirst: number): number =>
  Math.max(0, lastGranule - Math.max(0, first.granule - samplesInFirst));

/** Real files chain far fewer streams. Without a limit, reading the headers of each stream could take long. */
const CHAIN_LIMIT = 256;

/**
 * Opens the streams of a file that follow each other ("chained"); most files have one. Checks all pages first, so a
 * damaged or incomplete file is always refused.
 */
export function openOggStreams(bytes: ByteWindow, startAt: number): OggStream[] {
  const streams: OggStream[] = [];
  for (let at = startAt; ;) {
    const from = at;
    const { endsAt, ...positions } = checkPages(bytes, from);
    if (positions.lastGranule > 0) streams.push({ packets: () => readPackets(bytes, from), ...positions });
    const following = readPage(bytes, endsAt);
    if (!following || (following.flags & FIRST_PAGE) === 0) break;
    if (streams.length === CHAIN_LIMIT) throw unreadable('the Ogg file is a chain of too many streams');
    at = endsAt;
  }
  if (streams.length === 0) throw new AudioRefused({ code: 'AudioEmpty' });
  return streams;
}

interface Page {
  flags: number;
  granule: bigint;
  serial: number;
  sequence: number;
  lacing: Buffer;
  bodyAt: number;
  endsAt: number;
}

function readPage(bytes: ByteWindow, at: number): Page | undefined {
  const head = bytes.view(at, HEADER_BYTES);
  if (head.length < HEADER_BYTES || head.toString('latin1', 0, 4) !== 'OggS') return undefined;
  const [flags, granule] = [head.readUInt8(5), head.readBigInt64LE(6)];
  const [serial, sequence, segments] = [head.readUInt32LE(14), head.readUInt32LE(18), head.readUInt8(26)];
  const lacing = bytes.read(at + HEADER_BYTES, segments);
  const bodyAt = at + HEADER_BYTES + segments;
  const endsAt = lacing.reduce((end, length) => end + length, bodyAt);
  return { flags, granule, serial, sequence, lacing, bodyAt, endsAt };
}

/** Checks order, checksums and end of a stream. @returns the positions that its pages state, and where it ends */
function checkPages(bytes: ByteWindow, startAt: number): Omit<OggStream, 'packets'> & { endsAt: number } {
  let serial: number | undefined;
  let sequence: number | undefined;
  let packets = 0;
  let first: OggStream['first'] | undefined;
  let lastGranule = 0;
  const ended = (endsAt: number) => ({ first: first ?? { granule: 0, packets }, lastGranule, endsAt });
  for (let at = startAt; ;) {
    const page = readPage(bytes, at);
    // Some encoders mark no page as the last one. The sound then ends where the last page says.
    if (!page && lastGranule > 0 && at === bytes.sizeBytes) return ended(at);
    if (!page || page.endsAt > bytes.sizeBytes)
      throw unreadable(page || at >= bytes.sizeBytes ? 'the file ends early' : 'the file is damaged');
    serial ??= page.serial;
    if (page.serial !== serial) throw unreadable('Ogg files with streams side by side are not supported');
    if (sequence !== undefined && page.sequence !== sequence + 1) throw unreadable('the file is damaged');
    sequence = page.sequence;
    if (!isIntact(bytes.view(at, page.endsAt - at))) throw unreadable('the file is damaged');
    // A page on which no packet ends has no position.
    if (page.granule >= 0n) lastGranule = Number(page.granule);
    // A packet ends with a segment that is not full.
    packets += page.lacing.reduce((count, length) => count + (length < 255 ? 1 : 0), 0);
    if (lastGranule > 0) first ??= { granule: lastGranule, packets };
    at = page.endsAt;
    if ((page.flags & LAST_PAGE) !== 0) return ended(at);
  }
}

function* readPackets(bytes: ByteWindow, startAt: number): Generator<Buffer> {
  let parts: Buffer[] = [];
  let partBytes = 0;
  for (let at = startAt; ;) {
    const page = readPage(bytes, at);
    if (!page) return;
    let from = page.bodyAt;
    for (const length of page.lacing) {
      parts.push(bytes.read(from, length));
      partBytes += length;
      if (partBytes > PACKET_LIMIT_BYTES) throw unreadable('the file is damaged');
      from += length;
      if (length === 255) continue;
      yield Buffer.concat(parts);
      parts = [];
      partBytes = 0;
    }
    if ((page.flags & LAST_PAGE) !== 0) return;
    at = page.endsAt;
  }
}

/**
 * Returns pages for a decoder that only reads Ogg. Each group of packets starts a new page. `endsAt` marks the last
 * page and is the end of the sound, in samples.
 */
export function pagesOf(
  groups: Iterable<{ packets: readonly Buffer[]; isFirst?: boolean; endsAt?: number }>,
): Buffer {
  let sequence = 0;
  const pages: Buffer[] = [];
  for (const { packets, isFirst = false, endsAt } of groups) {
    const segments = packets.flatMap(({ length }) => [
      ...Array.from({ length: Math.floor(length / 255) }, () => 255),
      length % 255,
    ]);
    const body = Buffer.concat(packets);
    // A page has at most 255 segments, so a long packet continues on further pages.
    for (let from = 0, at = 0; from < segments.length; from += 255) {
      const lacing = Buffer.from(segments.slice(from, from + 255));
      const length = lacing.reduce((sum, segment) => sum + segment, 0);
      const head = Buffer.alloc(HEADER_BYTES);
      head.write('OggS', 0, 'latin1');
      head.writeUInt8((from > 0 ? 1 : 0) + (isFirst ? FIRST_PAGE : 0) + (endsAt ? LAST_PAGE : 0), 5);
      head.writeBigInt64LE(BigInt(endsAt ?? 0), 6);
      head.writeUInt32LE(1, 14);
      head.writeUInt32LE(sequence++, 18);
      head.writeUInt8(lacing.length, 26);
      const page = Buffer.concat([head, lacing, body.subarray(at, at + length)]);
      page.writeUInt32LE(checksumOf(page), 22);
      pages.push(page);
      at += length;
    }
  }
  return Buffer.concat(pages);
}

function isIntact(page: Buffer): boolean {
  const copy = Buffer.from(page);
  copy.writeUInt32LE(0, 22);
  return checksumOf(copy) === page.readUInt32LE(22);
}

const CRC32 = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte << 24;
  for (let bit = 0; bit < 8; bit++) rest = (rest << 1) ^ (rest < 0 ? 0x04c11db7 : 0);
  return rest;
});

function checksumOf(bytes: Buffer): number {
  let rest = 0;
  for (let at = 0; at < bytes.length; at++)
    rest = (rest << 8) ^ (CRC32[(rest >>> 24) ^ (bytes[at] as number)] as number);
  return rest >>> 0;
}
