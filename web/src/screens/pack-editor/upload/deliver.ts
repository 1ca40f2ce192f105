import type * as z from 'zod';
import type { DirectParts } from '../../../../../application/publishing/contract.js';
import { api } from '../../../api/api.js';
import { ApiProblem } from '../../../api/transport/http.js';
import { type SampleFileAnswer, type SampleFileKey, type SendFile, sendFile, transmit } from './transmit.js';

type Parts = z.infer<typeof DirectParts>;

/** The upload to the bucket stops after this many failures in a row without a new part in the bucket. */
const ATTEMPTS = 3;

/**
 * Sends the parts of a file that the bucket lacks. After a failure, asks the server again for the missing parts,
 * because addresses expire and parts that arrived are not sent again.
 * @param missing asks the server for the missing parts
 * @param progress `onProgress` gets the share of the whole file that has arrived, 0 to 1
 * @returns true if the bucket has the whole file. False if the server no longer offers a bucket, or if this browser
 * apparently cannot reach the bucket, because no part arrived although the server answers.
 * @throws ApiProblem
 */
async function sendParts(
  file: File,
  begun: Parts,
  missing: () => Promise<Parts | null>,
  { onProgress, signal }: Pick<Delivery, 'onProgress' | 'signal'>,
): Promise<boolean> {
  let parts: Parts | null = begun;
  for (let attempt = 1; parts; attempt += 1) {
    const open = parts.missing.length;
    try {
      await sendEach(file, parts, { onProgress, signal });
      return true;
    } catch (error) {
      if (signal?.aborted) throw error;
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

/** Sends each missing part, and removes it from the list `missing` once it has arrived. */
async function sendEach(
  file: File,
  parts: Parts,
  { onProgress, signal }: Pick<Delivery, 'onProgress' | 'signal'>,
): Promise<void> {
  const { partBytes, missing } = parts;
  for (let part = missing[0]; part; part = missing[0]) {
    const body = file.slice((part.number - 1) * partBytes, part.number * partBytes);
    const arrived = file.size - missing.reduce((sum, each) => sum + sizeOf(file, partBytes, each.number), 0);
    await transmit({
      method: 'PUT',
      address: part.url,
      body,
      onProgress: (share) => onProgress?.((arrived + share * body.size) / file.size),
      signal,
    });
    missing.shift();
  }
}

const sizeOf = (file: File, partBytes: number, number: number): number =>
  Math.min(partBytes, file.size - (number - 1) * partBytes);

/** Returns the file's name without double quotes and line ends, because browsers escape these in forms irreversibly. */
export const sentName = ({ name }: File): string =>
  name.replaceAll('"', "'").replaceAll(/[\p{Cc}\s]+/gu, ' ');

const countOf = (file: File, { partBytes }: Parts): number => Math.ceil(file.size / partBytes);

interface Delivery {
  /** The same id for the same file, even after a reload, so that parts that arrived are not sent again. */
  uploadId: string;
  file: File;
  part: 'audio' | 'file';
  fields?: Readonly<Record<string, string>>;
  params: Readonly<Record<'id', string> & Partial<Record<'sampleId', string>>>;
  query?: SendFile['query'];
  ifMatch?: number | undefined;
  onProgress?: SendFile['onProgress'];
  /** Called once the server has all bytes of the file. */
  onSent?: () => void;
  /** Cancels the delivery. The server may already have the file. */
  signal?: AbortSignal;
}

/**
 * Uploads a file to the bucket, then sends the form that makes it part of a sample. The form contains the file if there
 * is no bucket, or if this browser cannot reach it.
 * @throws ApiProblem
 */
export async function deliver(
  key: SampleFileKey,
  { uploadId, file, part, fields, params, query, ifMatch, onProgress, onSent, signal }: Delivery,
): Promise<SampleFileAnswer> {
  const { id, sampleId } = params;
  const missing = async () => {
    const body = { filename: sentName(file), sizeBytes: file.size, ...(sampleId && { sampleId }) };
    const named = { id, uploadId };
    return (await api('PUT /api/creator/packs/:id/uploads/:uploadId', { params: named, body, signal })).parts;
  };
  const parts = await missing();
  const isThere = parts !== null && (await sendParts(file, parts, missing, { onProgress, signal }));
  const body = new FormData();
  for (const [name, value] of Object.entries(fields ?? {})) body.append(name, value);
  if (isThere) body.append('stored', uploadId);
  else body.append(part, file, sentName(file));
  const send = () =>
    sendFile(key, {
      params: { id, ...(sampleId && { sampleId }) },
      query,
      body,
      ifMatch,
      onProgress: isThere ? undefined : onProgress,
      onSent,
      signal,
    });
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'NotSignedIn') throw error;
    // The session ended during the upload. Calling `missing` asks the creator to sign in again.
    await missing();
    return send();
  }
}

/** Cancels an upload on the server. The server removes uploads by itself after a while if this request is lost. */
export function giveUp(packId: string, uploadId: string): void {
  const params = { id: packId, uploadId };
  api('DELETE /api/creator/packs/:id/uploads/:uploadId', { params }).catch(() => undefined);
}
