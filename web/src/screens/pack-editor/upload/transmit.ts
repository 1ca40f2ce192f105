import type { Problem } from '../../../../../application/shared/contract.js';
import { ApiProblem } from '../../../api/transport/http.js';

/** After this time without progress the connection counts as lost. */
export const STALL_LIMIT_MS = 60_000;
/** How long a server may work on complete bytes. */
export const FINISH_LIMIT_MS = 10 * 60_000;

interface Transmission {
  method: string;
  address: string;
  headers?: Readonly<Record<string, string>>;
  withCredentials?: boolean;
  body: FormData | Blob;
  /** @param share of the bytes sent, 0 to 1 */
  onProgress?: ((share: number) => void) | undefined;
}

/**
 * Sends bytes and tells how far they are, which `fetch` cannot. It may last as long as it moves.
 * @returns the JSON of the answer, null if it is none
 * @throws ApiProblem with status 0 where no answer came, and else with what a refusal says
 */
export function transmit({ method, address, headers, withCredentials, body, onProgress }: Transmission) {
  return new Promise<unknown>((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settled = new AbortController();
    const settle = () => {
      clearTimeout(timer);
      settled.abort();
    };
    const refuse = (problem: Partial<Problem>) => {
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
    // A request that outlived the connection may wait for an answer that cannot come.
    const lost = () => giveUp({ code: 'Unreachable', title: 'The connection was lost.' });
    window.addEventListener('online', lost, { signal: settled.signal });
    request.open(method, address);
    request.withCredentials = withCredentials ?? false;
    request.responseType = 'json';
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', (event) => {
      endIn(STALL_LIMIT_MS);
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    });
    request.upload.addEventListener('load', () => endIn(FINISH_LIMIT_MS));
    request.addEventListener('load', () => {
      settle();
      if (request.status >= 200 && request.status < 300) resolve(request.response);
      else refuse((request.response as Partial<Problem> | null) ?? {});
    });
    request.addEventListener('error', () =>
      refuse({ code: 'Unreachable', title: 'The connection was lost.' }),
    );
    endIn(STALL_LIMIT_MS);
    request.send(body);
  });
}

export const problemWith = (problem: Partial<Problem>, status: number): ApiProblem =>
  new ApiProblem({
    type: 'about:blank',
    title: 'The server could not answer',
    code: 'Unexpected',
    ...problem,
    status,
  });
