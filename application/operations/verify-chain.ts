import type { EventStore, StoredEvent } from '../shared/event-store.js';
import { GENESIS_HASH, nextHash } from '../shared/proof/hash-chain.js';

export type ChainVerdict =
  | { verified: true; position: number }
  /** The first position at which the log was changed, and what is wrong there. */
  | { verified: false; position: number; reason: 'gap' | 'hash' | 'head'; detail: string };

/**
 * Recomputes the hash chain over the whole log, in pages of constant memory.
 * @param options.witness gets every event up to the head, in order, also after a fault, so that another audit need
 * not read the log again
 */
export async function verifyChain(
  log: EventStore,
  options: { pageEvents?: number; witness?: (event: StoredEvent) => void } = {},
): Promise<ChainVerdict> {
  const { pageEvents = 1_000, witness } = options;
  // Read first, so that events appended during the check are not judged.
  const head = await log.head();
  let position = 0;
  let hash = GENESIS_HASH;
  let broken: ChainVerdict | undefined;
  for await (const page of pagesUpTo(log, head.position, pageEvents)) {
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
  if (position < head.position) {
    const detail = 'the log ends before its head';
    return { verified: false, position: position + 1, reason: 'gap', detail };
  }
  if (hash !== head.hash) {
    const detail = 'the head has another hash than the newest event';
    return { verified: false, position, reason: 'head', detail };
  }
  return { verified: true, position };
}

/** One page is read while the one before is worked on. */
async function* pagesUpTo(log: EventStore, until: number, limit: number): AsyncGenerator<StoredEvent[]> {
  const read = (after: number): Promise<StoredEvent[]> => {
    const page = log.readStored({ after, limit });
    // Awaited later; until then its failure must not count as unhandled.
    page.catch(() => {});
    return page;
  };
  let next: Promise<StoredEvent[]> | undefined = read(0);
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
