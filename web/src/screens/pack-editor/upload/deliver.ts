import { api } from '../../../api/api.js';
import type { Answer } from '../../../api/endpoints.js';
import { sendFile, type SampleFileKey, type SendFile } from './send-file.js';
import { sendParts } from './send-parts.js';

interface Delivery {
  /** The same id for the same file, even after a reload, so that parts that arrived are not sent again. */
  uploadId: string;
  file: File;
  /** The part of the form with the file. */
  part: 'audio' | 'file';
  fields?: Readonly<Record<string, string>>;
  params: Readonly<Record<'id', string> & Partial<Record<'sampleId', string>>>;
  query?: SendFile['query'];
  ifMatch?: number | undefined;
  onProgress?: SendFile['onProgress'];
  /** Called when all bytes are in the bucket, or go to the server. */
  onForm?: () => void;
}

/**
 * Uploads a file to the bucket, or to the server if there is no bucket. Then sends the form that makes it part of a
 * sample.
 * @throws ApiProblem
 */
export async function deliver(
  key: SampleFileKey,
  { uploadId, file, part, fields, params, query, ifMatch, onProgress, onForm }: Delivery,
): Promise<Answer<SampleFileKey>> {
  const { id, sampleId } = params;
  const missing = async () => {
    const body = { filename: file.name, sizeBytes: file.size, ...(sampleId && { sampleId }) };
    const named = { id, uploadId };
    return (await api('PUT /api/creator/packs/:id/uploads/:uploadId', { params: named, body })).parts;
  };
  const parts = await missing();
  const isThere = parts !== null && (await sendParts(file, parts, missing, (share) => onProgress?.(share)));
  const body = new FormData();
  for (const [name, value] of Object.entries(fields ?? {})) body.append(name, value);
  if (isThere) body.append('stored', uploadId);
  else body.append(part, file, file.name);
  onForm?.();
  return sendFile(key, {
    params: { id, ...(sampleId && { sampleId }) },
    ...(query && { query }),
    body,
    ifMatch,
    ...(!isThere && onProgress && { onProgress }),
  });
}

/** Cancels an upload on the server. The server removes uploads by itself after a while if this request is lost. */
export function giveUp(packId: string, uploadId: string): void {
  const params = { id: packId, uploadId };
  api('DELETE /api/creator/packs/:id/uploads/:uploadId', { params }).catch(() => undefined);
}
