import { pipeline } from 'node:stream/promises';
import {
  ObjectMissing,
  type ObjectInfo,
  type ObjectStorage,
} from '../../../../application/storage/object-storage.js';
import { ProblemException } from '../problem-exception.js';
import type { HttpRequest, HttpResponse } from '../request.js';

export interface ServeOptions {
  contentType: string;
  cacheControl: string;
  /** Whole header value; absent: shown inline. */
  contentDisposition?: string;
}

/**
 * Answers GET and HEAD for one object, with conditions and one range, at the client's pace. Closes the object when
 * the client disconnects.
 * @throws ObjectMissing; ProblemException RangeNotSatisfiable
 */
export async function serveObject(
  request: HttpRequest,
  response: HttpResponse,
  storage: Pick<ObjectStorage, 'head' | 'get'>,
  key: string,
  options: ServeOptions,
): Promise<void> {
  const info = await storage.head(key);
  if (!info) throw new ObjectMissing(key);
  setHeaders(response, info, options);
  if (isKnown(request, info)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const range = rangeOf(request, info);
  response.statusCode = range ? 206 : 200;
  response.setHeader('Content-Length', range ? range.end - range.start + 1 : info.sizeBytes);
  if (range) {
    response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${info.sizeBytes}`);
    // A range counts bytes of the object, so no proxy may compress the answer.
    response.setHeader('Cache-Control', `${options.cacheControl}, no-transform`);
  }
  if (request.method === 'HEAD' || info.sizeBytes === 0) {
    response.end();
    return;
  }
  const { body } = await storage.get(key, range);
  // The client disconnected before the first byte. A closed response accepts no stream, so close the object here.
  if (response.destroyed) return void body.destroy();
  await pipeline(body, response).catch((error: NodeJS.ErrnoException) => {
    // The client disconnected, which is no error.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.code !== 'ECONNRESET') throw error;
  });
}

function setHeaders(response: HttpResponse, info: ObjectInfo, options: ServeOptions): void {
  response.setHeader('Content-Type', options.contentType);
  response.setHeader('Cache-Control', options.cacheControl);
  response.setHeader('ETag', `"${info.etag}"`);
  response.setHeader('Last-Modified', info.lastModified.toUTCString());
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (options.contentDisposition) response.setHeader('Content-Disposition', options.contentDisposition);
}

/**
 * Returns whether the client has this version of the object (If-None-Match takes precedence over If-Modified-Since).
 */
function isKnown(request: HttpRequest, info: ObjectInfo): boolean {
  const tags = request.headers['if-none-match'];
  if (tags !== undefined)
    return tags.split(',').some((tag) => ['*', `"${info.etag}"`].includes(tag.trim().replace(/^W\//, '')));
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return Number.isFinite(since) && secondsOf(info.lastModified) <= since;
}

/**
 * Returns the requested range. Undefined, which sends everything, for none, several, a malformed or an outdated one.
 */
function rangeOf(request: HttpRequest, info: ObjectInfo): { start: number; end: number } | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== `"${info.etag}"`) {
    const time = Date.parse(String(condition));
    if (!(time === secondsOf(info.lastModified))) return undefined;
  }
  const last = info.sizeBytes - 1;
  const start = from === '' ? Math.max(0, info.sizeBytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? last : Math.min(Number(to), last);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  if (start > last || (from === '' && Number(to) === 0))
    throw new ProblemException('RangeNotSatisfiable', {}, { 'Content-Range': `bytes */${info.sizeBytes}` });
  return { start, end };
}

/** HTTP dates have no fractions. */
function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000;
}
