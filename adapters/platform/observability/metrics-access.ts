import { timingSafeEqual } from 'node:crypto';
import { hashToken } from '../../../application/accounts/sessions/sessions.js';
import type { Middleware } from '../http/middleware.js';
import { answerProblem } from '../http/problem.filter.js';
import { ProblemException } from '../http/problem-exception.js';
import { readBearer } from '../http/request.js';

export interface MetricsAccess {
  /** Admits requests with this bearer token. */
  token?: string;
  /** Admits every request on this port. */
  port?: number;
  /** Admits every request if neither of the others is set. */
  isOpen: boolean;
}

/** Guards `/metrics`. Must come before the middleware that caches its answer. */
export function metricsAccess({ token, port, isOpen }: MetricsAccess): Middleware {
  const digest = (text: string) => Buffer.from(hashToken(text), 'hex');
  const expected = token === undefined ? undefined : digest(token);
  return (request, response, next) => {
    if (port !== undefined && request.socket.localPort === port) return next();
    if (!expected) {
      if (isOpen && port === undefined) return next();
      return answerProblem(request, response, new ProblemException('NotFound'));
    }
    if (timingSafeEqual(digest(readBearer(request) ?? ''), expected)) return next();
    const wanted = { 'WWW-Authenticate': 'Bearer realm="offcut"' };
    answerProblem(request, response, new ProblemException('NotSignedIn', {}, wanted));
  };
}
