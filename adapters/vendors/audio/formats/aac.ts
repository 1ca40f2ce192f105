import { CustomSource, EncodedPacketSink, Input, Logging, LogLevel, MP4 } from 'mediabunny';
import type { ByteWindow } from '../byte-window.js';
import { decodeAlac, readCookie } from './alac.js';
import { decodeFrames, readFrames, scanFrames, type Frame, type FrameStream } from './frames.js';
import { AudioRefused, type AudioLimits, type PcmSource, assertDuration, unreadable } from '../pcm.js';

const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
/** Frames are decoded in groups, each after some earlier frames, because AAC frames overlap with the one before. */
const FRAMES = { samplesPerFrame: 1_024, primingFrames: 3 };

interface AacStream extends FrameStream {
  rateIndex: number;
}

/** This reader exists because mediabunny silently stops at the first damaged frame (`docs/measurements.md`). */
export function openAdts(bytes: ByteWindow, startAt: number): PcmSource {
  const { first, places } = scanFrames<AacStream & Frame>(bytes, startAt, (at, first) => {
    const frame = readAdtsHeader(bytes.view(at, 7));
    const fits = frame && at + frame.lengthBytes <= bytes.sizeBytes;
    return fits && frame.sampleRateHz === (first ?? frame).sampleRateHz ? frame : undefined;
  });
  const keep = places.length * FRAMES.samplesPerFrame;
  return {
    ...description(first),
    format: 'aac',
    contentType: 'audio/aac',
    expectedFrames: keep,
    // An ADTS file does not record how much silence the encoder added; only a container does.
    hasExactLength: false,
    blocks: () => decodeFrames(readFrames(bytes, places), first, { skip: 0, keep }),
  };
}

// It warns of ALAC and of every other codec that it does not know.
Logging.level = LogLevel.Errors;

/**
 * Opens AAC or ALAC in MP4. The decoder gets AAC as ADTS frames and ALAC in MP4 files of our own, so it never sees
 * values of a hostile container.
 */
export async function openM4a(bytes: ByteWindow, limits: AudioLimits): Promise<PcmSource> {
  assertChunkSizes(bytes);
  const input = new Input({
    source: new CustomSource({
      getSize: () => bytes.sizeBytes,
      read: (start, end) => bytes.read(start, end - start),
      prefetchProfile: 'fileSystem',
      handleUnhandledError: () => undefined,
    }),
    formats: [MP4],
  });
  try {
    const tracks = await input.getTracks();
    if (tracks.some((track) => track.type === 'video'))
      throw new AudioRefused({ code: 'UnsupportedAudioType' });
    const track = await input.getPrimaryAudioTrack();
    if (!track) throw unreadable('there is no sound in the file');
    const sink = new EncodedPacketSink(track);
    const durationS = await track.computeDuration();
    const cookie = (await track.getInternalCodecId()) === 'alac' ? alacCookie(bytes) : undefined;
    if (cookie) {
      const stream = readCookie(cookie);
      const { sampleRateHz, channels, bitDepth } = stream;
      const frames = Math.max(0, Math.round(durationS * sampleRateHz));
      assertDuration(frames, sampleRateHz, limits);
      return {
        format: 'm4a',
        contentType: 'audio/mp4',
        sampleRateHz,
        channels,
        bitDepth,
        expectedFrames: frames,
        hasExactLength: true,
        blocks: () => decodeAlac(packetsOf(sink), stream, frames),
        close: () => input.dispose(),
      };
    }
    if ((await track.getCodec()) !== 'aac') throw unreadable('only AAC and ALAC are supported in M4A files');
    const config = await track.getDecoderConfig();
    const stream = readAudioSpecificConfig(new Uint8Array(config?.description as Uint8Array));
    const firstPacket = await sink.getFirstPacket();
    if (!firstPacket) throw new AudioRefused({ code: 'AudioEmpty' });
    const skip = Math.max(0, Math.round(-firstPacket.timestamp * stream.sampleRateHz));
    const keep = Math.max(0, Math.round(durationS * stream.sampleRateHz));
    assertDuration(keep, stream.sampleRateHz, limits);
    return {
      ...description(stream),
      format: 'm4a',
      contentType: 'audio/mp4',
      expectedFrames: keep,
      hasExactLength: true,
      blocks: () => decodeFrames(adtsFrames(sink, stream), stream, { skip, keep }),
      close: () => input.dispose(),
    };
  } catch (error) {
    input.dispose();
    if (error instanceof AudioRefused) throw error;
    throw unreadable('the file is damaged');
  }
}

/** The boxes around the packet tables: `stsc` counts the packets of each chunk, `stsz` and `stz2` have their sizes. */
const PARENTS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

/** Refuses a chunk with more packets than the file has sizes: mediabunny would loop over it two billion times. */
function assertChunkSizes(bytes: ByteWindow): void {
  let inOneChunk = 0;
  let withSize = 0;
  for (const box of boxesOf(bytes)) {
    if (box.type === 'stsc')
      for (let entry = box.contentAt + 8; entry + 12 <= box.endsAt; entry += 12)
        inOneChunk = Math.max(inOneChunk, bytes.view(entry, 12).readUInt32BE(4));
    if (box.type === 'stsz')
      withSize += hasOneSize(bytes, box) ? Infinity : (box.endsAt - box.contentAt - 12) / 4;
    // Compact table: each size takes at least half a byte.
    if (box.type === 'stz2') withSize += (box.endsAt - box.contentAt - 12) * 2;
  }
  if (inOneChunk > withSize) throw unreadable('the file is damaged');
}

/** Yields the boxes of the file and those in `PARENTS`. None ends after the file. */
function* boxesOf(bytes: ByteWindow): Generator<Box> {
  for (let at = 0; at + 8 <= bytes.sizeBytes;) {
    const box = readBox(bytes, at);
    yield { ...box, endsAt: Math.min(box.endsAt, bytes.sizeBytes) };
    at = PARENTS.has(box.type) ? box.contentAt : box.endsAt;
  }
}

/** An entry of `stsd` has a header of 8 bytes and 28 bytes of its own; the box in it has a header, version and flags. */
const COOKIE_AT = { entry: 8, box: 8 + 8 + 28, cookie: 8 + 8 + 28 + 12 };

function alacCookie(bytes: ByteWindow): Buffer | undefined {
  for (const { type, contentAt } of boxesOf(bytes)) {
    if (type !== 'stsd') continue;
    const isAlac = [COOKIE_AT.entry, COOKIE_AT.box].every(
      (at) => bytes.view(contentAt + at, 8).toString('latin1', 4) === 'alac',
    );
    if (isAlac) return bytes.read(contentAt + COOKIE_AT.cookie, 24);
  }
  return undefined;
}

/** Returns whether all packets have one size. mediabunny then does not loop, so any number of packets is harmless. */
function hasOneSize(bytes: ByteWindow, { contentAt }: Box): boolean {
  const head = bytes.view(contentAt, 8);
  return head.length === 8 && head.readUInt32BE(4) > 0;
}

interface Box {
  type: string;
  contentAt: number;
  endsAt: number;
}

/** Box header of ISO 14496-12: 4 bytes of size, 4 of type. Size 1: 8 more bytes of size; 0: to the end of the file. */
function readBox(bytes: ByteWindow, at: number): Box {
  const head = bytes.view(at, 16);
  const size = head.readUInt32BE(0);
  const isLarge = size === 1 && head.length === 16;
  const contentAt = at + (isLarge ? 16 : 8);
  const endsAt = size === 0 ? bytes.sizeBytes : at + (isLarge ? Number(head.readBigUInt64BE(8)) : size);
  return {
    type: head.toString('latin1', 4, 8),
    contentAt,
    // A box that ends before it starts ends the scan. mediabunny later refuses such a file.
    endsAt: endsAt < contentAt ? bytes.sizeBytes : endsAt,
  };
}

const description = ({ sampleRateHz, channels }: AacStream) => ({ sampleRateHz, channels });

async function* packetsOf(sink: EncodedPacketSink): AsyncGenerator<Uint8Array> {
  const packets = sink.packets();
  for (;;) {
    const next = await packets.next().catch(() => {
      throw unreadable('the file ends early');
    });
    if (next.done) return;
    yield next.value.data;
  }
}

async function* adtsFrames(sink: EncodedPacketSink, stream: AacStream): AsyncGenerator<Uint8Array> {
  for await (const data of packetsOf(sink)) {
    if (data.length + 7 > 0x1fff) throw unreadable('the file is damaged');
    yield Buffer.concat([adtsHeader(stream, data.length), data]);
  }
}

function readAdtsHeader(head: Buffer): (AacStream & Frame) | undefined {
  if (head.length < 7 || head[0] !== 0xff || ((head[1] as number) & 0xf6) !== 0xf0) return undefined;
  const rateIndex = ((head[2] as number) >> 2) & 15;
  const channels = (((head[2] as number) & 1) << 2) | ((head[3] as number) >> 6);
  const lengthBytes = ((head.readUInt32BE(2) & 0x3ffe0) >> 5) | 0;
  const sampleRateHz = SAMPLE_RATES[rateIndex];
  if (!sampleRateHz || channels === 0 || channels > 6 || lengthBytes < 8) return undefined;
  return { ...FRAMES, rateIndex, sampleRateHz, channels, lengthBytes };
}

/** Reads sample rate and channels (ISO 14496-3). ADTS needs the rate before spectral band replication is applied. */
function readAudioSpecificConfig(config: Uint8Array): AacStream {
  const bits = ((config[0] ?? 0) << 8) | (config[1] ?? 0);
  const objectType = bits >> 11;
  const rateIndex = (bits >> 7) & 15;
  const channels = (bits >> 3) & 15;
  const sampleRateHz = SAMPLE_RATES[rateIndex];
  if (![2, 5, 29].includes(objectType) || !sampleRateHz)
    throw unreadable('this kind of AAC is not supported');
  if (channels < 1 || channels > 6) throw unreadable('the number of channels is not supported');
  return { ...FRAMES, rateIndex, sampleRateHz, channels };
}

/** Returns the ADTS header of a packet: AAC-LC, no checksum, one frame. */
function adtsHeader({ rateIndex, channels }: AacStream, dataBytes: number): Buffer {
  const length = dataBytes + 7;
  return Buffer.from([
    0xff,
    0xf1,
    (1 << 6) | (rateIndex << 2) | (channels >> 2),
    ((channels & 3) << 6) | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  ]);
}
