import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Returns the SHA-256 of a file in hexadecimal. Reads the file in chunks, because Web Crypto would need all of it in
 * memory.
 * @param onProgress gets the share of the file that was read, from 0 to 1
 * @throws if the file cannot be read or `signal` aborts
 */
export async function sha256Of(
  file: Blob,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<string> {
  const hash = sha256.create();
  for (let from = 0; from < file.size; from += CHUNK_BYTES) {
    const chunk = await file.slice(from, from + CHUNK_BYTES).arrayBuffer();
    signal.throwIfAborted();
    hash.update(new Uint8Array(chunk));
    onProgress(Math.min(1, (from + CHUNK_BYTES) / file.size));
  }
  return bytesToHex(hash.digest());
}
