/** Lists the numbers that have each key, in ascending order. All lists share one flat array. */
export class Postings {
  constructor(
    /** The start of each key's list in `items`. The last entry is the end of the last list. */
    readonly starts: Uint32Array,
    readonly items: Uint32Array,
  ) {}

  /**
   * Inverts a mapping from numbers to keys.
   * @param keys the keys of number 0, then those of number 1, …
   * @param ends the end of each number's keys in `keys`; absent if every number has one key
   */
  static of(keys: Uint32Array | Uint8Array, keyCount: number, ends?: Uint32Array): Postings {
    const starts = new Uint32Array(keyCount + 1);
    for (const key of keys) starts[key + 1] = (starts[key + 1] as number) + 1;
    for (let key = 0; key < keyCount; key++)
      starts[key + 1] = (starts[key + 1] as number) + (starts[key] as number);
    const next = starts.slice();
    const items = new Uint32Array(keys.length);
    let number = 0;
    for (let at = 0; at < keys.length; at++) {
      if (ends) while (at >= (ends[number] as number)) number++;
      else number = at;
      const key = keys[at] as number;
      items[next[key] as number] = number;
      next[key] = (next[key] as number) + 1;
    }
    return new Postings(starts, items);
  }

  of(key: number): Uint32Array {
    return this.items.subarray(this.starts[key], this.starts[key + 1]);
  }

  countOf(key: number): number {
    return (this.starts[key + 1] as number) - (this.starts[key] as number);
  }

  get byteLength(): number {
    return this.starts.byteLength + this.items.byteLength;
  }
}

/** Values that many samples share, such as pack ids, numbered in order of first appearance. */
export interface Groups {
  numbers: Map<string, number>;
  samples: Postings;
}

export function samplesOf({ numbers, samples }: Groups, id: string): Uint32Array {
  const number = numbers.get(id);
  return number === undefined ? new Uint32Array(0) : samples.of(number);
}

/** Assigns numbers to groups, such as packs or creators, in order of first appearance. */
export class Grouping {
  readonly names: string[] = [];
  private readonly groupOf: Uint32Array;
  private readonly numbers = new Map<string, number>();

  constructor(capacity: number) {
    this.groupOf = new Uint32Array(capacity);
  }

  put(number: number, group: string): number {
    const known = this.numbers.get(group);
    const of = known ?? this.names.length;
    this.groupOf[number] = of;
    if (known === undefined) {
      this.numbers.set(group, of);
      this.names.push(group);
    }
    return of;
  }

  finish(): Groups {
    return { numbers: this.numbers, samples: Postings.of(this.groupOf, this.numbers.size) };
  }
}
