import type { Middleware } from '../middleware.js';
import { answerProblem } from '../problem.filter.js';
import { ProblemException } from '../problem-exception.js';
import type { HttpRequest, HttpResponse } from '../request.js';

const LOOKS = 4;

/**
 * Ends a request whose body sends no byte for `silenceMs`. A slow body may take as long as it needs. A body that
 * waits until we read more is not silent.
 */
export function endSilentBodies(silenceMs: number): Middleware {
  const awaited = new Set<Awaited>();
  // One timer for all bodies: most are complete before it fires.
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

/** Returns whether the body is done or was ended. Counts the checks in which no byte arrived. */
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
  // The reader of the body fails when the connection closes, after the answer has been sent.
  response.once('finish', () => request.destroy());
  answerProblem(request, response, new ProblemException('RequestTimeout', {}, { Connection: 'close' }));
}

const hasBody = ({ headers }: HttpRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
