/** A set of integers from 0, with a bit for each and 32 per word. Operations require sets of the same size. */
export type Bitmap = Uint32Array<ArrayBuffer>;

export const bitmapFor = (size: number): Bitmap => new Uint32Array((size + 31) >>> 5);

export function fullBitmap(size: number): Bitmap {
  const bits = bitmapFor(size).fill(0xffff_ffff);
  if (size % 32 > 0) bits[bits.length - 1] = 2 ** (size % 32) - 1;
  return bits;
}

export const has = (bits: Bitmap, number: number): boolean =>
  ((bits[number >>> 5] as number) & (1 << (number & 31))) !== 0;

export function add(bits: Bitmap, number: number): void {
  bits[number >>> 5] = (bits[number >>> 5] as number) | (1 << (number & 31));
}

export function remove(bits: Bitmap, number: number): void {
  bits[number >>> 5] = (bits[number >>> 5] as number) & ~(1 << (number & 31));
}

export function unite(bits: Bitmap, others: Bitmap): Bitmap {
  for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] as number) | (others[at] as number);
  return bits;
}

export function intersect(bits: Bitmap, others: Bitmap): Bitmap {
  for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] as number) & (others[at] as number);
  return bits;
}

export function subtract(bits: Bitmap, others: Bitmap): Bitmap {
  for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] as number) & ~(others[at] as number);
  return bits;
}

export function count(bits: Bitmap): number {
  let total = 0;
  for (let at = 0; at < bits.length; at++) total += ones(bits[at] as number);
  return total;
}

/** Visits the numbers of a set in ascending order, until `visit` returns false. */
export function visitEach(bits: Bitmap, visit: (number: number) => boolean | void): void {
  for (let at = 0; at < bits.length; at++) {
    let word = bits[at] as number;
    while (word !== 0) {
      const lowest = word & -word;
      if (visit((at << 5) + 31 - Math.clz32(lowest)) === false) return;
      word ^= lowest;
    }
  }
}

/** Counts the bits that are set in a word. Adds the counts of all positions in parallel. */
export function ones(word: number): number {
  word -= (word >>> 1) & 0x5555_5555;
  word = (word & 0x3333_3333) + ((word >>> 2) & 0x3333_3333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
