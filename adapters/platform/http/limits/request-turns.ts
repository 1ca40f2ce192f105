import { AsyncResource } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import type { Middleware } from '../middleware.js';
import { addressOf } from '../request.js';

/** Number of ranks. Each rank allows twice as many recent requests as the rank before. The last rank has no limit. */
const RANKS = 8;
/** From this rank on, reached by about five requests in a second, an IP address counts as heavy. */
const MUCH = 2;
/** Limit of concurrent requests of all heavy addresses while the event loop is busy and other addresses send, too. */
const UNDER_WAY = 3;
const SECOND_MS = 1_000;
/** Requests may begin during this time of each turn of the event loop. The first request always begins. */
const TURN_MS = 1;
/**
 * At most this many waiting requests begin in a turn. Each begins in its own `setImmediate` callback, so the
 * promises of one request continue before the next request begins.
 */
const A_TURN = 16;
const LONGEST_WAIT_MS = 500;
/** Tracks at most this many IP addresses, then clears the table. */
const KNOWN_ADDRESSES = 10_000;

interface Waiting {
  since: number;
  address: string;
  rank: number;
  response: Parameters<Middleware>[1];
  begin: () => void;
}

/**
 * Lets requests begin only for a moment in each turn of the event loop, so that the node reads new requests soon.
 * Addresses with the fewest requests go first. While the loop is busy, heavy addresses have only a few requests in
 * progress, because each request in progress may lengthen every turn and so delay all others.
 */
export class RequestTurns {
  private readonly asked = new Map<string, { requests: number; at: number }>();
  private readonly waiting: Waiting[][] = Array.from({ length: RANKS }, () => []);
  private turnBegan: number | undefined;
  private isAwaited = false;
  private underWay = 0;
  /** The last request of an address that is not heavy. For a second after it, heavy addresses are limited. */
  private modest = { address: '', at: -Infinity };

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly isBusy: () => boolean = busyLoop(),
  ) {}

  readonly wait: Middleware = (request, response, next) => {
    const address = addressOf(request);
    const rank = this.rankOf(address);
    const since = this.now();
    if (rank < MUCH) this.modest = { address, at: since };
    const asking = { since, address, rank, response };
    if (!this.isAnyWaiting && this.turnLasts() && this.mayBegin(asking))
      return this.begin({ ...asking, begin: next });
    // Keep the async context of this request: the callback that begins it may run in the context of another one.
    const begin = AsyncResource.bind(() => {
      if (!response.destroyed) next();
    });
    this.waiting[rank]?.push({ ...asking, begin });
    this.awaitTurn();
  };

  private get isAnyWaiting(): boolean {
    return this.waiting.some((queue) => queue.length > 0);
  }

  private turnLasts(): boolean {
    const now = this.now();
    if (this.turnBegan === undefined) {
      this.turnBegan = now;
      setImmediate(() => (this.turnBegan = undefined));
    }
    return now - this.turnBegan < TURN_MS;
  }

  private begin({ rank, response, begin }: Waiting): void {
    if (rank >= MUCH && !response.destroyed) {
      this.underWay += 1;
      response.once('close', () => {
        this.underWay -= 1;
        if (this.isAnyWaiting) this.awaitTurn();
      });
    }
    begin();
  }

  /** Lets waiting requests begin in the next turn. If none of them may begin, checks again a millisecond later. */
  private awaitTurn(): void {
    if (this.isAwaited) return;
    this.isAwaited = true;
    let begun = 0;
    for (let n = 0; n < A_TURN; n += 1)
      setImmediate(() => {
        const next = this.isAnyWaiting && this.turnLasts() ? this.next() : undefined;
        if (!next) return;
        begun += 1;
        this.begin(next);
      });
    setImmediate(() => {
      this.isAwaited = false;
      if (!this.isAnyWaiting) return;
      if (begun > 0) this.awaitTurn();
      else setTimeout(() => this.awaitTurn(), 1);
    });
  }

  private next(): Waiting | undefined {
    const firsts = this.waiting.flatMap(([first]) => first ?? []);
    const longest = Math.min(...firsts.map(({ since }) => since));
    const isOver = this.now() - longest > LONGEST_WAIT_MS;
    const next = firsts.find((first) => (isOver ? first.since === longest : this.mayBegin(first)));
    return next && this.waiting[next.rank]?.shift();
  }

  private mayBegin({ rank, address }: Pick<Waiting, 'rank' | 'address'>): boolean {
    if (rank < MUCH || this.underWay < UNDER_WAY) return true;
    const othersAsk = this.modest.address !== address && this.now() - this.modest.at <= SECOND_MS;
    return !othersAsk || !this.isBusy();
  }

  /** Counts a request and returns the IP address's rank. Earlier requests lose half of their weight every second. */
  private rankOf(address: string): number {
    const at = this.now();
    const before = this.asked.get(address);
    const requests = 1 + (before ? before.requests * 0.5 ** ((at - before.at) / SECOND_MS) : 0);
    if (!before && this.asked.size >= KNOWN_ADDRESSES) this.asked.clear();
    this.asked.set(address, { requests, at });
    return Math.min(RANKS - 1, Math.floor(Math.log2(requests)));
  }
}

const BUSY = 0.9;
const LOOK_MS = 10;

/** Returns a function that checks whether this thread's event loop had almost no idle time recently. */
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
