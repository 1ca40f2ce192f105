import { AsyncResource } from 'node:async_hooks';
import type { OutgoingHttpHeaders } from 'node:http';
import { bufferResponse } from './buffer-response.js';
import { OF_ONE_REQUEST, type Middleware } from '../http/middleware.js';

interface Kept {
  expiresAt: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/**
 * Returns a middleware that caches answers, which must be the same for all users. Requests that arrive while another
 * one creates the answer wait for it. Must come before the middleware that compresses the answer and sets headers.
 * @param paths the paths to cache, with the lifetime of each answer in milliseconds
 */
export function answerCache(paths: Readonly<Record<string, number>>): Middleware {
  const kept = new Map<string, Kept>();
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
    // If the answer failed or its client disconnected, the next waiting request creates the answer.
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

function handOver(awaited: Map<string, (() => void)[]>, key: string): () => void {
  const others: (() => void)[] = [];
  awaited.set(key, others);
  return () => {
    if (awaited.get(key) === others) awaited.delete(key);
    for (const goOn of others.splice(0)) goOn();
  };
}
