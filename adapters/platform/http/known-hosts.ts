import type { Middleware } from './middleware.js';
import { answerProblem } from './problem.filter.js';
import { ProblemException } from './problem-exception.js';

/** Balancers and monitoring ask a node by its address. */
const ABOUT_THE_NODE = /^\/(?:healthz|readyz|metrics)\/?(?:\?|$)/i;

/**
 * Answers only under its own names, which stops DNS rebinding: a foreign page whose name resolves here reads nothing.
 * @param names without ports; an address of IPv6 in brackets
 */
export function knownHostsOnly(names: readonly string[]): Middleware {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (request, response, next) => {
    // Node reads the first; a proxy in front may have decided by another one.
    if (hosts(request.rawHeaders) > 1)
      return answerProblem(
        request,
        response,
        new ProblemException('InvalidRequest', { detail: 'Send one Host header.' }),
      );
    // Of a proxy of ours Express takes the name that the visitor asked for.
    const name = (request.hostname ?? '').toLowerCase();
    if (known.has(name) || ABOUT_THE_NODE.test(request.originalUrl)) return next();
    answerProblem(request, response, new ProblemException('UnknownHost'));
  };
}

function hosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let name = 0; name < rawHeaders.length; name += 2)
    if (rawHeaders[name]?.length === 4 && rawHeaders[name]?.toLowerCase() === 'host') count += 1;
  return count;
}
