import type { EventStore, StoredEvent } from '../shared/event-store.js';
import { GENESIS_HASH, nextHash } from '../shared/proof/hash-chain.js';

export type ChainVerdict =
  | { verified: true; position: number; hash: string }
  /** The first position at which the log was changed, and the fault there. */
  | { verified: false; position: number; reason: 'gap' | 'hash' | 'head'; detail: string };

export interface LogPlace {
  position: number;
  hash: string;
}

export const LOG_START: LogPlace = { position: 0, hash: GENESIS_HASH };

interface ChainOptions {
  pageEvents?: number;
  from?: LogPlace;
  until?: number;
  prepare?: (page: readonly StoredEvent[]) => Promise<void>;
  /** Called with every event in order, even after a fault, so that another audit need not read the log again. */
  witness?: (event: StoredEvent) => void;
  signal?: AbortSignal | undefined;
}

/** Recomputes the hash chain of the log, or of a part of it, in constant memory. */
export async function verifyChain(log: EventStore, options: ChainOptions = {}): Promise<ChainVerdict> {
  const { pageEvents = 2_000, from = LOG_START, prepare, witness, signal } = options;
  // The end of the log is read before the check, so events that are appended during it are not checked.
  const head = await log.head();
  const until = Math.min(options.until ?? head.position, head.position);
  let { position, hash } = from;
  let broken: ChainVerdict | undefined;
  for await (const page of pagesUpTo(log, { from: position, until, limit: pageEvents })) {
    signal?.throwIfAborted();
    await prepare?.(page);
    for (const event of page) {
      if (!broken) {
        const fault = faultOf(event, position, hash);
        if (fault) broken = { verified: false, position: position + 1, ...fault };
        ({ position, hash } = event);
      }
      witness?.(event);
    }
    if (broken && !witness) return broken;
  }
  if (broken) return broken;
  if (position < until) {
    const detail = 'the log ends before its head';
    return { verified: false, position: position + 1, reason: 'gap', detail };
  }
  if (position === head.position && hash !== head.hash) {
    const detail = 'the head has another hash than the newest event';
    return { verified: false, position, reason: 'head', detail };
  }
  return { verified: true, position, hash };
}

/** Reads the next page while the caller works on the current one. */
async function* pagesUpTo(
  log: EventStore,
  { from, until, limit }: { from: number; until: number; limit: number },
): AsyncGenerator<StoredEvent[]> {
  const read = (after: number): Promise<StoredEvent[]> => {
    const page = log.readStored({ after, limit });
    // The promise is awaited later. A failure before that must not count as unhandled.
    page.catch(() => {});
    return page;
  };
  let next: Promise<StoredEvent[]> | undefined = read(from);
  while (next) {
    const page: StoredEvent[] = await next;
    const last = page.at(-1)?.position ?? until;
    next = last < until && page.length === limit ? read(last) : undefined;
    yield last <= until ? page : page.filter(({ position }) => position <= until);
  }
}

function faultOf(
  event: StoredEvent,
  position: number,
  hash: string,
): { reason: 'gap' | 'hash'; detail: string } | undefined {
  if (event.position !== position + 1)
    return { reason: 'gap', detail: `position ${position + 1} is missing` };
  if (nextHash(hash, event) !== event.hash)
    return { reason: 'hash', detail: `${event.stream} version ${event.version} was changed` };
  return undefined;
}
