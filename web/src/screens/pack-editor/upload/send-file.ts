import { backend, hintAtOrigins } from '../../../api/transport/backend.js';
import { placeOf } from '../../../api/api.js';
import type { Answer, Key } from '../../../api/endpoints.js';
import { addressOf, ApiProblem } from '../../../api/transport/http.js';
import { problemWith, transmit } from './transmit.js';

export type SampleFileKey = Extract<
  Key,
  'POST /api/creator/packs/:id/samples' | `PUT /api/creator/packs/:id/samples/:sampleId/${string}`
>;
export interface SendFile {
  params: Readonly<Record<string, string>>;
  query?: { uploadId: string };
  body: FormData;
  ifMatch?: number | undefined;
  /** @param share of the bytes that were sent, 0 to 1 */
  onProgress?: (share: number) => void;
}

/**
 * Sends a form to the server, with the session.
 * @throws ApiProblem
 */
export async function sendFile(
  key: SampleFileKey,
  { params, query, body, ifMatch, onProgress }: SendFile,
): Promise<Answer<SampleFileKey>> {
  const [method, path] = placeOf(key, params);
  const server = backend();
  if (!server) throw problemWith({ code: 'BackendNotConfigured', title: 'backend not configured' }, 0);
  const sent = transmit({
    method,
    address: server.origin + addressOf(path, query),
    withCredentials: server.origin !== '',
    headers: {
      accept: 'application/json',
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    },
    body,
    onProgress,
  });
  try {
    return (await sent) as Answer<SampleFileKey>;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'Unreachable') hintAtOrigins(server.origin);
    throw error;
  }
}
