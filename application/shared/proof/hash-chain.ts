import { hash } from 'node:crypto';

/** The parts of an event that the chain covers: everything, in the bytes as stored. */
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

/** The buffer for the bytes to hash: the purchase path hashes some ten thousand events a second. */
let scratch = Buffer.allocUnsafe(4_096);

/** SHA-256 over the previous hash and this event's bytes, hex in and out. */
export function nextHash(previousHash: string, event: ChainedBytes): string {
  const { position, stream, version, type, recordedAt, data, metadata } = event;
  const head = JSON.stringify([position, stream, version, type, recordedAt.getTime()]);
  const text = `${head}\n${data}\n${metadata}`;
  // No UTF-16 unit takes more than three bytes of UTF-8.
  const mostBytes = HASH_BYTES + text.length * 3;
  if (scratch.length < mostBytes) scratch = Buffer.allocUnsafe(mostBytes);
  scratch.write(previousHash, 0, 'hex');
  const bytes = HASH_BYTES + scratch.write(text, HASH_BYTES);
  return hash('sha256', scratch.subarray(0, bytes));
}
