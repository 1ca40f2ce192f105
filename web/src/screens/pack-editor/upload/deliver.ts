import { api } from '../../../api/api.js';
import type { Answer } from '../../../api/endpoints.js';
import { sendFile, type SampleFileKey, type SendFile } from './send-file.js';
import { sendParts } from './send-parts.js';

interface Delivery {
  /** The same for the same file, also after a reload: what arrived is not sent again. */
  uploadId: string;
  file: File;
  /** The part of the form that carries the file. */
  part: 'audio' | 'file';
  /** Other parts of the form. */
  fields?: Readonly<Record<string, string>>;
  params: Readonly<Record<'id', string> & Partial<Record<'sampleId', string>>>;
  query?: SendFile['query'];
  ifMatch?: number | undefined;
  onProgress?: SendFile['onProgress'];
  /** All bytes are in the bucket, or go to the server now. */
  onForm?: () => void;
}

/**
 * Brings a file to the bucket where the server has one, else to the server, and has it become what the endpoint says.
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

/** Tells the server that a file will not be sent any more. What it does not hear of goes by itself after a while. */
export function giveUp(packId: string, uploadId: string): void {
  const params = { id: packId, uploadId };
  api('DELETE /api/creator/packs/:id/uploads/:uploadId', { params }).catch(() => undefined);
}
