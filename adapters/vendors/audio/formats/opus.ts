import type { OpusDecoder } from 'opus-decoder';
import { type PcmSource, unreadable } from '../pcm.js';
import { lengthOf, type OggStream } from './ogg.js';
import { assertShape } from './sample-encodings.js';

/** Opus always decodes to this rate; the rate in its header is only that of the encoder's input. */
const RATE_HZ = 48_000;
const HEADER_PACKETS = 2;
const RUN_PACKETS = 64;
/** The decoder reserves this much per channel, which is 256 kbit/s in packets of 120 ms. */
const PACKET_CHANNEL_BYTES = 3_840;

const SILK_MS = [10, 20, 40, 60] as const;
const HYBRID_MS = [10, 20, 10, 20] as const;
const CELT_MS = [2.5, 5, 10, 20] as const;
/** The lengths of frames by the mode of their packet. */
const FRAMES_MS = [SILK_MS, SILK_MS, SILK_MS, HYBRID_MS, CELT_MS, CELT_MS, CELT_MS, CELT_MS];

interface OpusHead {
  channels: number;
  /** The samples that a decoder drops at the start. */
  skip: number;
  gain: number;
  streams: { streamCount: number; coupledStreamCount: number; channelMappingTable: number[] };
}

/** Reads Opus with libopus as WebAssembly, because node-web-audio-api has no Opus. */
export function openOpus(stream: OggStream): PcmSource {
  const head = readHead(stream.packets().next().value as Buffer);
  const { channels, skip } = head;
  assertShape(channels, RATE_HZ);
  const frames = Math.max(0, lengthOf(stream, samplesInFirst(stream)) - skip);
  return {
    format: 'opus',
    contentType: 'audio/ogg',
    sampleRateHz: RATE_HZ,
    channels,
    expectedFrames: frames,
    hasExactLength: true,
    blocks: () => decodePackets(stream, head, frames),
  };
}

function samplesInFirst({ first, packets }: OggStream): number {
  if (first.packets <= HEADER_PACKETS) return first.granule;
  let samples = 0;
  let read = 0;
  for (const packet of packets()) {
    if (read++ === first.packets) break;
    if (read > HEADER_PACKETS) samples += samplesOf(packet);
  }
  return samples;
}

/** Returns the samples of a packet by its first bytes (RFC 6716, section 3.1). */
function samplesOf([head = 0, count = 0]: Buffer): number {
  const frameMs = (FRAMES_MS[head >> 5] as readonly number[])[(head >> 3) & 3] as number;
  const frames = [1, 2, 2, count & 63][head & 3] as number;
  return (frames * frameMs * RATE_HZ) / 1_000;
}

/** Reads the identification header (RFC 7845, section 5.1). */
function readHead(packet: Buffer): OpusHead {
  if (packet.length < 19 || packet.readUInt8(8) >> 4 !== 0) throw unreadable('the header is damaged');
  const channels = packet.readUInt8(9);
  const family = packet.readUInt8(18);
  const described = {
    channels,
    skip: packet.readUInt16LE(10),
    gain: 10 ** (packet.readInt16LE(16) / 256 / 20),
  };
  if (family === 0 && channels <= 2) {
    const channelMappingTable = [0, 1].slice(0, channels);
    return {
      ...described,
      streams: { streamCount: 1, coupledStreamCount: channels - 1, channelMappingTable },
    };
  }
  if (family !== 1 || channels > 8) throw unreadable('this arrangement of Opus channels is not supported');
  if (packet.length < 21 + channels) throw unreadable('the header is damaged');
  const [streamCount, coupledStreamCount] = [packet.readUInt8(19), packet.readUInt8(20)];
  const channelMappingTable = [...packet.subarray(21, 21 + channels)];
  const decodedChannels = streamCount + coupledStreamCount;
  if (
    streamCount === 0 ||
    coupledStreamCount > streamCount ||
    streamCount > channels ||
    channelMappingTable.some((channel) => channel >= decodedChannels)
  )
    throw unreadable('the header is damaged');
  return { ...described, streams: { streamCount, coupledStreamCount, channelMappingTable } };
}

async function* decodePackets(
  stream: OggStream,
  { channels, skip, gain, streams }: OpusHead,
  frames: number,
): ReturnType<PcmSource['blocks']> {
  const decoder = await newDecoder({ channels, ...streams });
  try {
    let [toSkip, left] = [skip, frames];
    for (const run of runsOf(stream, PACKET_CHANNEL_BYTES * channels)) {
      const { channelData, samplesDecoded, errors } = decoder.decodeFrames(run);
      if (errors.length > 0) throw unreadable('the file is damaged');
      const from = Math.min(toSkip, samplesDecoded);
      const to = Math.min(samplesDecoded, from + left);
      toSkip -= from;
      left -= to - from;
      if (to > from) yield channelData.map((samples) => amplified(samples.slice(from, to), gain));
      if (left === 0) return;
    }
    throw unreadable('the file ends early');
  } finally {
    decoder.free();
  }
}

/** Loads the decoder only when a file needs it: its WebAssembly takes memory in each worker. */
async function newDecoder(options: {
  channels: number;
  streamCount: number;
  coupledStreamCount: number;
  channelMappingTable: number[];
}): Promise<OpusDecoder<typeof RATE_HZ>> {
  const { OpusDecoder } = await import('opus-decoder');
  const decoder = new OpusDecoder({ ...options, preSkip: 0, sampleRate: RATE_HZ } as const);
  await decoder.ready;
  return decoder;
}

function* runsOf(stream: OggStream, limitBytes: number): Generator<Uint8Array[]> {
  let run: Uint8Array[] = [];
  let header = HEADER_PACKETS;
  for (const packet of stream.packets()) {
    if (header-- > 0) continue;
    if (packet.length === 0 || packet.length > limitBytes) throw unreadable('the file is damaged');
    run.push(packet);
    if (run.length < RUN_PACKETS) continue;
    yield run;
    run = [];
  }
  if (run.length > 0) yield run;
}

function amplified(samples: Float32Array, gain: number): Float32Array {
  for (let index = 0; index < samples.length; index++) {
    const value = (samples[index] as number) * gain;
    samples[index] = value >= -8 && value <= 8 ? value : 0;
  }
  return samples;
}
