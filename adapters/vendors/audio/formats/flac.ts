import { OfflineAudioContext } from 'node-web-audio-api';
import type { ByteWindow } from '../byte-window.js';
import { type PcmSource, unreadable } from '../pcm.js';
import { decode } from './frames.js';
import type { OggStream } from './ogg.js';
import { assertShape } from './sample-encodings.js';

const STREAM_INFO_BYTES = 34;
const LAST_BLOCK = 0x80;
/** A frame header without sample number and optional fields has 5 bytes; with all of them, 16. */
const FRAME_HEADER_BYTES = 16;
/** Frames are decoded in runs of about this many samples per channel, so that memory stays bounded. */
const RUN_SAMPLES = 131_072;

interface StreamInfo {
  sampleRateHz: number;
  channels: number;
  bitDepth: number;
  /** 0 if the encoder did not know the length. */
  totalSamples: number;
  /** A FLAC header that is valid before any run of the file's frames. */
  head: Buffer;
}

interface FlacFrame {
  bytes: Buffer;
  samples: number;
}

/** Reads FLAC frame by frame. Every frame has a checksum, so a damaged or incomplete file is always refused. */
export function openFlac(bytes: ByteWindow, startAt: number): PcmSource {
  const info = readStreamInfo(bytes, startAt);
  const { sampleRateHz, channels, bitDepth } = info;
  let expectedFrames = info.totalSamples;
  if (expectedFrames === 0) for (const { samples } of readFrames(bytes, info)) expectedFrames += samples;
  return {
    format: 'flac',
    contentType: 'audio/flac',
    sampleRateHz,
    channels,
    bitDepth,
    expectedFrames,
    hasExactLength: true,
    blocks: () => decodeRuns(readFrames(bytes, info), info, expectedFrames),
  };
}

/** The first packet of FLAC in Ogg: a signature, a version, the number of header packets, then a FLAC file's start. */
const OGG_HEAD_BYTES = 9;

/** Reads FLAC in Ogg, where each packet is a frame. */
export function openOggFlac(stream: OggStream): PcmSource {
  const { value: first } = stream.packets().next();
  const info = streamInfoOf(first?.subarray(OGG_HEAD_BYTES + 8, OGG_HEAD_BYTES + 8 + STREAM_INFO_BYTES));
  const { sampleRateHz, channels, bitDepth } = info;
  let expectedFrames = info.totalSamples;
  if (expectedFrames === 0) for (const { samples } of framesOf(stream)) expectedFrames += samples;
  return {
    format: 'ogg',
    contentType: 'audio/ogg',
    sampleRateHz,
    channels,
    bitDepth,
    expectedFrames,
    hasExactLength: true,
    blocks: () => decodeRuns(framesOf(stream), info, expectedFrames),
  };
}

function* framesOf(stream: OggStream): Generator<FlacFrame> {
  for (const bytes of stream.packets()) {
    // Packets of metadata start with their type, frames with a pattern that no type has.
    if (bytes[0] !== 0xff) continue;
    const samples = samplesOfFrame(bytes.subarray(0, FRAME_HEADER_BYTES));
    if (samples === undefined) throw unreadable('the file is damaged');
    yield { bytes, samples };
  }
}

function readStreamInfo(bytes: ByteWindow, startAt: number): StreamInfo & { audioAt: number } {
  let at = startAt + 4;
  let block: Buffer | undefined;
  for (let isLast = false; !isLast;) {
    const header = bytes.view(at, 4);
    if (header.length < 4) throw unreadable('the header is damaged');
    isLast = (header.readUInt8(0) & LAST_BLOCK) !== 0;
    const type = header.readUInt8(0) & 0x7f;
    const size = header.readUIntBE(1, 3);
    if (type === 0) block ??= Buffer.from(bytes.view(at + 4, size));
    at += 4 + size;
  }
  return { ...streamInfoOf(block), audioAt: at };
}

function streamInfoOf(block: Buffer | undefined): StreamInfo {
  if (block?.length !== STREAM_INFO_BYTES) throw unreadable('the header is damaged');
  const packed = block.readUInt32BE(10);
  const info = {
    sampleRateHz: packed >>> 12,
    channels: ((packed >>> 9) & 7) + 1,
    bitDepth: ((packed >>> 4) & 31) + 1,
    totalSamples: (packed & 15) * 2 ** 32 + block.readUInt32BE(14),
  };
  assertShape(info.channels, info.sampleRateHz);
  // Clears the length, the frame sizes and the checksum, because they describe the whole file and this header
  // precedes only a part of it.
  block.fill(0, 4, 10);
  block.writeUInt8(block.readUInt8(13) & 0xf0, 13);
  block.fill(0, 14);
  const head = Buffer.concat([Buffer.from('fLaC'), Buffer.of(LAST_BLOCK, 0, 0, STREAM_INFO_BYTES), block]);
  return { ...info, head };
}

/** Decodes frames in runs. @throws AudioRefused if the frames and the header disagree about the length */
async function* decodeRuns(
  frames: Iterable<FlacFrame>,
  { head, sampleRateHz }: Pick<StreamInfo, 'head' | 'sampleRateHz'>,
  expectedFrames: number,
): ReturnType<PcmSource['blocks']> {
  const context = new OfflineAudioContext(1, 1, sampleRateHz);
  let left = expectedFrames;
  let run: FlacFrame[] = [];
  let inRun = 0;
  const decoded = async (): Promise<Float32Array[]> => {
    const audio = await decode(context, Buffer.concat([head, ...run.map((frame) => frame.bytes)]));
    if (audio.length !== inRun) throw unreadable('the file is damaged');
    left -= inRun;
    run = [];
    inRun = 0;
    return Array.from({ length: audio.numberOfChannels }, (_, channel) => audio.getChannelData(channel));
  };
  for (const frame of frames) {
    run.push(frame);
    inRun += frame.samples;
    if (inRun > left) throw unreadable('the header contradicts the audio');
    if (inRun >= RUN_SAMPLES) yield await decoded();
  }
  if (inRun > 0) yield await decoded();
  if (left > 0) throw unreadable('the file ends early');
}

/** Yields all frames. A frame ends where its checksum fits and the next frame, a tag or the end of the file follows. */
function* readFrames(
  bytes: ByteWindow,
  { audioAt, bitDepth, channels }: ReturnType<typeof readStreamInfo>,
): Generator<FlacFrame> {
  // A frame without compression has this size. No frame is larger, because an encoder would then not compress it.
  const limitBytes = (samples: number) =>
    64 + Math.ceil(((bitDepth + 1) * samples * channels) / 8) + channels;
  for (let at = audioAt; at < bytes.sizeBytes && !isTagAt(bytes, at);) {
    const samples = samplesOfFrame(bytes.view(at, FRAME_HEADER_BYTES));
    if (samples === undefined) throw unreadable('the file is damaged');
    const length = frameLength(bytes, at, limitBytes(samples));
    if (length === undefined)
      throw unreadable(
        at + limitBytes(samples) > bytes.sizeBytes ? 'the file ends early' : 'the file is damaged',
      );
    yield { bytes: Buffer.from(bytes.view(at, length)), samples };
    at += length;
  }
}

function frameLength(bytes: ByteWindow, at: number, limitBytes: number): number | undefined {
  const window = bytes.view(at, limitBytes + FRAME_HEADER_BYTES);
  let checksum = 0;
  for (let length = 0; length < window.length;) {
    checksum = ((checksum << 8) & 0xffff) ^ (CRC16[(checksum >> 8) ^ (window[length] as number)] as number);
    length++;
    if (checksum !== 0 || length < 8) continue;
    if (length === window.length) return at + length === bytes.sizeBytes ? length : undefined;
    const next = window.subarray(length, length + FRAME_HEADER_BYTES);
    if (samplesOfFrame(next) !== undefined || isTag(next)) return length;
  }
  return undefined;
}

/** Tags that other programs append: ID3v1, ID3v2, APEv2 and Lyrics3. */
const isTag = (head: Buffer): boolean => /^(TAG|ID3|APETAGEX|LYRICS)/.test(head.toString('latin1', 0, 8));
const isTagAt = (bytes: ByteWindow, at: number): boolean => isTag(bytes.view(at, 8));

/** Returns the block size of a frame by its header (RFC 9639, section 9.1). Undefined if it is no valid header. */
function samplesOfFrame(head: Buffer): number | undefined {
  const [sync = 0, strategy = 0, sizes = 0, layout = 0, number = 0] = head;
  if (head.length < 6 || sync !== 0xff || (strategy & 0xfe) !== 0xf8) return undefined;
  const [sizeCode, rateCode, channelCode] = [sizes >> 4, sizes & 15, layout >> 4];
  if (sizeCode === 0 || rateCode === 15 || channelCode > 10 || (layout & 1) === 1) return undefined;
  const numberBytes = number < 0x80 ? 1 : Math.clz32(~(number << 24));
  const sizeAt = 4 + numberBytes;
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const checksumAt = sizeAt + sizeBytes + (rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0);
  if (checksumAt >= head.length || crc8(head.subarray(0, checksumAt)) !== head[checksumAt]) return undefined;
  if (sizeBytes > 0) return head.readUIntBE(sizeAt, sizeBytes) + 1;
  if (sizeCode === 1) return 192;
  return sizeCode < 6 ? 576 << (sizeCode - 2) : 256 << (sizeCode - 8);
}

const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => {
  let rest = byte << 8;
  for (let bit = 0; bit < 8; bit++) rest = (rest << 1) ^ (rest & 0x8000 ? 0x8005 : 0);
  return rest;
});

function crc8(bytes: Buffer): number {
  let rest = 0;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = ((rest << 1) ^ (rest & 0x80 ? 0x07 : 0)) & 0xff;
  }
  return rest;
}
