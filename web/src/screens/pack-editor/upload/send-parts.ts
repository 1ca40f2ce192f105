import type * as z from 'zod';
import type { DirectParts } from '../../../../../application/publishing/contract.js';
import { transmit } from './transmit.js';

type Parts = z.infer<typeof DirectParts>;

/** Consecutive failures without a part that arrived in between. */
const ATTEMPTS = 3;

/**
 * Sends the parts of a file that the bucket lacks. After a failure it asks the server again for the missing parts:
 * addresses expire, and parts that arrived are not sent again.
 * @param missing asks the server for the missing parts
 * @param onShare gets the share of the whole file that has arrived, 0 to 1
 * @returns false if the server answers but the bucket took no part: this browser cannot reach the bucket
 * @throws ApiProblem
 */
export async function sendParts(
  file: File,
  begun: Parts,
  missing: () => Promise<Parts | null>,
  onShare: (share: number) => void,
): Promise<boolean> {
  let parts: Parts | null = begun;
  for (let attempt = 1; parts; attempt += 1) {
    const open = parts.missing.length;
    try {
      await sendEach(file, parts, onShare);
      return true;
    } catch (error) {
      const failed: number = parts.missing.length;
      parts = await missing();
      if (!parts) return false;
      if (Math.min(failed, parts.missing.length) < open) attempt = 0;
      else if (attempt === ATTEMPTS) {
        if (parts.missing.length === countOf(file, parts)) return false;
        throw error;
      }
    }
  }
  return false;
}

/** Sends each missing part, and removes it from the list once it has arrived. */
async function sendEach(file: File, parts: Parts, onShare: (share: number) => void): Promise<void> {
  const { partBytes, missing } = parts;
  for (let part = missing[0]; part; part = missing[0]) {
    const body = file.slice((part.number - 1) * partBytes, part.number * partBytes);
    const arrived = file.size - missing.reduce((sum, each) => sum + sizeOf(file, partBytes, each.number), 0);
    await transmit({
      method: 'PUT',
      address: part.url,
      body,
      onProgress: (share) => onShare((arrived + share * body.size) / file.size),
    });
    missing.shift();
  }
}

const sizeOf = (file: File, partBytes: number, number: number): number =>
  Math.min(partBytes, file.size - (number - 1) * partBytes);

const countOf = (file: File, { partBytes }: Parts): number => Math.ceil(file.size / partBytes);
