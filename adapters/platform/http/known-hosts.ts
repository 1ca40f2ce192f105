import type { Middleware } from './middleware.js';
import { answerProblem } from './problem.filter.js';
import { ProblemException } from './problem-exception.js';

/**
 * Answers under the names of this machine only, so that a page elsewhere whose name is pointed here reads nothing.
 * @param names without ports; an address of IPv6 in brackets
 */
export function knownHostsOnly(names: readonly string[]): Middleware {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (request, response, next) => {
    const name = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
    if (known.has(name)) return next();
    answerProblem(request, response, new ProblemException('UnknownHost'));
  };
}
