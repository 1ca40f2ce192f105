import { GrowingNumbers } from './growing-array.js';
import { hasNear, isInWord, lettersOf, mayBeNear } from './search-words.js';

const SEPARATOR = 0x0a;

/** Many texts in one buffer, separated by line feeds, so that one search in the buffer covers all texts. */
export class TextTable {
  /** The letters of each text. Made for the first search with a typing error. */
  private letters: Uint32Array | undefined;

  constructor(
    readonly bytes: Buffer,
    readonly ends: Uint32Array,
  ) {}

  get size(): number {
    return this.ends.length;
  }

  get byteLength(): number {
    return this.bytes.byteLength + this.ends.byteLength;
  }

  at(index: number): string {
    return this.bytes.toString('utf8', this.startOf(index), this.ends[index]);
  }

  equals(index: number, text: Buffer): boolean {
    const start = this.startOf(index);
    const end = this.ends[index] as number;
    return end - start === text.length && text.compare(this.bytes, start, end) === 0;
  }

  /** Returns whether a text has `part` at the start of a word, or as whole words. @param part in UTF-8 */
  has(index: number, part: Buffer, isWhole: boolean): boolean {
    // Include the line feeds around the text, which `part` may match.
    const text = this.bytes.subarray(this.startOf(index) - 1, (this.ends[index] as number) + 1);
    return startOfPart(text, part, 0, isWhole) >= 0;
  }

  /** Returns indexes of texts with `part`, ascending. A line feed at an end of `part` matches that end of a text. */
  having(part: string, isWhole = false): number[] {
    const needle = Buffer.from(part);
    const found: number[] = [];
    let index = 0;
    let at = startOfPart(this.bytes, needle, 0, isWhole);
    while (at >= 0) {
      index = this.indexAt(part.startsWith('\n') ? at + 1 : at, index);
      if (index === this.size) break;
      found.push(index);
      // Continue at the line feed that ends this text, because it also begins the next one.
      at = startOfPart(this.bytes, needle, this.ends[index] as number, isWhole);
    }
    return found;
  }

  /** Yields indexes of texts with the typed word, at the start of a word, with a few typing errors. */
  *near(typed: string): Generator<number> {
    this.letters ??= Uint32Array.from(this.ends, (_, index) => lettersOf(this.at(index)));
    for (let index = 0; index < this.size; index++)
      if (mayBeNear(this.letters[index] as number, typed) && hasNear(this.at(index), typed)) yield index;
  }

  private startOf(index: number): number {
    return index === 0 ? 1 : (this.ends[index - 1] as number) + 1;
  }

  /** Returns the index of the first text, from `low` on, that ends after a place in the buffer. */
  private indexAt(place: number, low: number): number {
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ends[middle] as number) > place) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Returns the first place from `from` where `bytes` contain a part by the rules of `hasText`, otherwise -1. */
function startOfPart(bytes: Buffer, part: Buffer, from: number, isWhole: boolean): number {
  const startsWord = isInWord(part[0]);
  const endsWord = isWhole && isInWord(part.at(-1));
  let at = bytes.indexOf(part, from);
  while (
    at >= 0 &&
    ((startsWord && isInWord(bytes[at - 1])) || (endsWord && isInWord(bytes[at + part.length])))
  )
    at = bytes.indexOf(part, at + 1);
  return at;
}

export class TextTableBuilder {
  private bytes = Buffer.alloc(4_096);
  private length = 1;
  private readonly ends = new GrowingNumbers();

  constructor() {
    this.bytes[0] = SEPARATOR;
  }

  get size(): number {
    return this.ends.length;
  }

  add(text: string): number {
    // UTF-8 takes at most three bytes per code unit of a string.
    const needed = this.length + text.length * 3 + 1;
    if (needed > this.bytes.length) {
      const larger = Buffer.alloc(Math.max(needed, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    this.length += this.bytes.write(text, this.length, 'utf8');
    this.ends.push(this.length);
    this.bytes[this.length++] = SEPARATOR;
    return this.ends.length - 1;
  }

  finish(): TextTable {
    return new TextTable(Buffer.from(this.bytes.subarray(0, this.length)), this.ends.finish());
  }
}
