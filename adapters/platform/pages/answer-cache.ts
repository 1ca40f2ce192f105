import { AsyncResource } from 'node:async_hooks';
import type { OutgoingHttpHeaders } from 'node:http';
import { bufferResponse } from './buffer-response.js';
import { BUSINESS_TIME, type Middleware } from '../http/middleware.js';

interface Kept {
  expiresAt: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** Headers of the one request that an answer was made for. */
const OF_ONE_REQUEST = ['x-request-id', BUSINESS_TIME, 'date', 'connection'];

/**
 * Middleware that caches large answers that are the same for everybody, as they were compressed; who asks while one is
 * made waits for it. It comes before the middleware that compresses and sets headers.
 * @param paths with the lifetime of each answer
 */
export function answerCache(paths: Readonly<Record<string, number>>): Middleware {
  const kept = new Map<string, Kept>();
  /** Who waits for the answer that is being made. */
  const awaited = new Map<string, (() => void)[]>();
  const answer: Middleware = (request, response, next) => {
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
    const others = awaited.get(key);
    if (others) return void others.push(AsyncResource.bind(() => answer(request, response, next)));
    const made = handOver(awaited, key);
    // One that failed or that nobody waited for is made again by the next.
    response.once('close', made);
    bufferResponse(response, (body, finish) => {
      if (response.statusCode === 200) {
        const headers = { ...response.getHeaders(), 'content-length': body.length };
        for (const name of OF_ONE_REQUEST) delete (headers as OutgoingHttpHeaders)[name];
        kept.set(key, { expiresAt: Date.now() + lifetimeMs, headers, body });
      }
      finish();
      made();
    });
    next();
  };
  return answer;
}

/** From here on others wait. @returns what lets them go on */
function handOver(awaited: Map<string, (() => void)[]>, key: string): () => void {
  const others: (() => void)[] = [];
  awaited.set(key, others);
  return () => {
    if (awaited.get(key) === others) awaited.delete(key);
    for (const goOn of others.splice(0)) goOn();
  };
}
