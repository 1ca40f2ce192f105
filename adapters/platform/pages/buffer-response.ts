import type { ServerResponse } from 'node:http';

/** Buffers the body, so that headers can depend on it. @param whole gets the complete body; `finish` sends it */
export function bufferResponse(
  response: ServerResponse,
  whole: (body: Buffer, finish: () => void) => void,
): void {
  const { writeHead, write, end } = response;
  const chunks: Buffer[] = [];
  const take = (chunk: unknown, encoding: unknown): void => {
    if (Buffer.isBuffer(chunk) || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    else if (typeof chunk === 'string')
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
  };
  Object.assign(response, {
    writeHead: (status: number): ServerResponse => {
      response.statusCode = status;
      return response;
    },
    write: (chunk: unknown, encoding?: unknown): boolean => {
      take(chunk, encoding);
      return true;
    },
    end: (chunk?: unknown, encoding?: unknown): ServerResponse => {
      take(chunk, encoding);
      Object.assign(response, { writeHead, write, end });
      const body = Buffer.concat(chunks);
      whole(body, () => response.end(body));
      return response;
    },
  });
}
