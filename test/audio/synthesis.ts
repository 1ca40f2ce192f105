/** Generates sounds with known properties for the audio tests. */
// Read once: in a test file each look-up of a global is slow.
const { sin, exp, round, max, min, floor, PI, imul } = Math;

export const RATE = 44_100;

/** Returns numbers in [0, 1) that a seed reproduces. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function sine(frequencyHz: number, seconds: number, amplitude: number, rateHz = RATE): Float32Array {
  return Float32Array.from(
    { length: round(seconds * rateHz) },
    (_, index) => amplitude * sin((2 * PI * frequencyHz * index) / rateHz),
  );
}

/** Four-four: kick on 1 and 3, snare on 2 and 4, hats in eighths; cut to whole bars. */
export function drumLoop(bpm: number, bars: number, seed = 1): Float32Array {
  const random = seeded(seed);
  const beatSeconds = 60 / bpm;
  const out = new Float32Array(round(bars * 4 * beatSeconds * RATE));
  const hit = (atSeconds: number, seconds: number, sample: (t: number) => number): void => {
    const from = round(atSeconds * RATE);
    for (let index = 0; index < seconds * RATE && from + index < out.length; index++)
      out[from + index] = (out[from + index] as number) + sample(index / RATE);
  };
  for (let eighth = 0; eighth < bars * 8; eighth++) {
    const at = (eighth * beatSeconds) / 2;
    const inBar = eighth % 8;
    if (inBar === 0 || inBar === 4)
      hit(at, 0.25, (t) => 0.8 * exp(-t * 18) * sin(2 * PI * (50 * t + 6 * (1 - exp(-t * 30)))));
    if (inBar === 2 || inBar === 6)
      hit(at, 0.2, (t) => exp(-t * 25) * (0.4 * (random() * 2 - 1) + 0.3 * sin(2 * PI * 190 * t)));
    hit(at, 0.05, (t) => (inBar % 2 === 0 ? 0.18 : 0.1) * exp(-t * 90) * (random() * 2 - 1));
  }
  return out;
}

/** Triads with overtones, one per two beats: I–IV–V–I in major, i–iv–v–i in minor. */
export function cadence(tonicMidi: number, scale: 'Major' | 'Minor', seconds: number): Float32Array {
  const third = scale === 'Major' ? 4 : 3;
  const chords = [0, 5, 7, 0].map((root) => [root, root + third, root + 7]);
  const out = new Float32Array(round(seconds * RATE));
  const chordFrames = out.length / chords.length;
  for (let index = 0; index < out.length; index++) {
    const chord = chords[min(chords.length - 1, floor(index / chordFrames))] as number[];
    const t = index / RATE;
    const inChord = (index % chordFrames) / RATE;
    for (const degree of chord) {
      const frequencyHz = 440 * 2 ** ((tonicMidi + degree - 69) / 12);
      for (let partial = 1; partial <= 4; partial++)
        out[index] =
          (out[index] as number) +
          (0.1 / partial ** 1.5) * exp(-inChord * 1.2) * sin(2 * PI * frequencyHz * partial * t);
    }
  }
  return out;
}

export interface WavOptions {
  rateHz?: number;
  bitDepth?: 8 | 16 | 24 | 32 | 64;
  isFloat?: boolean;
  isExtensible?: boolean;
  /** Replaces the true size of the data chunk. */
  claimedDataBytes?: number;
  /** Chunks between format and data. */
  extraChunk?: Buffer;
}

export function wavFile(channels: readonly Float32Array[], options: WavOptions = {}): Buffer {
  const { rateHz = RATE, bitDepth = 16, isFloat = false, isExtensible = false } = options;
  const frames = channels[0]?.length ?? 0;
  const sampleBytes = bitDepth / 8;
  const data = Buffer.alloc(frames * channels.length * sampleBytes);
  for (let frame = 0; frame < frames; frame++)
    for (const [index, samples] of channels.entries()) {
      const at = (frame * channels.length + index) * sampleBytes;
      const value = samples[frame] as number;
      if (isFloat && bitDepth === 64) data.writeDoubleLE(value, at);
      else if (isFloat) data.writeFloatLE(value, at);
      else if (bitDepth === 8) data.writeUInt8(max(0, min(255, round(value * 128 + 128))), at);
      else data.writeIntLE(quantise(value, bitDepth), at, sampleBytes);
    }
  const tag = isFloat ? 3 : 1;
  const format = Buffer.alloc(isExtensible ? 40 : 16);
  format.writeUInt16LE(isExtensible ? 0xfffe : tag, 0);
  format.writeUInt16LE(channels.length, 2);
  format.writeUInt32LE(rateHz, 4);
  format.writeUInt32LE(rateHz * channels.length * sampleBytes, 8);
  format.writeUInt16LE(channels.length * sampleBytes, 12);
  format.writeUInt16LE(bitDepth, 14);
  if (isExtensible) {
    format.writeUInt16LE(22, 16);
    format.writeUInt16LE(bitDepth, 18);
    format.writeUInt32LE(3, 20);
    Buffer.from(`0${tag}00000000001000800000aa00389b71`, 'hex').copy(format, 24);
  }
  const body = Buffer.concat([
    chunk('fmt ', format),
    ...(options.extraChunk ? [chunk('LIST', options.extraChunk)] : []),
    chunk('data', data, options.claimedDataBytes),
  ]);
  const riff = Buffer.from('RIFF0000WAVE', 'latin1');
  riff.writeUInt32LE((body.length + 4) >>> 0, 4);
  return Buffer.concat([riff, body]);
}

export interface AiffOptions {
  rateHz?: number;
  bitDepth?: number;
  /** Makes an AIFF-C. */
  compression?: string;
  /** Puts the sound before the chunk that describes it. */
  isSoundFirst?: boolean;
}

export function aiffFile(channels: readonly Float32Array[], options: AiffOptions = {}): Buffer {
  const { rateHz = 22_050, bitDepth = 16, compression, isSoundFirst = false } = options;
  const frames = channels[0]?.length ?? 0;
  const sampleBytes = Math.ceil(bitDepth / 8);
  const data = Buffer.alloc(8 + frames * channels.length * sampleBytes);
  for (let frame = 0; frame < frames; frame++)
    for (const [index, samples] of channels.entries()) {
      const at = 8 + (frame * channels.length + index) * sampleBytes;
      const value = samples[frame] as number;
      const whole = () => quantise(value, sampleBytes * 8);
      if (compression?.endsWith('64')) data.writeDoubleBE(value, at);
      else if (compression?.endsWith('32')) data.writeFloatBE(value, at);
      else if (compression === 'raw ') data.writeUInt8(whole() + 128, at);
      else if (compression === 'sowt') data.writeIntLE(whole(), at, sampleBytes);
      else data.writeIntBE(whole(), at, sampleBytes);
    }
  const common = Buffer.alloc(compression ? 24 : 18);
  common.writeUInt16BE(channels.length, 0);
  common.writeUInt32BE(frames, 2);
  common.writeUInt16BE(bitDepth, 6);
  // An 80-bit number whose fraction is the rate, shifted until its highest bit is set.
  const zeros = Math.clz32(rateHz);
  common.writeUInt16BE(16_383 + 31 - zeros, 8);
  common.writeUInt32BE((rateHz << zeros) >>> 0, 10);
  if (compression) common.write(compression, 18, 'latin1');
  const chunks = [iffChunk('COMM', common), iffChunk('SSND', data)];
  const body = Buffer.concat(isSoundFirst ? chunks.toReversed() : chunks);
  const head = Buffer.from(`FORM0000${compression ? 'AIFC' : 'AIFF'}`, 'latin1');
  head.writeUInt32BE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

function iffChunk(id: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32BE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function quantise(value: number, bitDepth: number): number {
  const scale = 2 ** (bitDepth - 1);
  return max(-scale, min(scale - 1, round(value * scale)));
}

function chunk(id: string, body: Buffer, claimedBytes = body.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(claimedBytes, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

/** Returns noise through a wandering filter, so that each seed is a different sound. */
export function rustle(seconds: number, seed: number): Float32Array {
  const random = seeded(seed);
  let [low, bend] = [0, 0.1];
  return Float32Array.from({ length: seconds * RATE }, (_, index) => {
    if (index % 2_000 === 0) bend = 0.02 + 0.6 * random();
    low += bend * (random() * 2 - 1 - low);
    return low;
  });
}
