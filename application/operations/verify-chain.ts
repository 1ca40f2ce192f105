import type { EventStore, StoredEvent } from '../ports/event-store.js';
import { GENESIS_HASH, nextHash } from '../shared/hash-chain.js';

export type ChainVerdict =
  | { verified: true; position: number }
  /** The first place where the log is not as it was written, and what is wrong there. */
  | { verified: false; position: number; reason: 'gap' | 'hash' | 'head'; detail: string };

/** Recomputes the hash chain over the whole log, in pages of constant memory. */
export async function verifyChain(log: EventStore, { pageEvents = 10_000 } = {}): Promise<ChainVerdict> {
  // Read first: what is appended meanwhile lies behind it and is not judged.
  const head = await log.head();
  let position = 0;
  let hash = GENESIS_HASH;
  while (position < head.position) {
    const page = await log.readStored({
      after: position,
      limit: Math.min(pageEvents, head.position - position),
    });
    for (const event of page) {
      const fault = faultOf(event, position, hash);
      if (fault) return { verified: false, position: position + 1, ...fault };
      ({ position, hash } = event);
    }
    if (page.length === 0)
      return {
        verified: false,
        position: position + 1,
        reason: 'gap',
        detail: 'the log ends before its head',
      };
  }
  if (hash !== head.hash)
    return {
      verified: false,
      position,
      reason: 'head',
      detail: 'the head has another hash than the newest event',
    };
  return { verified: true, position };
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
