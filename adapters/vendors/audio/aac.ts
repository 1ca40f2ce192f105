import { EncodedPacketSink, FilePathSource, Input, MP4 } from 'mediabunny';
import type { ByteWindow } from './byte-window.js';
import { decodeFrames, type FrameRun } from './compressed.js';
import { AudioRefused, type AudioLimits, type PcmSource, assertDuration, unreadable } from './pcm.js';

const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
const FRAME_SAMPLES = 1_024;
const RUN_FRAMES = 1_000;
/** AAC overlaps each frame with the one before. */
const PRIMING_FRAMES = 3;

interface Stream {
  rateIndex: number;
  sampleRateHz: number;
  channels: number;
}

/** Reads a bare AAC stream (ADTS), counting every frame. */
export function openAdts(bytes: ByteWindow): PcmSource {
  const frames: Array<{ at: number; length: number }> = [];
  let stream: Stream | undefined;
  let lostBytes = 0;
  for (let at = 0; at + 7 <= bytes.sizeBytes;) {
    const frame = readAdtsHeader(bytes.view(at, 7));
    const fits = frame && at + frame.lengthBytes <= bytes.sizeBytes;
    if (!frame || !fits || (stream && frame.sampleRateHz !== stream.sampleRateHz)) {
      at++;
      lostBytes++;
      continue;
    }
    stream ??= frame;
    frames.push({ at, length: frame.lengthBytes });
    at += frame.lengthBytes;
  }
  if (!stream) throw unreadable('there is no sound in the file');
  if (lostBytes > bytes.sizeBytes / 2) throw unreadable('the file is damaged');
  const total = frames.length * FRAME_SAMPLES;
  const packets = async function* () {
    for (const { at, length } of frames) yield bytes.read(at, length);
  };
  return source('aac', 'audio/aac', stream, total, () =>
    decodeFrames(runs(packets()), stream, { skip: 0, keep: total }),
  );
}

/**
 * Reads AAC in an MP4 file. The decoder cannot read MP4, and the container is where lies live; so the packets
 * are taken out one by one and decoded as an ADTS stream.
 */
export async function openM4a(path: string, limits: AudioLimits): Promise<PcmSource> {
  const input = new Input({
    source: new FilePathSource(path, { handleUnhandledError: () => undefined }),
    formats: [MP4],
  });
  try {
    const tracks = await input.getTracks();
    if (tracks.some((track) => track.type === 'video'))
      throw new AudioRefused({ code: 'UnsupportedAudioType' });
    const track = await input.getPrimaryAudioTrack();
    if (!track) throw unreadable('there is no sound in the file');
    if ((await track.getCodec()) !== 'aac') throw unreadable('only AAC is supported in .m4a files');
    const config = await track.getDecoderConfig();
    const stream = readAudioSpecificConfig(new Uint8Array(config?.description as Uint8Array));
    const sink = new EncodedPacketSink(track);
    const durationS = await track.computeDuration();
    const firstPacket = await sink.getFirstPacket();
    if (!firstPacket) throw new AudioRefused({ code: 'AudioEmpty' });
    const skip = Math.max(0, Math.round(-firstPacket.timestamp * stream.sampleRateHz));
    const keep = Math.max(0, Math.round(durationS * stream.sampleRateHz));
    assertDuration(keep, stream.sampleRateHz, limits);
    const blocks = () => decodeFrames(runs(adtsPackets(sink, stream)), stream, { skip, keep });
    return { ...source('m4a', 'audio/mp4', stream, keep, blocks), close: () => input.dispose() };
  } catch (error) {
    input.dispose();
    if (error instanceof AudioRefused) throw error;
    throw unreadable('the file is damaged');
  }
}

function source(
  format: 'aac' | 'm4a',
  contentType: string,
  stream: Stream,
  expectedFrames: number,
  blocks: PcmSource['blocks'],
): PcmSource {
  const { sampleRateHz, channels } = stream;
  // Only the container knows how much silence the encoder added.
  const hasExactLength = format === 'm4a';
  return {
    format,
    contentType,
    codec: 'AAC',
    sampleRateHz,
    channels,
    expectedFrames,
    hasExactLength,
    blocks,
  };
}

async function* adtsPackets(sink: EncodedPacketSink, stream: Stream): AsyncGenerator<Uint8Array> {
  const packets = sink.packets();
  for (;;) {
    const next = await packets.next().catch(() => {
      throw unreadable('the file ends early');
    });
    if (next.done) return;
    const { data } = next.value;
    if (data.length + 7 > 0x1fff) throw unreadable('the file is damaged');
    yield Buffer.concat([adtsHeader(stream, data.length), data]);
  }
}

async function* runs(packets: AsyncIterable<Uint8Array>): AsyncGenerator<FrameRun> {
  let priming: Uint8Array[] = [];
  let frames: Uint8Array[] = [];
  for await (const packet of packets) {
    frames.push(packet);
    if (frames.length < RUN_FRAMES) continue;
    yield { bytes: Buffer.concat([...priming, ...frames]), samples: frames.length * FRAME_SAMPLES };
    priming = frames.slice(-PRIMING_FRAMES);
    frames = [];
  }
  if (frames.length > 0)
    yield { bytes: Buffer.concat([...priming, ...frames]), samples: frames.length * FRAME_SAMPLES };
}

function readAdtsHeader(head: Buffer): (Stream & { lengthBytes: number }) | undefined {
  if (head.length < 7 || head[0] !== 0xff || ((head[1] as number) & 0xf6) !== 0xf0) return undefined;
  const rateIndex = ((head[2] as number) >> 2) & 15;
  const channels = (((head[2] as number) & 1) << 2) | ((head[3] as number) >> 6);
  const lengthBytes = ((head.readUInt32BE(2) & 0x3ffe0) >> 5) | 0;
  const sampleRateHz = SAMPLE_RATES[rateIndex];
  if (!sampleRateHz || channels === 0 || channels > 6 || lengthBytes < 8) return undefined;
  return { rateIndex, sampleRateHz, channels, lengthBytes };
}

/** ISO 14496-3: 5 bits of object type, 4 of rate, 4 of channels; enough for the AAC that stores and DAWs write. */
function readAudioSpecificConfig(config: Uint8Array): Stream {
  const bits = ((config[0] ?? 0) << 8) | (config[1] ?? 0);
  const objectType = bits >> 11;
  const rateIndex = (bits >> 7) & 15;
  const channels = (bits >> 3) & 15;
  const sampleRateHz = SAMPLE_RATES[rateIndex];
  if (![2, 5, 29].includes(objectType) || !sampleRateHz)
    throw unreadable('this kind of AAC is not supported');
  if (channels < 1 || channels > 6) throw unreadable('the number of channels is not supported');
  return { rateIndex, sampleRateHz, channels };
}

/** Seven bytes before each packet: AAC-LC, no checksum, one frame. */
function adtsHeader({ rateIndex, channels }: Stream, dataBytes: number): Buffer {
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
