type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

class GrowingArray<Items extends Numbers> {
  private items: Items;
  length = 0;

  /** @param expected number of items; if it is exact, the array is never copied */
  constructor(
    private readonly kind: new (length: number) => Items,
    expected: number,
  ) {
    this.items = new kind(Math.max(1, expected));
  }

  push(item: number): void {
    this.reserve(1);
    this.items[this.length++] = item;
  }

  append(items: ArrayLike<number>): void {
    this.reserve(items.length);
    this.items.set(items, this.length);
    this.length += items.length;
  }

  /** Returns a view without a copy. The unused rest was never written, so the system has allocated no memory for it. */
  finish(): Items {
    return this.items.subarray(0, this.length) as Items;
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.items.length) return;
    const larger = new this.kind(Math.max(needed, this.items.length * 2));
    larger.set(this.items);
    this.items = larger;
  }
}

export class GrowingNumbers extends GrowingArray<Uint32Array<ArrayBuffer>> {
  constructor(expected = 1_024) {
    super(Uint32Array, expected);
  }
}

export class GrowingBytes extends GrowingArray<Uint8Array<ArrayBuffer>> {
  constructor(expected: number) {
    super(Uint8Array, expected);
  }
}
