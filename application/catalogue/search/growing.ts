/** A Uint32Array that grows by doubling. */
export class GrowingNumbers {
  private items: Uint32Array<ArrayBuffer>;
  length = 0;

  constructor(expected = 1_024) {
    this.items = new Uint32Array(Math.max(1, expected));
  }

  push(item: number): void {
    if (this.length === this.items.length) {
      const larger = new Uint32Array(this.items.length * 2);
      larger.set(this.items);
      this.items = larger;
    }
    this.items[this.length++] = item;
  }

  /** Exactly what was pushed, in memory of its own. */
  finish(): Uint32Array<ArrayBuffer> {
    return this.items.slice(0, this.length);
  }
}
