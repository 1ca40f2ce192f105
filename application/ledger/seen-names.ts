const FIRST_SLOTS = 1 << 10;
const MOST_FILLED = 0.6;

/** A set of names that stores only 64-bit hashes. Two million names collide with a probability of 1 in 10 million. */
export class SeenNames {
  private slots = new Uint32Array(2 * FIRST_SLOTS);
  private filled = 0;

  add(name: string): boolean {
    if (this.filled >= (this.slots.length / 2) * MOST_FILLED) this.grow();
    const [high, low] = hashOf(name);
    const at = this.find(high, low);
    if (this.slots[at] !== 0) return false;
    this.put(at, high, low);
    return true;
  }

  has(name: string): boolean {
    const [high, low] = hashOf(name);
    return this.slots[this.find(high, low)] !== 0;
  }

  delete(name: string): void {
    const [gone, rest] = hashOf(name);
    const slots = this.slots;
    let at = this.find(gone, rest);
    if (slots[at] === 0) return;
    slots[at] = 0;
    this.filled -= 1;
    // Reinserts the names after the freed slot, because a collision may have moved them there.
    for (at = (at + 2) % slots.length; slots[at] !== 0; at = (at + 2) % slots.length) {
      const [high, low] = [slots[at] as number, slots[at + 1] as number];
      slots[at] = 0;
      this.filled -= 1;
      this.put(this.find(high, low), high, low);
    }
  }

  private put(at: number, high: number, low: number): void {
    this.slots[at] = high;
    this.slots[at + 1] = low;
    this.filled += 1;
  }

  private find(high: number, low: number): number {
    const slots = this.slots;
    let at = 2 * (low % (slots.length / 2));
    while (slots[at] !== 0 && (slots[at] !== high || slots[at + 1] !== low)) at = (at + 2) % slots.length;
    return at;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Uint32Array(2 * old.length);
    this.filled = 0;
    for (let at = 0; at < old.length; at += 2) {
      const [high, low] = [old[at] as number, old[at + 1] as number];
      if (high !== 0) this.put(this.find(high, low), high, low);
    }
  }
}

/** Returns the hash in two 32-bit halves. The first half is never 0, because 0 marks a free slot. */
function hashOf(name: string): [high: number, low: number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < name.length; index += 1) {
    const unit = name.charCodeAt(index);
    a = Math.imul(a ^ unit, 2_654_435_761);
    b = Math.imul(b ^ unit, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return [a >>> 0 || 1, b >>> 0];
}
