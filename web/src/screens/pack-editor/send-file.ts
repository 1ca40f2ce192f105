import { ApiProblem } from '../../api/http.js';
import type { Problem } from '../../../../application/shared/contract.js';

export interface SendFile {
  method: 'POST' | 'PUT';
  path: string;
  body: FormData;
  ifMatch?: number;
  /** @param share of the bytes sent, 0 to 1 */
  onProgress?: (share: number) => void;
}

/** Sends a multipart body and tells how far it is, which `fetch` cannot. @throws ApiProblem */
export function sendFile<Answer>({ method, path, body, ifMatch, onProgress }: SendFile): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const refuse = (problem: Partial<Problem>) =>
      reject(
        new ApiProblem({
          type: 'about:blank',
          title: 'The server could not answer',
          code: 'Unexpected',
          ...problem,
          status: request.status,
        }),
      );
    request.open(method, path);
    request.responseType = 'json';
    request.setRequestHeader('accept', 'application/json');
    if (ifMatch !== undefined) request.setRequestHeader('if-match', `"${ifMatch}"`);
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    });
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response as Answer);
      else refuse((request.response as Partial<Problem> | null) ?? {});
    });
    request.addEventListener('error', () =>
      refuse({ code: 'Unreachable', title: 'The connection was lost. Nothing was added.' }),
    );
    request.send(body);
  });
}
