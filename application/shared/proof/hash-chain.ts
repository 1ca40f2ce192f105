import { hash } from 'node:crypto';

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

const HASH_BYTES = 32;

export const GENESIS_HASH = '00'.repeat(HASH_BYTES);

/** A reused buffer for the bytes to hash, because the purchase path hashes about ten thousand events a second. */
let scratch = Buffer.allocUnsafe(4_096);

/** Returns the SHA-256 over the previous hash and this event's bytes. All hashes are hex. */
export function nextHash(previousHash: string, event: ChainedBytes): string {
  const { position, stream, version, type, recordedAt, data, metadata } = event;
  const head = JSON.stringify([position, stream, version, type, recordedAt.getTime()]);
  const text = `${head}\n${data}\n${metadata}`;
  // A UTF-16 unit takes at most three bytes of UTF-8.
  const mostBytes = HASH_BYTES + text.length * 3;
  if (scratch.length < mostBytes) scratch = Buffer.allocUnsafe(mostBytes);
  scratch.write(previousHash, 0, 'hex');
  const bytes = HASH_BYTES + scratch.write(text, HASH_BYTES);
  return hash('sha256', scratch.subarray(0, bytes));
}
