import type { Middleware } from './middleware.js';
import { answerProblem } from './problem.filter.js';
import { ProblemException } from './problem-exception.js';

/** Load balancers and monitoring address a node by its IP address. */
const ABOUT_THE_NODE = /^\/(?:healthz|readyz|metrics)\/?(?:\?|$)/i;

/**
 * Answers only to known host names. This stops DNS rebinding, in which the host name of a foreign site resolves to
 * this node.
 * @param names without ports; an IPv6 address in brackets
 */
export function knownHostsOnly(names: readonly string[]): Middleware {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (request, response, next) => {
    // Node reads the first Host header; a proxy before it may have used another one.
    if (hosts(request.rawHeaders) > 1)
      return answerProblem(
        request,
        response,
        new ProblemException('InvalidRequest', { detail: 'Send one Host header.' }),
      );
    // Behind a trusted proxy, Express returns the host that the visitor requested.
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
