import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  COMPARED as DIMENSIONS,
  PITCH_DIMENSIONS,
  PITCH_START,
  SOUND_DIMENSIONS,
  type Balance,
} from '../../../domain/catalogue/sound/facts.js';

/** The usual number of samples in a cluster. */
const USUAL = 500;
/** A set of samples is split into at most this many clusters at once. */
const PARTS = 32;
const LEARNT_FROM = 8_192;
const ROUNDS = 6;
/** Samples between two turns of the event loop: about 3 ms. */
const AT_ONCE = 2_000;
/**
 * A search stops after this many sounds if enough passed the filter. Clusters group sounds by timbre, so sounds with
 * the same rhythm or pitch lie in more clusters.
 */
const SEEN_LIMIT: Record<Balance, number> = { timbre: 12_000, rhythm: 40_000, pitch: 40_000 };
/** A search continues beyond `SEEN_LIMIT` until this many sounds have passed the filter. */
const PASSED_LIMIT = 500;
/** If fewer than `PASSED_LIMIT` of this many sounds pass, comparing all that pass is faster. */
const PROBED_LIMIT = 60_000;
/** Dimensions between two checks whether a sound is already too far away. */
const CHECKED_EVERY = 8;
/** Factor by which a squared difference in rhythm or pitch counts more than one in a learnt dimension. */
const WEIGHT = 64;

/** Sounds of samples in clusters of similar ones: one vector each, so that a search reads only the nearest clusters. */
export interface SoundVectors {
  /** `DIMENSIONS` numbers for each described sample, cluster by cluster. */
  vectors: Int8Array;
  /** The number of the sample at each place of `vectors`. */
  numbers: Uint32Array;
  /** For each sample, its place from 1; 0 without a description. */
  places: Uint32Array;
  /** The first place of each cluster, and the end of the last one. */
  starts: Uint32Array;
  centres: Int8Array;
}

export interface Near {
  number: number;
  /** Squared. */
  distance: number;
}

/** @param known vectors of all samples by number; samples without a description are not in `described` */
export async function clustered(known: Int8Array, described: Uint32Array): Promise<SoundVectors> {
  const size = known.length / DIMENSIONS;
  const clusters: Uint32Array[] = [];
  const centres: number[] = [];
  for (const group of await split(known, described, Math.ceil(described.length / (USUAL * PARTS))))
    for (const { numbers, centre } of await split(
      known,
      group.numbers,
      Math.ceil(group.numbers.length / USUAL),
    )) {
      if (numbers.length === 0) continue;
      clusters.push(numbers);
      centres.push(...centre);
    }
  const vectors = new Int8Array(described.length * DIMENSIONS);
  const numbers = new Uint32Array(described.length);
  const places = new Uint32Array(size);
  const starts = new Uint32Array(clusters.length + 1);
  let place = 0;
  for (const [cluster, members] of clusters.entries()) {
    for (const number of members) {
      vectors.set(known.subarray(number * DIMENSIONS, (number + 1) * DIMENSIONS), place * DIMENSIONS);
      numbers[place++] = number;
      places[number] = place;
    }
    starts[cluster + 1] = place;
  }
  return { vectors, numbers, places, starts, centres: Int8Array.from(centres) };
}

/** Splits samples by k-means, which learns from some of them. */
async function split(
  known: Int8Array,
  numbers: Uint32Array,
  wanted: number,
): Promise<{ numbers: Uint32Array; centre: Int8Array }[]> {
  const parts = Math.max(1, Math.min(PARTS, wanted, numbers.length));
  const stride = Math.max(1, Math.floor(numbers.length / LEARNT_FROM));
  const some = numbers.filter((_, at) => at % stride === 0);
  const centres = Array.from({ length: parts }, (_, part) =>
    vectorAt(known, some[Math.floor((part * some.length) / parts)] ?? 0).slice(),
  );
  for (let round = 0; round < ROUNDS && parts > 1; round++) {
    const sums = centres.map(() => new Float32Array(DIMENSIONS));
    const counts = new Uint32Array(parts);
    for (const number of some) {
      const part = nearestOf(centres, known, number * DIMENSIONS);
      counts[part] = (counts[part] as number) + 1;
      const sum = sums[part] as Float32Array;
      for (let at = 0; at < DIMENSIONS; at++)
        sum[at] = (sum[at] as number) + (known[number * DIMENSIONS + at] as number);
    }
    for (const [part, sum] of sums.entries())
      if (counts[part])
        centres[part] = Int8Array.from(sum, (value) => Math.round(value / (counts[part] as number)));
    await nextTurn();
  }
  const members: number[][] = centres.map(() => []);
  for (const [at, number] of numbers.entries()) {
    members[parts === 1 ? 0 : nearestOf(centres, known, number * DIMENSIONS)]?.push(number);
    if (at % AT_ONCE === 0) await nextTurn();
  }
  return centres.map((centre, part) => ({ numbers: Uint32Array.from(members[part] as number[]), centre }));
}

export const vectorAt = (vectors: Int8Array, place: number): Int8Array =>
  vectors.subarray(place * DIMENSIONS, (place + 1) * DIMENSIONS);

function nearestOf(centres: readonly Int8Array[], vectors: Int8Array, start: number): number {
  let [nearest, least] = [0, Infinity];
  for (let part = 0; part < centres.length; part++) {
    // By timbre only, because most searches compare only that.
    const distance = squares(centres[part] as Int8Array, vectors, start, 0, SOUND_DIMENSIONS);
    if (distance < least) [nearest, least] = [part, distance];
  }
  return nearest;
}

/** All vectors are of one type, because V8 makes the code for several types slower. */
function squares(sound: Int8Array, vectors: Int8Array, start: number, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) {
    const difference = (sound[at] as number) - (vectors[start + at] as number);
    sum += difference * difference;
  }
  return sum;
}

/** Returns the squared distance in `CHECKED_EVERY` dimensions. Written out, because a loop takes a third longer. */
function eightSquares(sound: Int8Array, vectors: Int8Array, start: number, from: number): number {
  const at = start + from;
  const first = (sound[from] as number) - (vectors[at] as number);
  const second = (sound[from + 1] as number) - (vectors[at + 1] as number);
  const third = (sound[from + 2] as number) - (vectors[at + 2] as number);
  const fourth = (sound[from + 3] as number) - (vectors[at + 3] as number);
  const fifth = (sound[from + 4] as number) - (vectors[at + 4] as number);
  const sixth = (sound[from + 5] as number) - (vectors[at + 5] as number);
  const seventh = (sound[from + 6] as number) - (vectors[at + 6] as number);
  const eighth = (sound[from + 7] as number) - (vectors[at + 7] as number);
  return (
    first * first +
    second * second +
    third * third +
    fourth * fourth +
    fifth * fifth +
    sixth * sixth +
    seventh * seventh +
    eighth * eighth
  );
}

/**
 * Returns the squared distance, or more than `worst` as soon as it is certain that it is more.
 *
 * @param start where the vector of the other sound begins
 */
export function distanceTo(
  sound: Int8Array,
  balance: Balance,
  vectors: Int8Array,
  start = 0,
  worst = Infinity,
): number {
  let distance = 0;
  if (balance === 'rhythm') distance = WEIGHT * squares(sound, vectors, start, SOUND_DIMENSIONS, PITCH_START);
  else if (balance === 'pitch')
    distance = WEIGHT * squares(sound, vectors, start, PITCH_START, PITCH_START + PITCH_DIMENSIONS);
  // The first dimensions separate sounds best.
  for (let from = 0; from < SOUND_DIMENSIONS && distance < worst; from += CHECKED_EVERY)
    distance += eightSquares(sound, vectors, start, from);
  return distance;
}

/** Keeps the nearest of the samples that `add` receives, up to a limit. */
class Nearest {
  readonly found: Near[] = [];
  worst = Infinity;

  constructor(private readonly limit: number) {}

  /** @param distance below `worst` */
  add(number: number, distance: number): void {
    const { found, limit } = this;
    let place = found.length;
    if (place === limit) place--;
    else found.push({ number, distance });
    for (; place > 0 && (found[place - 1] as Near).distance > distance; place--)
      found[place] = found[place - 1] as Near;
    found[place] = { number, distance };
    if (found.length === limit) this.worst = (found[limit - 1] as Near).distance;
  }
}

/** A search for the samples nearest to a sound. */
export interface Sought {
  sound: Int8Array;
  balance: Balance;
  limit: number;
}

/**
 * Returns the nearest samples that pass, nearest first. Looks into the nearest clusters only, so it may miss some.
 * Returns undefined if few samples pass: the caller then compares each of them.
 */
export function nearestSounds(
  { vectors, numbers, starts, centres }: SoundVectors,
  { sound, balance, limit }: Sought,
  passes: (number: number) => boolean,
): Near[] | undefined {
  const nearest = new Nearest(limit);
  let [seen, passed] = [0, 0];
  for (const cluster of nearestClusters(centres, sound, balance)) {
    if (seen >= SEEN_LIMIT[balance] && passed >= PASSED_LIMIT) return nearest.found;
    if (seen >= PROBED_LIMIT) return undefined;
    const [from, end] = [starts[cluster] as number, starts[cluster + 1] as number];
    for (let place = from; place < end; place++) {
      const number = numbers[place] as number;
      if (!passes(number)) continue;
      passed++;
      const distance = distanceTo(sound, balance, vectors, place * DIMENSIONS, nearest.worst);
      if (distance < nearest.worst) nearest.add(number, distance);
    }
    seen += end - from;
  }
  return nearest.found;
}

/** Yields the clusters, nearest first. Most searches need few, so a heap orders only those that are asked for. */
function* nearestClusters(centres: Int8Array, sound: Int8Array, balance: Balance): Generator<number> {
  let size = centres.length / DIMENSIONS;
  const clusters = size;
  // Each number holds a distance and its cluster.
  const heap = new Float64Array(size);
  for (let cluster = 0; cluster < clusters; cluster++)
    heap[cluster] = distanceTo(sound, balance, centres, cluster * DIMENSIONS) * clusters + cluster;
  for (let parent = size >>> 1; parent-- > 0;) sink(heap, parent, size);
  while (size > 0) {
    yield (heap[0] as number) % clusters;
    heap[0] = heap[--size] as number;
    sink(heap, 0, size);
  }
}

/** Moves a number of a heap down until none below it is smaller. */
function sink(heap: Float64Array, from: number, size: number): void {
  const value = heap[from] as number;
  let place = from;
  for (let child = 2 * place + 1; child < size; child = 2 * place + 1) {
    if (child + 1 < size && (heap[child + 1] as number) < (heap[child] as number)) child++;
    if ((heap[child] as number) >= value) break;
    heap[place] = heap[child] as number;
    place = child;
  }
  heap[place] = value;
}

/** Returns the nearest of some samples, nearest first. */
export function nearestAmong(
  { vectors, places }: SoundVectors,
  { sound, balance, limit }: Sought,
  numbers: Uint32Array,
): Near[] {
  const nearest = new Nearest(limit);
  for (const number of numbers) {
    const place = places[number] as number;
    if (place === 0) continue;
    const distance = distanceTo(sound, balance, vectors, (place - 1) * DIMENSIONS, nearest.worst);
    if (distance < nearest.worst) nearest.add(number, distance);
  }
  return nearest.found;
}
