import { type Disk, DiskFull, type GrowingFile } from './disk.js';
import { ATTEMPTS, NeedsPerson, reasonOf, SilenceLimit } from './server.js';
import { NotDelivered, type Shop } from './shop.js';

/** The server's file differs from the file in the list of purchases. */
export class OtherFile extends Error {}

export interface Wanted {
  address: () => Promise<URL>;
  /** The partial file, to which a download is appended. */
  name: string;
  sizeBytes: number | null;
}

/**
 * Fetches a file into a partial file and flushes it. Continues after a lost connection. Does not check the hash.
 * @throws OtherFile if the server's file has another size
 * @throws NotDelivered after attempts without progress @throws TryLater if the shop gives no address
 */
export async function fetchFile(
  shop: Shop,
  disk: Disk,
  wanted: Wanted,
  onBytes: (count: number) => void,
): Promise<void> {
  const file = await disk.grow(wanted.name);
  try {
    for (let attempt = 1, etag = ''; ; attempt += 1) {
      const had = await file.size();
      if (had > 0 && had === wanted.sizeBytes) break;
      const address = await wanted.address();
      try {
        const source = { address, sizeBytes: wanted.sizeBytes, etag, stopped: shop.stopped };
        etag = await continueFile(file, had, source, onBytes);
        const size = await file.size();
        if (wanted.sizeBytes === null || size === wanted.sizeBytes) break;
        throw new Error('the connection ended early');
      } catch (error) {
        shop.stopped.throwIfAborted();
        if ([OtherFile, DiskFull, NeedsPerson].some((kind) => error instanceof kind)) throw error;
        const reason = reasonOf(error as Error);
        if ((await file.size()) > had) attempt = 0;
        else if (attempt === ATTEMPTS) throw new NotDelivered('NoBytes', reason);
        else await shop.wait(attempt, reason);
      }
    }
  } finally {
    await file.close();
  }
}

interface Source {
  address: URL;
  sizeBytes: number | null;
  etag: string;
  stopped: AbortSignal;
}

/** @returns the entity tag of the bytes */
async function continueFile(
  file: GrowingFile,
  had: number,
  { address, sizeBytes, etag, stopped }: Source,
  onBytes: (count: number) => void,
): Promise<string> {
  const silence = new SilenceLimit();
  try {
    const answer = await fetch(address, {
      // A compressed download cannot resume.
      headers: {
        'accept-encoding': 'identity',
        ...(had > 0 && { range: `bytes=${had}-` }),
        ...(had > 0 && etag && { 'if-range': etag }),
      },
      signal: AbortSignal.any([silence.signal, stopped]),
    });
    const isWhole = answer.status === 200;
    if (isWhole || answer.status === 416) await file.empty();
    if (answer.status === 416) throw new OtherFile();
    if (!(isWhole || answer.status === 206) || !answer.body)
      throw new Error(`the storage answers ${answer.status}`);
    // CORS may hide this header from pages. Then only the hash check detects another file.
    const range = answer.headers.get('content-range') ?? '';
    const total = isWhole ? answer.headers.get('content-length') : range.split('/')[1];
    const isOther = sizeBytes !== null && total && Number(total) !== sizeBytes;
    if (isOther || (range && !range.startsWith(`bytes ${had}-`))) throw new OtherFile();
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      silence.heard();
      await file.append(chunk);
      onBytes(chunk.length);
    }
    return answer.headers.get('etag') ?? '';
  } finally {
    silence.end();
  }
}
