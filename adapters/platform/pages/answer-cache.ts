import type { OutgoingHttpHeaders } from 'node:http';
import { bufferResponse } from './buffer-response.js';
import type { Middleware } from '../http/middleware.js';

interface Kept {
  expiresAt: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** Headers of the one request that an answer was made for. */
const OF_ONE_REQUEST = ['x-request-id', 'date', 'connection'];

/**
 * Middleware that caches large answers that are the same for everybody, as they were compressed. It comes before the
 * middleware that compresses and sets headers.
 * @param paths with the lifetime of each answer
 */
export function answerCache(paths: Readonly<Record<string, number>>): Middleware {
  const kept = new Map<string, Kept>();
  return (request, response, next) => {
    const [path = ''] = request.originalUrl.split('?', 1);
    const lifetimeMs = Object.hasOwn(paths, path) ? paths[path] : undefined;
    if (request.method !== 'GET' || lifetimeMs === undefined) return next();
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const key = `${['br', 'gzip'].filter((encoding) => accepted.includes(encoding)).join()} ${path}`;
    const known = kept.get(key);
    if (known && known.expiresAt > Date.now()) {
      for (const [name, value] of Object.entries(known.headers)) response.setHeader(name, value as string);
      response.end(known.body);
      return;
    }
    bufferResponse(response, (body, finish) => {
      if (response.statusCode === 200) {
        const headers = { ...response.getHeaders(), 'content-length': body.length };
        for (const name of OF_ONE_REQUEST) delete (headers as OutgoingHttpHeaders)[name];
        kept.set(key, { expiresAt: Date.now() + lifetimeMs, headers, body });
      }
      finish();
    });
    next();
  };
}
