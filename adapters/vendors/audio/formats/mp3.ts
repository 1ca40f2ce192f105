import type { ByteWindow } from '../byte-window.js';
import { decodeFrames, readFrames, scanFrames, type Frame } from './frames.js';
import { type PcmSource, unreadable } from '../pcm.js';

const BITRATES_V1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_V2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES = [44_100, 48_000, 32_000];
/** The decoder needs this many frames before a run, to fill its bit reservoir and its overlap. */
const PRIMING_FRAMES = 30;
/** The silent samples that a decoder adds at the start. The LAME tag counts only those of the encoder. */
const DECODER_DELAY = 529;

interface Mp3Frame extends Frame {
  samples: number;
  sampleRateHz: number;
  channels: number;
  isVersion1: boolean;
}

/**
 * Replaces mediabunny, which keeps the silence that an encoder added, accepts half a file as a whole one, finds frames
 * in cover pictures, and takes 22 times as long (`docs/measurements.md`).
 */
export function openMp3(bytes: ByteWindow, startAt: number): PcmSource {
  const { first, places } = scanFrames<Mp3Frame>(bytes, startAt, (at, first) => {
    const frame = readFrame(bytes.view(at, 4));
    return frame && isSameKind(frame, first) && isConfirmed(bytes, at, frame) ? frame : undefined;
  });
  const tag = readInfoTag(bytes, places[0]?.at ?? startAt, first);
  if (tag) places.shift();
  if (tag?.frames && places.length < tag.frames * 0.98) throw unreadable('the file ends early');
  const { sampleRateHz, channels } = first;
  const totalSamples = places.length * first.samples;
  const skip = tag ? Math.min(tag.delay + DECODER_DELAY, totalSamples) : 0;
  const keep = Math.max(0, totalSamples - skip - (tag ? Math.max(0, tag.padding - DECODER_DELAY) : 0));
  const stream = { sampleRateHz, channels, samplesPerFrame: first.samples, primingFrames: PRIMING_FRAMES };
  return {
    format: 'mp3',
    contentType: 'audio/mpeg',
    sampleRateHz,
    channels,
    expectedFrames: keep,
    hasExactLength: tag !== undefined && tag.delay > 0,
    blocks: () => decodeFrames(readFrames(bytes, places), stream, { skip, keep }),
  };
}

/** Confirms a frame: another frame, a tag or the end must follow, because a sync pattern also occurs by chance. */
function isConfirmed(bytes: ByteWindow, at: number, frame: Mp3Frame): boolean {
  const next = at + frame.lengthBytes;
  if (next === bytes.sizeBytes) return true;
  if (next + 4 > bytes.sizeBytes) return false;
  const head = bytes.view(next, 4);
  const following = readFrame(head);
  return following ? isSameKind(following, frame) : isTag(head);
}

function isTag(head: Buffer): boolean {
  return ['TAG', 'APE', 'ID3', 'LYR'].includes(head.toString('latin1', 0, 3));
}

function isSameKind(frame: Mp3Frame, first: Mp3Frame | undefined): boolean {
  return !first || (frame.sampleRateHz === first.sampleRateHz && frame.channels === first.channels);
}

function readFrame(head: Buffer): Mp3Frame | undefined {
  const [first, second = 0, third = 0, fourth = 0] = head;
  if (head.length < 4 || first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  const version = (second >> 3) & 3; // 3: MPEG-1, 2: MPEG-2, 0: MPEG-2.5
  const layer = (second >> 1) & 3; // 1: Layer III
  const bitrate = (version === 3 ? BITRATES_V1 : BITRATES_V2)[third >> 4];
  const baseRate = SAMPLE_RATES[(third >> 2) & 3];
  if (version === 1 || layer !== 1 || !bitrate || !baseRate) return undefined;
  const sampleRateHz = version === 3 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4;
  const samples = version === 3 ? 1152 : 576;
  const padding = (third >> 1) & 1;
  return {
    lengthBytes: Math.floor(((samples / 8) * bitrate * 1000) / sampleRateHz) + padding,
    samples,
    sampleRateHz,
    channels: fourth >> 6 === 3 ? 1 : 2,
    isVersion1: version === 3,
  };
}

/** Reads the Xing or Info frame. Instead of sound it has the number of frames and the length of the added silence. */
function readInfoTag(bytes: ByteWindow, at: number, first: Mp3Frame) {
  const frame = bytes.view(at, first.lengthBytes);
  const sideBytes = first.isVersion1 ? (first.channels === 1 ? 17 : 32) : first.channels === 1 ? 9 : 17;
  let cursor = 4 + sideBytes;
  const name = frame.toString('latin1', cursor, cursor + 4);
  if ((name !== 'Xing' && name !== 'Info') || frame.length < cursor + 8) return undefined;
  const flags = frame.readUInt32BE(cursor + 4);
  cursor += 8;
  const frames = flags & 1 && frame.length >= cursor + 4 ? frame.readUInt32BE(cursor) : undefined;
  cursor += (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0);
  const isLame =
    frame.length >= cursor + 24 && /^L(AME|avc|avf)/.test(frame.toString('latin1', cursor, cursor + 4));
  const packed = isLame ? frame.readUIntBE(cursor + 21, 3) : 0;
  return { frames, delay: isLame ? packed >> 12 : 0, padding: isLame ? packed & 0xfff : 0 };
}
