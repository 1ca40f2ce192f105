import { open, type FileHandle } from 'node:fs/promises';
import { ATTEMPTS, reasonOf, SilenceLimit } from './server.js';
import { NotDelivered, type Shop } from './shop.js';

/** The disk is full, or the person's share of it. */
export class DiskFull extends Error {}

/** The server has another file than listed. */
export class OtherFile extends Error {}

export interface Wanted {
  address: () => Promise<URL>;
  /** The partial file; its bytes are kept and continued. */
  path: string;
  sizeBytes: number | null;
}

/**
 * Fetches a file into a partial file and flushes it. Continues after a lost connection. Does not check the hash.
 * @throws OtherFile if the server's file has another size
 * @throws NotDelivered after attempts without progress @throws TryLater if the shop gives no address @throws DiskFull
 */
export async function fetchFile(shop: Shop, wanted: Wanted, onBytes: (count: number) => void): Promise<void> {
  const file = await open(wanted.path, 'a');
  try {
    for (let attempt = 1, etag = ''; ; attempt += 1) {
      const had = (await file.stat()).size;
      if (had > 0 && had === wanted.sizeBytes) break;
      const address = await wanted.address();
      try {
        etag = await continueFile(file, had, { address, sizeBytes: wanted.sizeBytes, etag }, onBytes);
        const { size } = await file.stat();
        if (wanted.sizeBytes === null || size === wanted.sizeBytes) break;
        throw new Error('the connection ended early');
      } catch (error) {
        if (error instanceof OtherFile) throw error;
        if (isDiskFull(error)) throw new DiskFull();
        const reason = reasonOf(error as Error);
        if ((await file.stat()).size > had) attempt = 0;
        else if (attempt === ATTEMPTS) throw new NotDelivered('NoBytes', reason);
        else await shop.wait(attempt, reason);
      }
    }
    await file.sync().catch((error: unknown) => {
      throw isDiskFull(error) ? new DiskFull() : error;
    });
  } finally {
    await file.close();
  }
}

interface Source {
  address: URL;
  sizeBytes: number | null;
  etag: string;
}

/** @returns the entity tag of the bytes */
async function continueFile(
  file: FileHandle,
  had: number,
  { address, sizeBytes, etag }: Source,
  onBytes: (count: number) => void,
): Promise<string> {
  const silence = new SilenceLimit();
  try {
    const answer = await fetch(address, {
      // Compressed bytes could not be continued.
      headers: {
        'accept-encoding': 'identity',
        ...(had > 0 && { range: `bytes=${had}-` }),
        ...(had > 0 && etag && { 'if-range': etag }),
      },
      signal: silence.signal,
    });
    const isWhole = answer.status === 200;
    if (isWhole || answer.status === 416) await file.truncate(0);
    if (answer.status === 416) throw new OtherFile();
    if (!(isWhole || answer.status === 206) || !answer.body)
      throw new Error(`the storage answers ${answer.status}`);
    const range = answer.headers.get('content-range') ?? '';
    const total = isWhole ? answer.headers.get('content-length') : range.split('/')[1];
    const isOther = sizeBytes !== null && total && Number(total) !== sizeBytes;
    if (isOther || (!isWhole && !range.startsWith(`bytes ${had}-`))) throw new OtherFile();
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      silence.heard();
      await file.appendFile(chunk);
      onBytes(chunk.length);
    }
    return answer.headers.get('etag') ?? '';
  } finally {
    silence.end();
  }
}

export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '');
