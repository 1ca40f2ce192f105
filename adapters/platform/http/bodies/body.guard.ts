import { isUtf8 } from 'node:buffer';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { raw } from 'body-parser';
import { hasBody, ProblemException, type HttpRequest, type HttpResponse } from '../request.js';
import {
  isRawBody,
  JSON_LIMIT_BYTES,
  type BodyKind,
  type RawBody,
} from '../../../../application/shared/endpoint.js';
import { endpointOf, MEDIA_TYPES } from '../endpoint-of.js';
import type { Middleware } from '../middleware.js';
import { answerProblem } from '../problem.filter.js';

type BodyRule = Pick<RawBody, 'kinds' | 'limitBytes'>;

function bodyRuleOf(context: Pick<ExecutionContext, 'getHandler'>): BodyRule | undefined {
  const { body, bodyLimitBytes: limitBytes = JSON_LIMIT_BYTES } = endpointOf(context) ?? {};
  return body && (isRawBody(body) ? body : { kinds: ['json'], limitBytes });
}

function kindOf({ kinds }: BodyRule, contentType: string): BodyKind | undefined {
  const [mediaType = ''] = contentType.toLowerCase().split(';', 1);
  return kinds.find((kind) => {
    const expected = MEDIA_TYPES[kind];
    return expected === undefined || expected === mediaType.trim();
  });
}

/** No valid body is nested deeper. A much deeper body would overflow the stack of the validation. */
const DEPTH_LIMIT = 32;
const SLOWEST_BYTES_PER_MS = 50;
const UTF8 = new TextDecoder();

type Reader = (request: HttpRequest, response: HttpResponse, next: (error?: unknown) => void) => void;

/** Reads and decodes the body. Runs late, so that a request which an earlier guard refuses costs only its headers. */
export class BodyGuard implements CanActivate {
  private readonly readers = new Map<number, Reader>();

  /** @param patienceMs time limit for a small body; endpoints with larger bodies add time for slow connections */
  constructor(private readonly patienceMs: number) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    if (!hasBody(request)) return true;
    if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
      throw refused('Send the body without Content-Encoding.');
    const rule = bodyRuleOf(context);
    if (!rule && isEmptyObject(request)) return true;
    if (!rule) throw refused('This request takes no body.');
    const contentType = request.headers['content-type'] ?? '';
    const kind = kindOf(rule, contentType);
    if (!kind) throw refused(`This request takes ${rule.kinds.join(' or ')}.`);
    if (kind === 'multipart') return true;
    if (kind !== 'signed' && !isInUtf8(contentType)) throw refused('Send text in UTF-8.');
    // Refuse now: the parser would read the whole body although its length is announced as too large.
    if (Number(request.headers['content-length'] ?? 0) > rule.limitBytes)
      throw new ProblemException('PayloadTooLarge', { limitBytes: rule.limitBytes });
    const limitMs = this.patienceMs + rule.limitBytes / SLOWEST_BYTES_PER_MS;
    await readInTime(this.readerOf(rule), limitMs, context);
    if (Buffer.isBuffer(request.body)) request.body = decode(kind, request.body);
    return true;
  }

  private readerOf({ limitBytes: limit }: BodyRule): Reader {
    const reader = this.readers.get(limit) ?? raw({ limit, inflate: false, type: () => true });
    this.readers.set(limit, reader);
    return reader;
  }
}

/** Decodes the bytes of a body. Refuses invalid UTF-8, because the stored text would differ from what was sent. */
function decode(kind: 'json' | 'csv' | 'signed', bytes: Buffer): unknown {
  if (kind === 'signed') return bytes;
  if (!isUtf8(bytes)) throw new ProblemException('InvalidRequest', { detail: 'The body is not UTF-8.' });
  const text = UTF8.decode(bytes);
  if (kind === 'csv') return text;
  if (isNestedDeeper(bytes, DEPTH_LIMIT))
    throw new ProblemException('InvalidRequest', { detail: 'The body is nested too deeply.' });
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new ProblemException('MalformedJson');
  }
}

async function readInTime(read: Reader, limitMs: number, context: ExecutionContext): Promise<void> {
  const http = context.switchToHttp();
  const [request, response] = [http.getRequest<HttpRequest>(), http.getResponse<HttpResponse>()];
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new ProblemException('RequestTimeout', {}, { Connection: 'close' })),
      limitMs,
    );
    read(request, response, (error) => {
      clearTimeout(timer);
      if (error === undefined) resolve();
      else reject(error as Error);
    });
  });
}

/** Returns whether the JSON is nested deeper than `limit`. Counts brackets outside strings, before parsing. */
export function isNestedDeeper(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > limit) return true;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

/** Returns whether the body can only be `{}`. Many clients send it with every request, so it is ignored. */
const isEmptyObject = ({ headers }: HttpRequest): boolean => Number(headers['content-length']) <= 2;

const isInUtf8 = (contentType: string): boolean => {
  const named = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  return named === undefined || named.toLowerCase() === 'utf-8';
};

const refused = (detail: string) => new ProblemException('UnsupportedMediaType', { detail });

const LOOKS = 4;

/** Ends requests whose body sends nothing for `silenceMs`. A body that waits until we read more is not silent. */
export function endSilentBodies(silenceMs: number): Middleware {
  const awaited = new Set<Awaited>();
  // One timer checks all bodies, because most are complete before it fires.
  setInterval(
    () => {
      for (const body of awaited) if (isOver(body)) awaited.delete(body);
    },
    Math.max(1, silenceMs / LOOKS),
  ).unref();
  return (request, response, next) => {
    if (!request.complete && hasBody(request)) {
      const body = { request, response, bytes: -1, quietLooks: 0 };
      awaited.add(body);
      response.once('close', () => awaited.delete(body));
    }
    next();
  };
}

interface Awaited {
  request: HttpRequest;
  response: HttpResponse;
  bytes: number;
  quietLooks: number;
}

function isOver(body: Awaited): boolean {
  const { request, response } = body;
  if (request.complete) return true;
  const heard = request.socket.bytesRead !== body.bytes || request.readableLength > 0;
  body.quietLooks = heard ? 0 : body.quietLooks + 1;
  body.bytes = request.socket.bytesRead;
  if (body.quietLooks < LOOKS) return false;
  end(request, response);
  return true;
}

function end(request: HttpRequest, response: HttpResponse): void {
  if (response.headersSent) return void request.destroy();
  // Send the answer first, then close the connection, which makes the reader of the body fail.
  response.once('finish', () => request.destroy());
  answerProblem(request, response, new ProblemException('RequestTimeout', {}, { Connection: 'close' }));
}
