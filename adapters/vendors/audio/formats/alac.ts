import { OfflineAudioContext } from 'node-web-audio-api';
import { unreadable } from '../pcm.js';
import { decode } from './frames.js';
import { assertShape } from './sample-encodings.js';

/** Packets of 4,096 samples: a run of stereo takes 2 MB. */
const RUN_PACKETS = 64;
const SAMPLES_MAX = 16_384;
const COOKIE_BYTES = 24;

/** What the "magic cookie" of ALAC says. The decoder gets it unchanged. */
export interface AlacStream {
  cookie: Buffer;
  samplesPerPacket: number;
  bitDepth: number;
  channels: number;
  sampleRateHz: number;
}

/** @param cookie the content of the inner `alac` box, after its version and flags */
export function readCookie(cookie: Buffer): AlacStream {
  if (cookie.length < COOKIE_BYTES) throw unreadable('the header is damaged');
  const samplesPerPacket = cookie.readUInt32BE(0);
  const [bitDepth, channels, sampleRateHz] = [
    cookie.readUInt8(5),
    cookie.readUInt8(9),
    cookie.readUInt32BE(20),
  ];
  assertShape(channels, sampleRateHz);
  if (samplesPerPacket < 1 || samplesPerPacket > SAMPLES_MAX || ![16, 20, 24, 32].includes(bitDepth))
    throw unreadable('the header is damaged');
  return { cookie: cookie.subarray(0, COOKIE_BYTES), samplesPerPacket, bitDepth, channels, sampleRateHz };
}

/**
 * Decodes packets in runs, each as an MP4 file of our own: the decoder reads ALAC only in MP4, and so never sees tables
 * of a hostile file. Yields `frames` samples.
 */
export async function* decodeAlac(
  packets: AsyncIterable<Uint8Array>,
  stream: AlacStream,
  frames: number,
): AsyncGenerator<Float32Array[]> {
  const context = new OfflineAudioContext(1, 1, stream.sampleRateHz);
  let left = frames;
  for await (const run of runsOf(packets, stream)) {
    const audio = await decode(context, mp4Of(run, stream));
    if (audio.length > run.length * stream.samplesPerPacket || audio.numberOfChannels !== stream.channels)
      throw unreadable('the header contradicts the audio');
    // The decoder skips packets that it cannot read, here all of a run.
    if (audio.length === 0) continue;
    const length = Math.min(audio.length, left);
    left -= length;
    yield Array.from({ length: stream.channels }, (_, channel) =>
      audio.getChannelData(channel).slice(0, length),
    );
    if (left === 0) return;
  }
  if (left > 0) throw unreadable('the file ends early');
}

async function* runsOf(
  packets: AsyncIterable<Uint8Array>,
  { samplesPerPacket, channels }: AlacStream,
): AsyncGenerator<Uint8Array[]> {
  // An uncompressed packet has at most four bytes for each sample, and a header.
  const bytesMax = samplesPerPacket * channels * 4 + 1_024;
  let run: Uint8Array[] = [];
  for await (const packet of packets) {
    if (packet.length > bytesMax) throw unreadable('the file is damaged');
    run.push(packet);
    if (run.length < RUN_PACKETS) continue;
    yield run;
    run = [];
  }
  if (run.length > 0) yield run;
}

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
};

function box(type: string, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([numbers(content.length + 8), Buffer.from(type, 'latin1'), content]);
}

/** Returns an MP4 file (ISO 14496-12) with the boxes that the decoder needs, and all packets in one chunk. */
function mp4Of(packets: readonly Uint8Array[], stream: AlacStream): Buffer {
  const { cookie, samplesPerPacket, bitDepth, channels, sampleRateHz } = stream;
  const duration = packets.length * samplesPerPacket;
  const matrix = numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const entry = Buffer.alloc(28);
  entry.writeUInt16BE(1, 6);
  entry.writeUInt16BE(channels, 16);
  entry.writeUInt16BE(bitDepth, 18);
  entry.writeUInt32BE(sampleRateHz < 65_536 ? sampleRateHz * 65_536 : 0, 24);
  const tablesAt = (dataAt: number) =>
    box(
      'stbl',
      box('stsd', numbers(0, 1), box('alac', entry, box('alac', numbers(0), cookie))),
      box('stts', numbers(0, 1, packets.length, samplesPerPacket)),
      box('stsc', numbers(0, 1, 1, packets.length, 1)),
      box('stsz', numbers(0, 0, packets.length, ...packets.map(({ length }) => length))),
      box('stco', numbers(0, 1, dataAt)),
    );
  const movieAt = (dataAt: number) =>
    box(
      'moov',
      box(
        'mvhd',
        numbers(0, 0, 0, sampleRateHz, duration, 0x10000, 0x1000000, 0, 0),
        matrix,
        numbers(0, 0, 0, 0, 0, 0, 2),
      ),
      box(
        'trak',
        box('tkhd', numbers(7, 0, 0, 1, 0, duration, 0, 0, 0, 0x1000000), matrix, numbers(0, 0)),
        box(
          'mdia',
          box('mdhd', numbers(0, 0, 0, sampleRateHz, duration, 0x55c40000)),
          box('hdlr', numbers(0, 0), Buffer.from('soun'), numbers(0, 0, 0), Buffer.of(0)),
          box(
            'minf',
            box('smhd', numbers(0, 0)),
            box('dinf', box('dref', numbers(0, 1), box('url ', numbers(1)))),
            tablesAt(dataAt),
          ),
        ),
      ),
    );
  const type = box('ftyp', Buffer.from('M4A '), numbers(0), Buffer.from('M4A isom'));
  const dataAt = type.length + movieAt(0).length + 8;
  return Buffer.concat([type, movieAt(dataAt), box('mdat', ...packets)]);
}
