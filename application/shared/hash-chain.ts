import { createHash } from 'node:crypto';

/** What of an event the chain covers: everything, in the bytes as stored. */
export interface ChainedBytes {
  position: number;
  stream: string;
  version: number;
  type: string;
  /** JSON text exactly as stored. */
  data: string;
  /** JSON text exactly as stored. */
  metadata: string;
  recordedAt: Date;
}

export const GENESIS_HASH = '00'.repeat(32);

/** SHA-256 over the previous hash and this event's bytes, hex in and out. */
export function nextHash(previousHash: string, event: ChainedBytes): string {
  const head = JSON.stringify([
    event.position,
    event.stream,
    event.version,
    event.type,
    event.recordedAt.getTime(),
  ]);
  return createHash('sha256')
    .update(Buffer.from(previousHash, 'hex'))
    .update(`${head}\n${event.data}\n${event.metadata}`)
    .digest('hex');
}
