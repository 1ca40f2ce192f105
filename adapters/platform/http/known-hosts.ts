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
    // Of a proxy of ours Express takes the name that the visitor asked for.
    const name = (request.hostname ?? '').toLowerCase();
    if (known.has(name) || ABOUT_THE_NODE.test(request.originalUrl)) return next();
    answerProblem(request, response, new ProblemException('UnknownHost'));
  };
}
