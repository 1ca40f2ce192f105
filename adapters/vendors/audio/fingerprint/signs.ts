import FFT from 'fft.js';
import { ANALYSIS_RATE_HZ } from '../../../../domain/catalogue/sound/mono-track.js';

const WINDOW = 2_048;
export const HOP = 512;
const BANDS = 33;
const LOWEST_HZ = 150;
const HIGHEST_HZ = 6_000;
/** A sign (one bit of a fingerprint) compares a frame with the frame this many frames earlier. */
const APART = 2;
/** Share of the loudest frame's power. A quieter frame counts as noise of the encoder. */
const HEARD = 1e-5;
/** Share of the loudest frame's power that is added to every band. It hides changes in bands with less power. */
const NOTHING = 1e-8;
/** A frame counts if `FEWEST_RISES` of its signs rest on a change above this. In a steady tone, signs are random. */
const LEAST_RISE = 0.02;
const FEWEST_RISES = 8;
const FEWEST_FRAMES = 6;

/**
 * The fingerprint of a sound, after Haitsma and Kalker. A sign is one bit: does the energy of a band rise or fall,
 * relative to the next band and to a moment before? Each frame has 32 signs from 33 bands, and a flag `heard`: is it
 * loud and lively enough to count? Signs survive changes of loudness, re-encoding and lost treble.
 */
export interface Signs {
  words: Int32Array;
  heard: Uint8Array;
}

/** A fingerprint. `doubts`: the least certain signs in each half (16 bands) of a frame, which encoders change first. */
export interface DoubtedSigns extends Signs {
  doubts: Int32Array;
}
const DOUBTED = 3;
const HALF_BANDS = 16;

const SHAPE = Float64Array.from(
  { length: WINDOW },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / WINDOW),
);
/** The edges of the bands, in bins. */
const EDGES = Array.from(
  { length: BANDS + 1 },
  (_, band) => (LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ) ** (band / BANDS) * WINDOW) / ANALYSIS_RATE_HZ,
);
/** The frequency bins of each band, and the share of each bin that lies in the band. */
const BINS = EDGES.slice(0, BANDS).map((from, band) => {
  const to = EDGES[band + 1] as number;
  const bins: Array<readonly [bin: number, share: number]> = [];
  for (let bin = Math.floor(from); bin < to; bin++)
    bins.push([bin, Math.min(to, bin + 1) - Math.max(from, bin)]);
  return bins;
});

/** Returns the signs of a track at the analysis rate. Treats the track as if silence surrounded it. */
export function signsOf(track: Float32Array): DoubtedSigns {
  const frames = Math.max(0, Math.floor((track.length + WINDOW - HOP) / HOP));
  const { energies, powers, loudest } = energiesOf(track, frames);
  const count = Math.max(0, frames - APART);
  const words = new Int32Array(count);
  const heard = new Uint8Array(count);
  const doubts = new Int32Array(count);
  const rises = new Float64Array(BANDS - 1);
  // The floor is relative to the loudest frame, so that the loudness of the sound does not matter.
  const floor = loudest * NOTHING;
  const logs = energies.map((energy) => Math.log(energy + floor));
  for (let frame = 0; frame < count; frame++) {
    const now = (frame + APART) * BANDS;
    const before = frame * BANDS;
    let word = 0;
    for (let band = 0; band < BANDS - 1; band++) {
      const slope = (logs[now + band] as number) - (logs[now + band + 1] as number);
      const former = (logs[before + band] as number) - (logs[before + band + 1] as number);
      rises[band] = Math.abs(slope - former);
      if (slope > former) word |= 1 << band;
    }
    words[frame] = word;
    doubts[frame] = weakest(rises, 0) | weakest(rises, HALF_BANDS);
    const isLoud = (powers[frame + APART] as number) > loudest * HEARD;
    const isLively = rises.reduce((count, rise) => count + Number(rise > LEAST_RISE), 0) >= FEWEST_RISES;
    heard[frame] = isLoud && isLively ? 1 : 0;
  }
  return { words, heard, doubts };
}

function weakest(rises: Float64Array, from: number): number {
  let bits = 0;
  for (let count = 0; count < DOUBTED; count++) {
    let least = -1;
    for (let band = from; band < from + HALF_BANDS; band++)
      if (!(bits & (1 << band)) && (least < 0 || (rises[band] as number) < (rises[least] as number)))
        least = band;
    bits |= 1 << least;
  }
  return bits;
}

function energiesOf(track: Float32Array, frames: number) {
  const fft = new FFT(WINDOW);
  const spectrum = fft.createComplexArray();
  const frame = new Float64Array(WINDOW);
  const padded = new Float32Array(track.length + 2 * WINDOW);
  padded.set(track, WINDOW / 2);
  const energies = new Float64Array(frames * BANDS);
  const powers = new Float64Array(frames);
  let loudest = 0;
  for (let index = 0; index < frames; index++) {
    let total = 0;
    for (let offset = 0; offset < WINDOW; offset++) {
      const value = (padded[index * HOP + offset] as number) * (SHAPE[offset] as number);
      frame[offset] = value;
      total += value * value;
    }
    fft.realTransform(spectrum, frame);
    let power = 0;
    for (const [band, bins] of BINS.entries()) {
      let energy = 0;
      for (const [bin, share] of bins)
        energy += share * ((spectrum[2 * bin] as number) ** 2 + (spectrum[2 * bin + 1] as number) ** 2);
      energies[index * BANDS + band] = energy;
      power += energy;
    }
    powers[index] = power;
    // Also counts power below the lowest band, because a bass without overtones has power only there.
    loudest = Math.max(loudest, (total * WINDOW) / 2);
  }
  return { energies, powers, loudest };
}

export const heardFrames = ({ heard }: Signs): number => heard.reduce((sum, each) => sum + each, 0);

/** Returns the fingerprint of a sound. Null if too few frames count, as for a beep, a steady tone or a click. */
export function fingerprintOf(track: Float32Array): Uint8Array | null {
  const signs = signsOf(track);
  return heardFrames(signs) < FEWEST_FRAMES ? null : packSigns(signs);
}

/** Returns how many of 32 signs differ. */
export function differing(a: number, b: number): number {
  let bits = a ^ b;
  bits -= (bits >>> 1) & 0x5555_5555;
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** Packs a fingerprint as four bytes per frame, followed by `heard` as one bit per frame. */
function packSigns({ words, heard }: Signs): Uint8Array {
  const bytes = new Uint8Array(words.length * 4 + Math.ceil(words.length / 8));
  const view = new DataView(bytes.buffer);
  for (let frame = 0; frame < words.length; frame++) {
    view.setInt32(frame * 4, words[frame] as number, true);
    const at = words.length * 4 + (frame >> 3);
    if (heard[frame]) bytes[at] = (bytes[at] as number) | (1 << (frame & 7));
  }
  return bytes;
}

export function unpackSigns(bytes: Uint8Array): Signs {
  const frames = Math.floor((bytes.length * 8) / 33);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words = Int32Array.from({ length: frames }, (_, frame) => view.getInt32(frame * 4, true));
  const heard = Uint8Array.from(
    { length: frames },
    (_, frame) => ((bytes[frames * 4 + (frame >> 3)] as number) >> (frame & 7)) & 1,
  );
  return { words, heard };
}
