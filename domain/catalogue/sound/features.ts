import { CLEAR_PITCH, PITCH_START, type SoundFacts } from './facts.js';
import { FRAMES_A_SECOND, fluxesOf, hitsIn, rhythmOf } from './rhythm.js';
import { BANDS, CENTRES_HZ, HOP, SOUND_RATE_HZ, spectraOf, type Spectra } from './spectra.js';

/** Only the first 30 seconds of a longer sound are analysed. */
const LIMIT = 30 * SOUND_RATE_HZ;
/** Samples in a step of the envelope: about 3 ms. */
const STEP = 64;
const STEP_SECONDS = STEP / SOUND_RATE_HZ;
/** A sound lasts from where its envelope first exceeds this share of the peak to where it last exceeds `ENDS`. */
const BEGINS = 0.03;
const ENDS = 0.001;
/** Bands with less power than this share of the loudest band count as silent. */
const FLOOR = 1e-7;
/** Frames at which parts of the sound begin: the hit, and ever longer parts of its decay. */
const PARTS = [0, 2, 5, 10, 21, 43, 86];
const PART_SHAPES = 12;
const SHAPES = 20;
const WARM_BELOW_HZ = 500;

const COSINES = Array.from({ length: SHAPES }, (_, shape) =>
  Float64Array.from(
    { length: BANDS },
    (_, band) => Math.cos((Math.PI * shape * (band + 0.5)) / BANDS) / BANDS,
  ),
);

export interface Features {
  values: number[];
  /** `RHYTHM_DIMENSIONS` numbers. */
  rhythm: number[];
  /** `PITCH_DIMENSIONS` numbers. */
  pitch: number[];
  facts: SoundFacts;
}

export function featuresOf(track: Float32Array): Features | undefined {
  const envelope = envelopeOf(track.subarray(0, LIMIT));
  const peak = envelope.reduce((most, value) => Math.max(most, value), 0);
  if (!(peak > 1e-5)) return undefined;
  const first = envelope.findIndex((value) => value > peak * BEGINS);
  const last = envelope.findLastIndex((value) => value > peak * ENDS);
  const active = envelope.subarray(first, last + 1);
  const frames = Math.max(2, Math.ceil((active.length * STEP) / HOP) + 1);
  const spectra = spectraOf(track, first * STEP, frames);
  const logs = logsOf(spectra);
  const time = timesOf(active, peak);
  const tone = toneOf(spectra);
  const { values: pitch, note } = pitchOf(track, first * STEP, active.length * STEP);
  const fluxes = fluxesOf(logs, spectra);
  const values = [
    ...partsOf(logs, frames),
    ...statisticsOf(logs, spectra),
    ...time,
    ...decaysOf(spectra),
    ...tone,
    ...pitch,
    ...fluxOf(fluxes),
  ];
  const clamped = (value: number): number => 100 * Math.max(0, Math.min(1, value));
  const [centre, , flatness] = tone as [number, number, number];
  const [rise, , , , , , , fall] = time as [number, number, number, number, number, number, number, number];
  const facts = {
    brightness: clamped(centre / (BANDS - 1)),
    punch: 0.6 * clamped((-0.5 - rise) / 2.2) + 0.4 * clamped(((time[10] as number) - 3) / 20),
    decay: clamped((fall + 2) / 3),
    noisiness: 0.5 * clamped(1 + flatness / 10) + 0.5 * clamped(1 - (pitch[0] as number)),
    warmth: clamped(warmthOf(spectra)),
  };
  return { values, rhythm: rhythmOf(fluxes, fall), pitch: [...heightOf(pitch), ...note], facts };
}

function envelopeOf(track: Float32Array): Float64Array {
  const envelope = new Float64Array(Math.ceil(track.length / STEP));
  for (let step = 0; step < envelope.length; step++) {
    let energy = 0;
    const end = Math.min(track.length, (step + 1) * STEP);
    for (let at = step * STEP; at < end; at++) energy += (track[at] as number) ** 2;
    envelope[step] = Math.sqrt(energy / STEP);
  }
  return envelope;
}

/** Returns the decibels of each band, relative to the loudest band of the sound, at least -70. */
function logsOf({ bands }: Spectra): Float64Array {
  const loudest = bands.reduce((most, value) => Math.max(most, value), 1e-30);
  return bands.map((value) => 10 * Math.log10(value / loudest + FLOOR));
}

const shapesOf = (bands: Float64Array, count: number): number[] =>
  COSINES.slice(0, count).map((cosine) =>
    cosine.reduce((sum, each, band) => sum + each * (bands[band] as number), 0),
  );

function partsOf(logs: Float64Array, frames: number): number[] {
  return PARTS.slice(0, -1).flatMap((from, part) => {
    const to = Math.min(PARTS[part + 1] as number, frames);
    const mean = new Float64Array(BANDS).fill(to > from ? 0 : -70);
    for (let frame = from; frame < to; frame++)
      for (let band = 0; band < BANDS; band++)
        mean[band] = (mean[band] as number) + (logs[frame * BANDS + band] as number) / (to - from);
    return shapesOf(mean, PART_SHAPES);
  });
}

function statisticsOf(logs: Float64Array, { energies, frames }: Spectra): number[] {
  const total = energies.reduce((sum, energy) => sum + Math.sqrt(energy), 1e-30);
  const sums = new Float64Array(SHAPES);
  const squares = new Float64Array(SHAPES);
  const deltas = new Float64Array(SHAPES);
  let before: number[] | undefined;
  for (let frame = 0; frame < frames; frame++) {
    const weight = Math.sqrt(energies[frame] as number) / total;
    const shapes = shapesOf(logs.subarray(frame * BANDS, (frame + 1) * BANDS), SHAPES);
    for (let shape = 0; shape < SHAPES; shape++) {
      const value = shapes[shape] as number;
      sums[shape] = (sums[shape] as number) + weight * value;
      squares[shape] = (squares[shape] as number) + weight * value * value;
      if (before)
        deltas[shape] = (deltas[shape] as number) + weight * Math.abs(value - (before[shape] as number));
    }
    before = shapes;
  }
  return [
    ...sums,
    ...squares.map((square, shape) => Math.sqrt(Math.max(0, square - (sums[shape] as number) ** 2))),
    ...deltas,
  ];
}

const log = (seconds: number): number => Math.log10(seconds + 0.002);

/** Returns how fast the envelope rises and falls, as logarithms of seconds, and values for its shape. */
function timesOf(active: Float64Array, peak: number): number[] {
  const top = active.indexOf(peak);
  const rise = active.findIndex((value) => value > 0.2 * peak);
  const high = active.findIndex((value) => value > 0.8 * peak);
  let [sum, moment, energy] = [0, 0, 0];
  for (const [step, value] of active.entries()) {
    sum += value;
    moment += step * value;
    energy += value * value;
  }
  const falls = [0.5, 0.3, 0.1, 0.03, 0.01].map((level) => {
    const fallen = active.findLastIndex((value) => value > peak * level);
    return log(Math.max(0, fallen - top) * STEP_SECONDS);
  });
  return [
    log((high - rise) * STEP_SECONDS),
    log(top * STEP_SECONDS),
    log((moment / sum) * STEP_SECONDS),
    moment / sum / active.length,
    log(active.length * STEP_SECONDS),
    ...falls,
    20 * Math.log10(peak / Math.sqrt(energy / active.length)),
    sum / peak / active.length,
    active.filter((value) => value > 0.4 * peak).length / active.length,
  ];
}

/** Returns how long five ranges of bands take to lose 20 dB after their loudest frame, as logarithms of seconds. */
function decaysOf({ bands, frames }: Spectra): number[] {
  return [
    [0, 200],
    [200, 800],
    [800, 2_500],
    [2_500, 5_000],
    [5_000, 20_000],
  ].map(([from = 0, to = 0]) => {
    const some = CENTRES_HZ.flatMap((hz, band) => (hz >= from && hz < to ? band : []));
    const levels = Array.from({ length: frames }, (_, frame) =>
      some.reduce((sum, band) => sum + (bands[frame * BANDS + band] as number), 0),
    );
    const most = levels.reduce((most, level) => Math.max(most, level), 0);
    const top = levels.indexOf(most);
    return log(((levels.findLastIndex((level) => level > most * 0.01) - top) * HOP) / SOUND_RATE_HZ);
  });
}

/** Returns the share of the level in bands below `WARM_BELOW_HZ`. */
function warmthOf({ bands, frames }: Spectra): number {
  let [low, all] = [0, 1e-30];
  for (let band = 0; band < BANDS; band++) {
    let power = 0;
    for (let frame = 0; frame < frames; frame++) power += bands[frame * BANDS + band] as number;
    all += Math.sqrt(power);
    if ((CENTRES_HZ[band] as number) < WARM_BELOW_HZ) low += Math.sqrt(power);
  }
  return low / all;
}

/** Returns means and deviations of centre, spread, flatness and rolloff of the spectrum, weighted by level. */
function toneOf({ bands, energies, frames }: Spectra): number[] {
  const total = energies.reduce((sum, energy) => sum + Math.sqrt(energy), 1e-30);
  const sums = new Float64Array(4);
  const squares = new Float64Array(4);
  for (let frame = 0; frame < frames; frame++) {
    const energy = (energies[frame] as number) + 1e-30;
    let [centre, square, logarithm] = [0, 0, 0];
    for (let band = 0; band < BANDS; band++) {
      const power = bands[frame * BANDS + band] as number;
      centre += (band * power) / energy;
      square += (band * band * power) / energy;
      logarithm += Math.log(power / energy + 1e-9) / BANDS;
    }
    let [heard, rolloff] = [0, 0];
    for (; rolloff < BANDS && heard < 0.85 * energy; rolloff++)
      heard += bands[frame * BANDS + rolloff] as number;
    const weight = Math.sqrt(energies[frame] as number) / total;
    const each = [
      centre,
      Math.sqrt(Math.max(0, square - centre * centre)),
      logarithm + Math.log(BANDS),
      rolloff,
    ];
    for (const [at, value] of each.entries()) {
      sums[at] = (sums[at] as number) + weight * value;
      squares[at] = (squares[at] as number) + weight * value * value;
    }
  }
  return [
    ...sums,
    ...squares.map((square, at) => Math.sqrt(Math.max(0, square - (sums[at] as number) ** 2))),
  ];
}

const PITCH_WINDOW = 2_048;
const LOWEST_PITCH_HZ = 30;
/** Octaves between the lowest pitch and the middle of the scale. */
const MIDDLE_OCTAVE = 4;
/**
 * Scales of the pitch height and the note. With these values, an octave counts about as much as a semitone, so that
 * the same note in another octave is near.
 */
const PER_OCTAVE = 30;
const NOTE = 60;

/** Returns how high a sound is and how clear its pitch is. Without a pitch it is of middle height. */
const heightOf = ([clarity = 0, height = 0]: readonly number[]): number[] => [
  PER_OCTAVE * (height - MIDDLE_OCTAVE) * Math.min(1, 1.25 * clarity),
  NOTE * clarity,
];

/** Returns the pitch that descriptors hold, in Hz; undefined for a sound without a clear one. */
export function pitchHzIn(descriptors: ArrayLike<number>): number | undefined {
  const [height, note] = [descriptors[PITCH_START] as number, descriptors[PITCH_START + 1] as number];
  if (note < CLEAR_PITCH) return undefined;
  const octaves = height / PER_OCTAVE / Math.min(1, (1.25 * note) / NOTE) + MIDDLE_OCTAVE;
  return LOWEST_PITCH_HZ * 2 ** octaves;
}

/**
 * Returns the clarity and height of the pitch, by autocorrelation at four places, and the logarithm of the rate of
 * zero crossings. Also returns the note as a point on a circle of twelve semitones; for a sound of many notes, the
 * point is near the centre.
 */
function pitchOf(track: Float32Array, from: number, length: number): { values: number[]; note: number[] } {
  let [clear, height, weights, flips] = [0, 0, 1e-30, 0];
  let [cosine, sine] = [0, 0];
  const places = 4;
  for (let place = 0; place < places; place++) {
    const start =
      from + Math.floor((place * Math.max(0, Math.min(length, 2 * SOUND_RATE_HZ) - PITCH_WINDOW)) / places);
    const part = track.subarray(start, start + PITCH_WINDOW);
    let energy = 1e-12;
    for (const value of part) energy += value * value;
    let [best, bestLag] = [0, 0];
    let isPast = false;
    let signs = 0;
    for (let at = 1; at < part.length; at++)
      signs += Number((part[at] as number) > 0 !== (part[at - 1] as number) > 0);
    for (let lag = 11; lag < 700; lag = Math.ceil(lag * 1.015)) {
      let sum = 0;
      let a = 1e-12;
      let b = 1e-12;
      for (let at = 0; at + lag < part.length; at += 2) {
        const x = part[at] as number;
        const y = part[at + lag] as number;
        sum += x * y;
        a += x * x;
        b += y * y;
      }
      const likeness = sum / Math.sqrt(a * b);
      if (likeness < 0.3) isPast = true;
      if (isPast && likeness > best * 1.05) [best, bestLag] = [likeness, lag];
    }
    const weight = Math.sqrt(energy);
    weights += weight;
    flips += weight * (signs / PITCH_WINDOW);
    clear += weight * best;
    const octaves = Math.log2(SOUND_RATE_HZ / Math.max(11, bestLag || 700) / LOWEST_PITCH_HZ);
    height += weight * best * octaves;
    cosine += weight * best * Math.cos(2 * Math.PI * octaves);
    sine += weight * best * Math.sin(2 * Math.PI * octaves);
  }
  return {
    values: [clear / weights, height / Math.max(1e-9, clear), Math.log10(flips / weights + 1e-3)],
    note: [(NOTE * cosine) / weights, (NOTE * sine) / weights],
  };
}

/** Returns how much the sound changes from frame to frame, and the number of its hits, in all and per second. */
function fluxOf(fluxes: Float64Array): number[] {
  const mean = fluxes.reduce((sum, value) => sum + value, 0) / fluxes.length;
  const most = fluxes.reduce((most, value) => Math.max(most, value), 0);
  const hits = hitsIn(fluxes);
  return [mean, most, Math.log10(1 + hits), Math.log10(1 + (hits * FRAMES_A_SECOND) / fluxes.length)];
}
