/** Too many tasks of one kind are waiting. */
export class TooBusy extends Error {
  constructor(readonly work: string) {
    super(`too much waits for ${work}`);
    this.name = 'TooBusy';
  }
}

/** A queue of one kind of work. Owners take turns, and the items of one owner keep their order. */
export class Turns<Item> {
  /** The waiting items by owner. An owner moves to the end of the map after each turn. */
  private readonly waiting = new Map<string | undefined, Item[]>();
  private last: string | undefined;
  private size = 0;

  constructor(private readonly options: { work: string; waiting: number }) {}

  /**
   * @param owner undefined for work without an owner
   * @throws TooBusy if the queue is full, or this owner's items fill half of it
   */
  add(owner: string | undefined, item: Item): void {
    const { work, waiting } = this.options;
    const own = this.waiting.get(owner) ?? [];
    if (this.size >= waiting || (owner !== undefined && own.length >= waiting / 2)) throw new TooBusy(work);
    own.push(item);
    this.waiting.set(owner, own);
    this.size += 1;
  }

  next(): Item | undefined {
    for (const [owner, own] of this.waiting) {
      if (owner === this.last && this.waiting.size > 1) continue;
      this.last = owner;
      this.waiting.delete(owner);
      const item = own.shift();
      if (own.length > 0) this.waiting.set(owner, own);
      this.size -= 1;
      return item;
    }
    return undefined;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }
}
