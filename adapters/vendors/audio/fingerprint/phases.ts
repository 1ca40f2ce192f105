import FFT from 'fft.js';
import { ANALYSIS_RATE_HZ } from '../../../../domain/catalogue/sound/mono-track.js';
import { atSpeed } from './questions.js';
import { HOP } from './signs.js';
import type { SecondLook } from '../../../../application/publishing/sounds/sound-studio.js';
import type { Alignment } from './sound-index.js';

const WINDOW = 16_384;
const LOWEST_BIN = Math.round((120 * WINDOW) / ANALYSIS_RATE_HZ);
const HIGHEST_BIN = Math.round((5_000 * WINDOW) / ANALYSIS_RATE_HZ);
/** A frequency bin below this share of the strongest bin (−50 dB) counts as noise. */
const AUDIBLE = 0.003;
const FEWEST_BINS = 60;
const STRETCH = 8_192;
const SHORTEST_STRETCH = 600;
const MOST_STRETCHES = 6;
/** How far the alignment from the sound index may be wrong, in samples. */
const SLACK = 1_500;
const LAGS = 2 * SLACK + 1;
/** Speeds to try around the speed that the sound index found, as offsets in thousandths. */
const FINER = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5];
/** How much the time shift may differ between two stretches of a copy, in samples. Ideally it does not differ. */
const NEAR = 6;
/** Added to `NEAR` for each sample between two stretches, because the speed is known only to a thousandth. */
const DRIFT = 0.0005;

const fft = new FFT(WINDOW);

/** Compares phases: a copy keeps the phases of its original even after equalising, another recording does not. */
export function secondLook(
  known: Float32Array,
  asked: Float32Array,
  first: Pick<Alignment, 'speed' | 'shift' | 'cut'>,
): SecondLook {
  const lag = first.shift * HOP - first.cut;
  let best = { likeness: 0, speed: first.speed, lag };
  // Also tries speed 1, because the sound index only estimates the speed, and most copies have the original speed.
  for (const speed of new Set([1, ...FINER.map((thousandths) => first.speed * (1 + thousandths / 1_000))])) {
    const slowed = atSpeed(asked, 1 / speed);
    const stretches = loudestStretches(
      slowed,
      Math.max(0, -lag),
      Math.min(slowed.length, known.length - lag),
    );
    const { value, at } = bestTogether(
      stretches.map(({ from, length }) => ({
        from,
        fits: correlation(
          spectrumOf(known, from + lag - SLACK, length + 2 * SLACK, false),
          spectrumOf(slowed, from, length, true),
        ),
      })),
    );
    if (value > best.likeness) best = { likeness: value, speed, lag: lag - SLACK + at };
  }
  const { likeness, speed } = best;
  return { likeness, speed, stretch: stretchOf(known.length, asked.length, best) };
}

/** Returns the time shift (lag) at which all stretches fit best. A single stretch also fits somewhere by chance. */
function bestTogether(looks: { from: number; fits: Float32Array }[]): { value: number; at: number } {
  const together = new Float64Array(LAGS);
  for (const { from, fits } of looks) {
    const reach = Math.round(NEAR + DRIFT * Math.abs(from - (looks[0]?.from ?? 0)));
    for (let at = 0; at < LAGS; at++) {
      let most = 0;
      for (let near = Math.max(0, at - reach); near <= Math.min(LAGS - 1, at + reach); near++)
        most = Math.max(most, fits[near] as number);
      (together[at] as number) += most / looks.length;
    }
  }
  const value = loudest(together);
  return { value, at: together.indexOf(value) };
}

/** Returns the part in which two sounds overlap, as times in each sound. @param lag the time shift, in samples */
function stretchOf(knownLength: number, askedLength: number, { speed, lag }: { speed: number; lag: number }) {
  const from = Math.max(0, lag);
  const to = Math.max(from, Math.min(knownLength, askedLength * speed + lag));
  const ms = (samples: number): number => Math.round((samples / ANALYSIS_RATE_HZ) * 1_000);
  return {
    fromMs: ms((from - lag) / speed),
    toMs: ms((to - lag) / speed),
    likeFromMs: ms(from),
    likeToMs: ms(to),
  };
}

function loudestStretches(track: Float32Array, from: number, to: number): { from: number; length: number }[] {
  const length = Math.min(STRETCH, to - from);
  if (length < SHORTEST_STRETCH) return [];
  const stretches = Array.from({ length: Math.floor((to - from) / length) }, (_, index) => {
    const start = from + index * length;
    let energy = 0;
    for (let at = start; at < start + length; at++) energy += (track[at] as number) ** 2;
    return { from: start, length, energy };
  });
  return stretches.sort((a, b) => b.energy - a.energy).slice(0, MOST_STRETCHES);
}

/** Returns the spectrum of a stretch. @param isShaped fades the stretch in and out, because cut ends add frequencies */
function spectrumOf(track: Float32Array, from: number, length: number, isShaped: boolean): number[] {
  const frame = new Float64Array(WINDOW);
  for (let index = Math.max(0, -from); index < Math.min(length, track.length - from); index++) {
    const shape = isShaped ? 0.5 - 0.5 * Math.cos((2 * Math.PI * (index + 0.5)) / length) : 1;
    frame[index] = (track[from + index] as number) * shape;
  }
  const spectrum = fft.createComplexArray() as number[];
  fft.realTransform(spectrum, frame);
  return spectrum;
}

/** Returns how well the phases of two spectra fit at each time shift (lag). Ignores the amplitudes. */
function correlation(known: number[], asked: number[]): Float32Array {
  const [ours, theirs] = [magnitudesOf(known), magnitudesOf(asked)];
  const [quietest, quietestOther] = [loudest(ours) * AUDIBLE, loudest(theirs) * AUDIBLE];
  const cross = (fft.createComplexArray() as number[]).fill(0);
  let bins = 0;
  for (let bin = LOWEST_BIN; bin < HIGHEST_BIN; bin++) {
    if ((ours[bin] as number) < quietest || (theirs[bin] as number) < quietestOther) continue;
    const [a, b] = [known[2 * bin] as number, known[2 * bin + 1] as number];
    const [c, d] = [asked[2 * bin] as number, asked[2 * bin + 1] as number];
    const real = a * c + b * d;
    const imaginary = b * c - a * d;
    const magnitude = Math.hypot(real, imaginary) || 1;
    const mirrored = WINDOW - bin;
    cross[2 * bin] = cross[2 * mirrored] = real / magnitude;
    cross[2 * bin + 1] = imaginary / magnitude;
    cross[2 * mirrored + 1] = -imaginary / magnitude;
    bins += 2;
  }
  const fits = new Float32Array(LAGS);
  // A tone has so few frequency bins that their phases may fit by chance.
  if (bins < FEWEST_BINS) return fits;
  const inTime = fft.createComplexArray() as number[];
  fft.inverseTransform(inTime, cross);
  for (let at = 0; at < LAGS; at++) fits[at] = ((inTime[2 * at] as number) * WINDOW) / bins;
  return fits;
}

function magnitudesOf(spectrum: number[]): Float64Array {
  const magnitudes = new Float64Array(HIGHEST_BIN);
  for (let bin = LOWEST_BIN; bin < HIGHEST_BIN; bin++)
    magnitudes[bin] = Math.hypot(spectrum[2 * bin] as number, spectrum[2 * bin + 1] as number);
  return magnitudes;
}

const loudest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, value), 0);
