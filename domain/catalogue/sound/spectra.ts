/** The rate of the audio that descriptors are made from. */
export const SOUND_RATE_HZ = 22_050;
const WINDOW = 1_024;
export const HOP = 256;
export const BANDS = 40;
const LOWEST_HZ = 40;
const HIGHEST_HZ = 9_000;

/** The power of each band, frame by frame, and the energy of each frame. Bands are equally wide on the mel scale. */
export interface Spectra {
  frames: number;
  bands: Float64Array;
  energies: Float64Array;
}

const mel = (hz: number): number => Math.log1p(hz / 700);
const hertz = (value: number): number => 700 * Math.expm1(value);
const SHAPE = Float64Array.from(
  { length: WINDOW },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / WINDOW),
);
/** Edges of bands, in bins. Band n begins at edge n, is centred at edge n + 1 and ends at edge n + 2. */
const EDGES = Array.from({ length: BANDS + 2 }, (_, edge) => {
  const share = edge / (BANDS + 1);
  return (hertz(mel(LOWEST_HZ) * (1 - share) + mel(HIGHEST_HZ) * share) * WINDOW) / SOUND_RATE_HZ;
});
export const CENTRES_HZ = EDGES.slice(1, -1).map((bin) => (bin * SOUND_RATE_HZ) / WINDOW);
const TRIANGLES = CENTRES_HZ.map((_, band) => {
  const [from, peak, to] = EDGES.slice(band, band + 3) as [number, number, number];
  // The lowest bands are narrower than a bin, so extend them to a bin on each side of the centre.
  const [low, high] = [Math.min(from, peak - 1), Math.max(to, peak + 1)];
  const bins: Array<readonly [bin: number, weight: number]> = [];
  for (let bin = Math.ceil(low); bin < high; bin++)
    bins.push([bin, bin < peak ? (bin - low) / (peak - low) : (high - bin) / (high - peak)]);
  return bins;
});

const BITS = Math.log2(WINDOW);
const REVERSED = Uint16Array.from({ length: WINDOW }, (_, at) => {
  let reversed = 0;
  for (let bit = 0; bit < BITS; bit++) reversed |= ((at >> bit) & 1) << (BITS - 1 - bit);
  return reversed;
});
const COSINES = Float64Array.from({ length: WINDOW / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / WINDOW));
const SINES = Float64Array.from({ length: WINDOW / 2 }, (_, at) => -Math.sin((2 * Math.PI * at) / WINDOW));

/** Applies a Fourier transform in place. The values must be in the order of `REVERSED`. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  for (let half = 1; half < WINDOW; half *= 2)
    for (let start = 0; start < WINDOW; start += 2 * half)
      for (let at = 0; at < half; at++) {
        const turn = (at * WINDOW) / (2 * half);
        const cosine = COSINES[turn] as number;
        const sine = SINES[turn] as number;
        const one = start + at;
        const other = one + half;
        const x = real[other] as number;
        const y = imaginary[other] as number;
        const u = x * cosine - y * sine;
        const v = x * sine + y * cosine;
        real[other] = (real[one] as number) - u;
        imaginary[other] = (imaginary[one] as number) - v;
        real[one] = (real[one] as number) + u;
        imaginary[one] = (imaginary[one] as number) + v;
      }
}

/** Returns the spectra of a sound that begins at `from`. The first window is centred there. */
export function spectraOf(sound: Float32Array, from: number, frames: number): Spectra {
  const bands = new Float64Array(frames * BANDS);
  const energies = new Float64Array(frames);
  const [real, imaginary] = [new Float64Array(WINDOW), new Float64Array(WINDOW)];
  // One transform computes two frames: one as the real part, the next as the imaginary part.
  for (let frame = 0; frame < frames; frame += 2) {
    const start = from + frame * HOP - WINDOW / 2;
    for (let at = 0; at < WINDOW; at++) {
      const to = REVERSED[at] as number;
      const shape = SHAPE[at] as number;
      real[to] = shape * (sound[start + at] ?? 0);
      imaginary[to] = shape * (sound[start + at + HOP] ?? 0);
    }
    transform(real, imaginary);
    for (const [band, bins] of TRIANGLES.entries()) {
      let first = 0;
      let second = 0;
      for (const [bin, weight] of bins) {
        const a = real[bin] as number;
        const b = imaginary[bin] as number;
        const c = real[WINDOW - bin] as number;
        const d = imaginary[WINDOW - bin] as number;
        first += weight * ((a + c) ** 2 + (b - d) ** 2);
        second += weight * ((b + d) ** 2 + (c - a) ** 2);
      }
      bands[frame * BANDS + band] = first / 4;
      if (frame + 1 < frames) bands[(frame + 1) * BANDS + band] = second / 4;
    }
  }
  for (let frame = 0; frame < frames; frame++) {
    let energy = 0;
    for (let band = 0; band < BANDS; band++) energy += bands[frame * BANDS + band] as number;
    energies[frame] = energy;
  }
  return { frames, bands, energies };
}
