import { hourly } from '../observability/hourly.js';
import type { Middleware } from './middleware.js';

/**
 * Warns about a proxy that is not trusted, at the first such request and then once an hour. All its visitors share
 * one address and its limits, so one stranger can use up everybody's attempts to sign in.
 */
export function warnOfForwarding(warn: (sentence: string) => void, now?: () => number): Middleware {
  const count = hourly((times) => {
    const many = times === 1 ? 'a request names' : `${times} requests name`;
    warn(
      `${many} the visitor's address in X-Forwarded-For or Forwarded, and TRUST_PROXY is 0: visitors behind a proxy share the limits of its address`,
    );
  }, now);
  return (request, _response, next) => {
    if (request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined) count();
    next();
  };
}
