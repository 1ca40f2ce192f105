import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The user or IP address that work is for. An owner given as a function is determined only if the work must queue,
 * which is rare.
 */
type Owner = string | (() => string);

const underWay = new AsyncLocalStorage<{ owner: Owner }>();

/** Runs `work`. Everything that `work` starts waits in queues as work of this owner. */
export const workFor = <Result>(owner: Owner, work: () => Result): Result => underWay.run({ owner }, work);

/** Replaces the owner of the current work: once the session is known, the user instead of the IP address. */
export function workIsFor(owner: string): void {
  const work = underWay.getStore();
  if (work) work.owner = owner;
}

/** Returns the user or IP address that the current work is for; undefined for background work. */
export function workOwner(): string | undefined {
  const owner = underWay.getStore()?.owner;
  return typeof owner === 'function' ? owner() : owner;
}

export class TooBusy extends Error {
  constructor(readonly work: string) {
    super(`too much waits for ${work}`);
    this.name = 'TooBusy';
  }
}

/** A queue of one kind of work. Owners take turns, and the items of each owner keep their order. */
export class Turns<Item> {
  /** The waiting items by owner. An owner moves to the end of the map after each turn. */
  private readonly waiting = new Map<string | undefined, Item[]>();
  private last: string | undefined;
  private size = 0;

  constructor(private readonly options: { work: string; waiting: number }) {}

  /** @throws TooBusy if the queue is full, or this owner's items fill half of it */
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

/** Limits how many tasks of one kind run at once. Others wait, and owners take turns. A full queue refuses more. */
export class Lane {
  private running = 0;
  private readonly turns: Turns<() => void>;

  constructor(private readonly options: { work: string; atOnce: number; waiting: number }) {
    this.turns = new Turns(options);
  }

  /** @throws TooBusy */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((resolve) => {
      this.turns.add(workOwner(), resolve);
      this.begin();
    });
    try {
      return await task();
    } finally {
      this.running -= 1;
      this.begin();
    }
  }

  private begin(): void {
    if (this.running >= this.options.atOnce) return;
    const next = this.turns.next();
    if (!next) return;
    this.running += 1;
    next();
  }
}

interface Capacity {
  atOnce: number;
  waiting: number;
}

export type HeavyWork = 'passwords' | 'pictures' | 'audio' | 'certificates' | 'listings';

/**
 * Returns how many tasks of each kind a node runs at once, and how many may wait.
 * @param machine.threads the size of Node's thread pool, which draws pictures, and compresses and reads files. With
 * four or more threads, most stay free for files.
 */
export function capacityOf(machine: { processors: number; threads: number }): Record<HeavyWork, Capacity> {
  const lane = (atOnce: number, waitingEach: number): Capacity => {
    const lanes = Math.max(1, Math.floor(atOnce));
    return { atOnce: lanes, waiting: lanes * waitingEach };
  };
  return {
    // Passwords use their own threads. About four seconds of work may wait.
    passwords: lane(machine.processors / 2, 64),
    // About ten seconds of work may wait, because each new pack needs its cover in several sizes.
    pictures: lane(Math.min(machine.processors, machine.threads) / 4, 100),
    // Each audio file may need half a gigabyte, so few run at once. Many may wait: browsers upload several at once.
    audio: lane(Math.min(4, machine.processors / 2), 32),
    // One thread writes all certificates. About ten seconds of work may wait.
    certificates: lane(1, 32),
    // A listing makes up to twenty requests to the storage.
    listings: lane(2, 16),
  };
}

export const CAPACITY = capacityOf({
  processors: navigator.hardwareConcurrency,
  threads: Number(process.env.UV_THREADPOOL_SIZE) || 4,
});
