import type { Middleware } from '../middleware.js';
import { answerProblem } from '../problem.filter.js';
import { ProblemException } from '../problem-exception.js';
import type { HttpRequest, HttpResponse } from '../request.js';

const LOOKS = 4;

/**
 * Ends a request whose body brings no byte for `silenceMs`. One that trickles may take as long as it needs; one
 * that waits for us to read on is not silent.
 */
export function endSilentBodies(silenceMs: number): Middleware {
  return (request, response, next) => {
    if (!request.complete && hasBody(request)) watch(request, response, silenceMs);
    next();
  };
}

function watch(request: HttpRequest, response: HttpResponse, silenceMs: number): void {
  let [bytes, quietLooks] = [-1, 0];
  const look = (): void => {
    if (request.complete) return stop();
    const heard = request.socket.bytesRead !== bytes || request.readableLength > 0;
    quietLooks = heard ? 0 : quietLooks + 1;
    bytes = request.socket.bytesRead;
    if (quietLooks < LOOKS) return;
    stop();
    end(request, response);
  };
  const timer = setInterval(look, Math.max(1, silenceMs / LOOKS));
  const stop = (): void => clearInterval(timer);
  response.once('close', stop);
}

function end(request: HttpRequest, response: HttpResponse): void {
  if (response.headersSent) return void request.destroy();
  // The reader of the body fails when the connection closes, and finds that the answer has been sent.
  response.once('finish', () => request.destroy());
  answerProblem(request, response, new ProblemException('RequestTimeout', {}, { Connection: 'close' }));
}

const hasBody = ({ headers }: HttpRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
