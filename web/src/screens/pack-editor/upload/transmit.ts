import type { Problem } from '../../../../../application/shared/contract.js';
import { placeOf } from '../../../api/api.js';
import type { Answer, Key } from '../../../api/endpoints.js';
import { backend, hintAtOrigins } from '../../../api/transport/backend.js';
import { addressOf, ApiProblem, problemWith } from '../../../api/transport/http.js';

/** The connection counts as lost after this time without progress. */
export const STALL_LIMIT_MS = 60_000;
/** The time limit for the server's answer after it has received the whole file. */
const FINISH_LIMIT_MS = 10 * 60_000;

interface Transmission {
  method: string;
  address: string;
  headers?: Readonly<Record<string, string>>;
  withCredentials?: boolean;
  body: FormData | Blob;
  /** @param share the sent part of all bytes, 0 to 1 */
  onProgress?: ((share: number) => void) | undefined;
  /** Called once all bytes were sent, before the answer. */
  onSent?: (() => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Sends bytes and reports the progress of sending, which `fetch` cannot report. Has no time limit while bytes move.
 * @returns the JSON of the answer; null if it is not JSON
 * @throws ApiProblem with status 0 if no answer came, otherwise with the content of the refusal
 */
export function transmit({
  method,
  address,
  headers,
  withCredentials,
  body,
  onProgress,
  onSent,
  signal,
}: Transmission) {
  return new Promise<unknown>((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settled = new AbortController();
    const settle = () => {
      clearTimeout(timer);
      settled.abort();
    };
    const refuse = (problem: Partial<Problem> | null) => {
      settle();
      reject(problemWith(problem, request.status));
    };
    const giveUp = (problem: Partial<Problem>) => {
      refuse(problem);
      request.abort();
    };
    const endIn = (limitMs: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => giveUp({ code: 'AnswerOverdue', title: 'The connection stalled.' }), limitMs);
    };
    // The event `online` means that the connection was lost and is back. The answer to this request may then never
    // come.
    const lost = () => giveUp({ code: 'Unreachable', title: 'The connection was lost.' });
    window.addEventListener('online', lost, { signal: settled.signal });
    const cancel = () => giveUp({ code: 'Cancelled', title: 'The upload was cancelled.' });
    signal?.addEventListener('abort', cancel, { signal: settled.signal });
    request.open(method, address);
    request.withCredentials = withCredentials ?? false;
    request.responseType = 'json';
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', (event) => {
      endIn(STALL_LIMIT_MS);
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    });
    request.upload.addEventListener('load', () => {
      endIn(FINISH_LIMIT_MS);
      onSent?.();
    });
    request.addEventListener('load', () => {
      settle();
      if (request.status >= 200 && request.status < 300) resolve(request.response);
      else refuse(request.response as Partial<Problem> | null);
    });
    request.addEventListener('error', () =>
      refuse({ code: 'Unreachable', title: 'The connection was lost.' }),
    );
    if (signal?.aborted) return cancel();
    endIn(STALL_LIMIT_MS);
    request.send(body);
  });
}

export type SampleFileKey = Extract<
  Key,
  'POST /api/creator/packs/:id/samples' | `PUT /api/creator/packs/:id/samples/:sampleId/${string}`
>;
export type SampleFileAnswer = Answer<'POST /api/creator/packs/:id/samples'>;
export interface SendFile {
  params: Readonly<Record<string, string>>;
  query?: { uploadId: string };
  body: FormData;
  ifMatch?: number | undefined;
  /** @param share the sent part of all bytes, 0 to 1 */
  onProgress?: (share: number) => void;
  onSent?: (() => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Sends a form to the server, with the session cookie. @throws ApiProblem */
export async function sendFile(
  key: SampleFileKey,
  { params, query, body, ifMatch, onProgress, onSent, signal }: SendFile,
) {
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
    onSent,
    signal,
  });
  try {
    return (await sent) as SampleFileAnswer;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'Unreachable') hintAtOrigins(server.origin);
    throw error;
  }
}
