import { pipeline } from 'node:stream/promises';
import {
  ObjectMissing,
  type ObjectInfo,
  type ObjectStorage,
} from '../../../application/storage/object-storage.js';
import { ProblemException, tooManyRequests, type HttpRequest, type HttpResponse } from './request.js';
import { Logger } from '@nestjs/common';
import type { Archive } from '../../../application/storage/archive.js';
import { attachmentDisposition } from '../../../application/shared/content-disposition.js';
import { workOwner } from '../../../application/shared/lanes.js';

interface ServeOptions {
  contentType: string;
  cacheControl: string;
  contentDisposition?: string;
}

/** Sends an object at the client's pace. Supports HEAD, conditional headers and one range. @throws ObjectMissing */
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
  await pipeline(body, response).catch((error: unknown) => {
    if (!isDisconnect(error)) throw error;
  });
}

/** Returns whether the client disconnected, which is no error of the server. */
const isDisconnect = (error: unknown): boolean =>
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '');

function setHeaders(response: HttpResponse, info: ObjectInfo, options: ServeOptions): void {
  response.setHeader('Content-Type', options.contentType);
  response.setHeader('Cache-Control', options.cacheControl);
  response.setHeader('ETag', `"${info.etag}"`);
  response.setHeader('Last-Modified', info.lastModified.toUTCString());
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (options.contentDisposition) response.setHeader('Content-Disposition', options.contentDisposition);
}

/** Returns whether the client has this version. If-None-Match takes precedence over If-Modified-Since. */
function isKnown(request: HttpRequest, info: ObjectInfo): boolean {
  const tags = request.headers['if-none-match'];
  if (tags !== undefined)
    return tags.split(',').some((tag) => ['*', `"${info.etag}"`].includes(tag.trim().replace(/^W\//, '')));
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return Number.isFinite(since) && secondsOf(info.lastModified) <= since;
}

/** Returns the requested range. Undefined sends the whole object: for no, several, malformed or outdated ranges. */
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

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000;
}

/** How many archives a node sends to one user or IP address at once: a slow client keeps their files open. */
const AT_ONCE = 4;
const sending = new Map<string | undefined, number>();

/**
 * Sends an archive at the client's pace. Cuts the response off and logs an error if the archive cannot be read to its
 * end.
 * @returns whether the client received all of it
 * @throws ProblemException TooManyRequests before the first byte, if too many archives are being sent
 */
export async function sendArchive(
  response: HttpResponse,
  file: { archive: Archive; filename: string; contentType?: string },
): Promise<boolean> {
  const owner = workOwner();
  const underWay = sending.get(owner) ?? 0;
  if (underWay >= AT_ONCE) {
    file.archive.body.destroy();
    throw tooManyRequests(`${AT_ONCE} archives are on their way to you. Try again when one has arrived.`, 5);
  }
  sending.set(owner, underWay + 1);
  try {
    return await send(response, file);
  } finally {
    const left = (sending.get(owner) ?? 1) - 1;
    if (left > 0) sending.set(owner, left);
    else sending.delete(owner);
  }
}

async function send(
  response: HttpResponse,
  {
    archive,
    filename,
    contentType = 'application/zip',
  }: { archive: Archive; filename: string; contentType?: string },
): Promise<boolean> {
  response.setHeader('Content-Type', contentType);
  if (archive.sizeBytes !== undefined) response.setHeader('Content-Length', archive.sizeBytes);
  response.setHeader('Content-Disposition', attachmentDisposition(filename));
  response.setHeader('Cache-Control', 'private, no-store');
  // The client disconnected before the first byte. A closed response accepts no stream, so close the files here.
  if (response.destroyed) {
    archive.body.destroy();
    return false;
  }
  try {
    await pipeline(archive.body, response);
    return true;
  } catch (error) {
    // The headers are already sent. Break the connection, so that the browser sees that the file is incomplete.
    response.destroy();
    if (!isDisconnect(error))
      new Logger('Archives').error(`${filename} ended early: ${(error as Error).message}`);
    return false;
  }
}
