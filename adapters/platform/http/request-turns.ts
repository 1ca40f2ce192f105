import { AsyncResource } from 'node:async_hooks';
import type { Middleware } from './middleware.js';
import { addressOf } from './request.js';

/** An address has asked much when its requests of about a second are more than these; a page with its pictures is less. */
const MUCH = 30;
const SECOND_MS = 1_000;
/** Who has asked much waits no longer than this for others, ms. */
const LONGEST_WAIT_MS = 500;
/** Of so many addresses it is known what they asked; then all begin anew. */
const KNOWN_ADDRESSES = 10_000;

interface Waiting {
  since: number;
  begin: () => void;
}

/**
 * One request begins in a turn of the event loop, so that whoever comes meanwhile is seen; those of addresses that have
 * asked much begin after the others.
 */
export class RequestTurns {
  readonly #asked = new Map<string, { requests: number; at: number }>();
  readonly #first: Waiting[] = [];
  readonly #last: Waiting[] = [];
  #isTaken = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  readonly wait: Middleware = (request, response, next) => {
    const hasAskedMuch = this.#hasAskedMuch(addressOf(request));
    if (!this.#isTaken && this.#first.length + this.#last.length === 0) return this.#begin(next);
    // The turn in which it begins belongs to another request, and so does what is traced there.
    const begin = AsyncResource.bind(() => {
      if (!response.destroyed) next();
    });
    (hasAskedMuch ? this.#last : this.#first).push({ since: this.now(), begin });
  };

  #begin(begin: () => void): void {
    this.#isTaken = true;
    setImmediate(() => {
      this.#isTaken = false;
      const waiting = this.#next();
      if (waiting) this.#begin(waiting.begin);
    });
    begin();
  }

  #next(): Waiting | undefined {
    const [last] = this.#last;
    const hasWaitedLong = last !== undefined && this.now() - last.since > LONGEST_WAIT_MS;
    return (hasWaitedLong ? undefined : this.#first.shift()) ?? this.#last.shift();
  }

  /** Counts its requests; what it asked earlier counts half after each second. */
  #hasAskedMuch(address: string): boolean {
    const at = this.now();
    const before = this.#asked.get(address);
    const requests = 1 + (before ? before.requests * 0.5 ** ((at - before.at) / SECOND_MS) : 0);
    if (!before && this.#asked.size >= KNOWN_ADDRESSES) this.#asked.clear();
    this.#asked.set(address, { requests, at });
    return requests > MUCH;
  }
}
