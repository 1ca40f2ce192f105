import type { Middleware } from './middleware.js';

const HOUR_MS = 3_600_000;

/**
 * Warns, at the first such request and then once an hour, where a proxy names its visitors and is not believed: all
 * of them share one address and its limits, so that one stranger uses up everybody's attempts to sign in.
 */
export function warnOfForwarding(warn: (sentence: string) => void, now: () => number = Date.now): Middleware {
  let requests = 0;
  let saidAt = -Infinity;
  return (request, _response, next) => {
    if (request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined) {
      requests += 1;
      if (now() - saidAt >= HOUR_MS) {
        const many = requests === 1 ? 'a request names' : `${requests} requests name`;
        warn(
          `${many} the visitor's address in X-Forwarded-For or Forwarded, and TRUST_PROXY is 0: whoever comes through a proxy counts under the proxy's address`,
        );
        saidAt = now();
        requests = 0;
      }
    }
    next();
  };
}
