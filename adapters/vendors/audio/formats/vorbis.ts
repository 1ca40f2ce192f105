import { OfflineAudioContext } from 'node-web-audio-api';
import { type PcmSource, unreadable } from '../pcm.js';
import { decode } from './frames.js';
import { lengthOf, type OggStream, pagesOf } from './ogg.js';
import { assertShape } from './sample-encodings.js';

const HEADER_PACKETS = 3;
/** A packet holds at most 4,096 samples per channel, so a run takes at most 33 MB with eight channels. */
const RUN_PACKETS = 256;
const PAGE_PACKETS = 16;
/** The codebooks of a real file have a few 10,000 values in all. */
const CODEBOOK_VALUES_MAX = 2 ** 22;

/** Reads Vorbis in runs of packets. A packet overlaps with the one before, so each run starts with that one. */
export async function openVorbis(stream: OggStream): Promise<PcmSource> {
  const packets = stream.packets();
  const headers = Array.from({ length: HEADER_PACKETS }, () => packets.next().value as Buffer | undefined);
  const [identification, comments, setup] = headers;
  if (!identification || !comments || !setup || identification.length < 30)
    throw unreadable('the header is damaged');
  const channels = identification.readUInt8(11);
  const sampleRateHz = identification.readUInt32LE(12);
  assertShape(channels, sampleRateHz);
  assertCodebooks(setup);
  const headPages = [
    { packets: [identification], isFirst: true },
    // Comments are of no use to the decoder, and pictures in them may be large.
    { packets: [EMPTY_COMMENTS] },
    { packets: [setup] },
  ];
  const frames = lengthOf(stream, await samplesInFirst(stream, headPages, sampleRateHz));
  return {
    format: 'ogg',
    contentType: 'audio/ogg',
    sampleRateHz,
    channels,
    expectedFrames: frames,
    hasExactLength: true,
    blocks: () => decodeRuns(stream, headPages, { sampleRateHz, frames }),
  };
}

/** Decodes the packets up to the first position, because packets do not state their lengths. */
async function samplesInFirst(
  { first, packets }: OggStream,
  headPages: Parameters<typeof pagesOf>[0],
  sampleRateHz: number,
): Promise<number> {
  // A page has at most 255 packets. A file with more before its first position, or with none, states it wrongly.
  if (first.packets <= HEADER_PACKETS || first.packets > HEADER_PACKETS + RUN_PACKETS) return first.granule;
  const all = packets();
  const run = Array.from({ length: first.packets }, () => all.next().value as Buffer).slice(HEADER_PACKETS);
  // Packets overlap, so the first one yields no samples.
  if (run.length === 1) return 0;
  const context = new OfflineAudioContext(1, 1, sampleRateHz);
  return (await decode(context, pagesOf([...headPages, ...pagesOfRun(run)]))).length;
}

const pagesOfRun = (run: readonly Buffer[]) =>
  Array.from({ length: Math.ceil(run.length / PAGE_PACKETS) }, (_, page) => ({
    packets: run.slice(page * PAGE_PACKETS, (page + 1) * PAGE_PACKETS),
  }));

/** No vendor, no comment, and the framing bit. */
const EMPTY_COMMENTS = Buffer.from('\x03vorbis\0\0\0\0\0\0\0\0\x01', 'latin1');

async function* decodeRuns(
  stream: OggStream,
  headPages: Parameters<typeof pagesOf>[0],
  { sampleRateHz, frames }: { sampleRateHz: number; frames: number },
): ReturnType<PcmSource['blocks']> {
  const context = new OfflineAudioContext(1, 1, sampleRateHz);
  let left = frames;
  for (const run of runsOf(stream)) {
    const audio = await decode(context, pagesOf([...headPages, ...pagesOfRun(run)]));
    // The last page states where the sound ends, because the encoder pads the last packet.
    const length = Math.min(audio.length, left);
    left -= length;
    yield Array.from({ length: audio.numberOfChannels }, (_, channel) =>
      audio.getChannelData(channel).slice(0, length),
    );
    if (left === 0) return;
  }
  if (left > 0) throw unreadable('the file ends early');
}

/** Yields runs of packets. The first packet of a run is the last one of the run before. */
function* runsOf(stream: OggStream): Generator<Buffer[]> {
  let run: Buffer[] = [];
  let skip = HEADER_PACKETS;
  for (const packet of stream.packets()) {
    if (skip-- > 0) continue;
    run.push(packet);
    if (run.length <= RUN_PACKETS) continue;
    yield run;
    run = run.slice(-1);
  }
  if (run.length > 1) yield run;
}

/**
 * Refuses codebooks that no encoder writes. The decoder reserves memory for every value that a codebook claims, and
 * ends the process if there is not enough.
 */
function assertCodebooks(setup: Buffer): void {
  const bits = new BitReader(setup, 7);
  let values = 0;
  for (let left = bits.read(8) + 1; left > 0; left--) {
    if (bits.read(24) !== 0x564342) throw unreadable('the header is damaged');
    const dimensions = bits.read(16);
    const entries = bits.read(24);
    values += dimensions * entries;
    // The decoder computes powers with `dimensions` as the exponent, which must fit into 32 bits.
    if (entries === 0 || bitsOf(entries) + dimensions > 31 || values > CODEBOOK_VALUES_MAX)
      throw unreadable('the header is damaged');
    skipLengths(bits, entries);
    const lookup = bits.read(4);
    if (lookup > 2) throw unreadable('the header is damaged');
    if (lookup === 0) continue;
    bits.skip(64);
    const valueBits = bits.read(4) + 1;
    bits.skip(1 + valueBits * (lookup === 1 ? rootOf(entries, dimensions) : entries * dimensions));
  }
}

function skipLengths(bits: BitReader, entries: number): void {
  if (bits.read(1) === 1) {
    bits.skip(5);
    for (let entry = 0; entry < entries;) {
      entry += bits.read(bitsOf(entries - entry));
      if (entry > entries) throw unreadable('the header is damaged');
    }
  } else if (bits.read(1) === 0) bits.skip(entries * 5);
  else for (let entry = 0; entry < entries; entry++) if (bits.read(1) === 1) bits.skip(5);
}

/** Returns the largest integer that, raised to the power `dimensions`, is at most `entries`. */
function rootOf(entries: number, dimensions: number): number {
  let root = 1;
  while ((root + 1) ** dimensions <= entries) root++;
  return root;
}

const bitsOf = (value: number): number => 32 - Math.clz32(value);

/** Reads bits as Vorbis packs them: the lowest bit of each byte first. */
class BitReader {
  private at: number;

  constructor(
    private readonly bytes: Buffer,
    startByte: number,
  ) {
    this.at = startByte * 8;
  }

  /** @throws AudioRefused past the end of the data, so that no loop continues without data */
  read(count: number): number {
    this.skip(count);
    let value = 0;
    for (let bit = 0; bit < count; bit++) {
      const at = this.at - count + bit;
      value += (((this.bytes[at >> 3] as number) >> (at & 7)) & 1) * 2 ** bit;
    }
    return value;
  }

  skip(count: number): void {
    this.at += count;
    if (this.at > this.bytes.length * 8) throw unreadable('the header is damaged');
  }
}
