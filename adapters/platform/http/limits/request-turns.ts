import { AsyncResource } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import type { Middleware } from '../middleware.js';
import { addressOf } from '../request.js';

/** Requests of about a second double from one rank to the next; the last one has no end. */
const RANKS = 8;
/** From this rank on, with its fifth request, an address has asked much. */
const MUCH = 2;
/** So many requests of those who asked much are under way while the event loop is busy and others ask, too. */
const UNDER_WAY = 3;
const SECOND_MS = 1_000;
/** In a turn of the event loop requests begin for so long, ms; the first one begins anyway. */
const TURN_MS = 1;
/** As many as can begin in a turn of those that have waited; between two of them goes on what they have begun. */
const A_TURN = 16;
/** Nobody waits longer than this for others, ms. */
const LONGEST_WAIT_MS = 500;
/** Of so many addresses it is known what they asked; then all begin anew. */
const KNOWN_ADDRESSES = 10_000;

interface Waiting {
  since: number;
  address: string;
  rank: number;
  response: Parameters<Middleware>[1];
  begin: () => void;
}

/**
 * Requests begin for a moment in each turn of the event loop, so that whoever comes meanwhile is seen, and first those
 * of who asked least. While the loop has no time left, those who asked much have a few requests under way and no more:
 * each of them has work in every turn, which all others wait for.
 */
export class RequestTurns {
  readonly #asked = new Map<string, { requests: number; at: number }>();
  readonly #waiting: Waiting[][] = Array.from({ length: RANKS }, () => []);
  #turnBegan: number | undefined;
  #isAwaited = false;
  #underWay = 0;
  /** The last request of an address that had not asked much. */
  #modest = { address: '', at: -Infinity };

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly isBusy: () => boolean = busyLoop(),
  ) {}

  readonly wait: Middleware = (request, response, next) => {
    const address = addressOf(request);
    const rank = this.#rankOf(address);
    const since = this.now();
    if (rank < MUCH) this.#modest = { address, at: since };
    const asking = { since, address, rank, response };
    if (!this.#isAnyWaiting && this.#turnLasts() && this.#mayBegin(asking))
      return this.#begin({ ...asking, begin: next });
    // The turn in which it begins belongs to another request, and so does what is traced there.
    const begin = AsyncResource.bind(() => {
      if (!response.destroyed) next();
    });
    this.#waiting[rank]?.push({ ...asking, begin });
    this.#awaitTurn();
  };

  get #isAnyWaiting(): boolean {
    return this.#waiting.some((queue) => queue.length > 0);
  }

  #turnLasts(): boolean {
    const now = this.now();
    if (this.#turnBegan === undefined) {
      this.#turnBegan = now;
      setImmediate(() => (this.#turnBegan = undefined));
    }
    return now - this.#turnBegan < TURN_MS;
  }

  #begin({ rank, response, begin }: Waiting): void {
    if (rank >= MUCH && !response.destroyed) {
      this.#underWay += 1;
      response.once('close', () => {
        this.#underWay -= 1;
        if (this.#isAnyWaiting) this.#awaitTurn();
      });
    }
    begin();
  }

  /** In the next turn begins who waits; where all have to wait for others, it looks again a little later. */
  #awaitTurn(): void {
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    let begun = 0;
    for (let n = 0; n < A_TURN; n += 1)
      setImmediate(() => {
        const next = this.#isAnyWaiting && this.#turnLasts() ? this.#next() : undefined;
        if (!next) return;
        begun += 1;
        this.#begin(next);
      });
    setImmediate(() => {
      this.#isAwaited = false;
      if (!this.#isAnyWaiting) return;
      if (begun > 0) this.#awaitTurn();
      else setTimeout(() => this.#awaitTurn(), 1);
    });
  }

  #next(): Waiting | undefined {
    const firsts = this.#waiting.flatMap(([first]) => first ?? []);
    const longest = Math.min(...firsts.map(({ since }) => since));
    const isOver = this.now() - longest > LONGEST_WAIT_MS;
    const next = firsts.find((first) => (isOver ? first.since === longest : this.#mayBegin(first)));
    return next && this.#waiting[next.rank]?.shift();
  }

  #mayBegin({ rank, address }: Pick<Waiting, 'rank' | 'address'>): boolean {
    if (rank < MUCH || this.#underWay < UNDER_WAY) return true;
    const othersAsk = this.#modest.address !== address && this.now() - this.#modest.at <= SECOND_MS;
    return !othersAsk || !this.isBusy();
  }

  /** Counts its requests; what it asked earlier counts half after each second. */
  #rankOf(address: string): number {
    const at = this.now();
    const before = this.#asked.get(address);
    const requests = 1 + (before ? before.requests * 0.5 ** ((at - before.at) / SECOND_MS) : 0);
    if (!before && this.#asked.size >= KNOWN_ADDRESSES) this.#asked.clear();
    this.#asked.set(address, { requests, at });
    return Math.min(RANKS - 1, Math.floor(Math.log2(requests)));
  }
}

const BUSY = 0.9;
const LOOK_MS = 10;

/** Whether this thread's event loop had next to no idle time lately. */
function busyLoop(): () => boolean {
  let before = performance.eventLoopUtilization();
  let isBusy = false;
  return () => {
    const now = performance.eventLoopUtilization();
    const { idle, active, utilization } = performance.eventLoopUtilization(now, before);
    if (idle + active >= LOOK_MS) [before, isBusy] = [now, utilization > BUSY];
    return isBusy;
  };
}
