import { backend, hintAtOrigins } from '../../../api/transport/backend.js';
import { placeOf } from '../../../api/api.js';
import type { Answer, Key } from '../../../api/endpoints.js';
import { addressOf, ApiProblem } from '../../../api/transport/http.js';
import type { Problem } from '../../../../../application/shared/contract.js';

/** Endpoints that take the files of a sample. */
type SampleFileKey = Extract<
  Key,
  'POST /api/creator/packs/:id/samples' | `PUT /api/creator/packs/:id/samples/:sampleId/${string}`
>;
interface SendFile {
  params: Readonly<Record<string, string>>;
  query?: { uploadId: string };
  body: FormData;
  ifMatch?: number;
  /** @param share of the bytes sent, 0 to 1 */
  onProgress?: (share: number) => void;
}

/** After this time without progress the connection counts as lost. */
export const STALL_LIMIT_MS = 60_000;
/** How long the server may work on a complete file. */
export const FINISH_LIMIT_MS = 10 * 60_000;

/**
 * Sends a multipart body and tells how far it is, which `fetch` cannot. It may last as long as it moves.
 * @throws ApiProblem
 */
export function sendFile(
  key: SampleFileKey,
  { params, query, body, ifMatch, onProgress }: SendFile,
): Promise<Answer<SampleFileKey>> {
  const [method, path] = placeOf(key, params);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settled = new AbortController();
    const settle = () => {
      clearTimeout(timer);
      settled.abort();
    };
    const refuse = (problem: Partial<Problem>) => {
      settle();
      reject(
        new ApiProblem({
          type: 'about:blank',
          title: 'The server could not answer',
          code: 'Unexpected',
          ...problem,
          status: request.status,
        }),
      );
    };
    const server = backend();
    if (!server) return refuse({ code: 'BackendNotConfigured', title: 'backend not configured' });
    const giveUp = (problem: Partial<Problem>) => {
      refuse(problem);
      request.abort();
    };
    const endIn = (limitMs: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => giveUp({ code: 'AnswerOverdue', title: 'The connection stalled.' }), limitMs);
    };
    // A request that outlived the connection may wait for an answer that cannot come.
    const lost = () => giveUp({ code: 'Unreachable', title: 'The connection was lost.' });
    window.addEventListener('online', lost, { signal: settled.signal });
    request.open(method, server.origin + addressOf(path, query));
    request.withCredentials = server.origin !== '';
    request.responseType = 'json';
    request.setRequestHeader('accept', 'application/json');
    if (ifMatch !== undefined) request.setRequestHeader('if-match', `"${ifMatch}"`);
    request.upload.addEventListener('progress', (event) => {
      endIn(STALL_LIMIT_MS);
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    });
    request.upload.addEventListener('load', () => endIn(FINISH_LIMIT_MS));
    request.addEventListener('load', () => {
      settle();
      if (request.status >= 200 && request.status < 300) resolve(request.response as Answer<SampleFileKey>);
      else refuse((request.response as Partial<Problem> | null) ?? {});
    });
    request.addEventListener('error', () => {
      hintAtOrigins(server.origin);
      refuse({ code: 'Unreachable', title: 'The connection was lost.' });
    });
    endIn(STALL_LIMIT_MS);
    request.send(body);
  });
}
