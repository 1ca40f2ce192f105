import { beginSpan, withinSpan } from '../observability/tracing.js';
import type { Middleware } from './middleware.js';

/** Injects the middleware that traces each request, including requests answered from memory. */
export const TRACED_REQUESTS = Symbol('TRACED_REQUESTS');

/**
 * Traces every request under the name of its route, if this process traces.
 * @param options.isBehindProxy whether a trusted proxy is in front, whose `traceparent` is continued
 */
export const tracedRequests =
  ({ isBehindProxy }: { isBehindProxy: boolean }): Middleware =>
  (request, response, next) => {
    const { traceparent } = request.headers;
    const given = isBehindProxy && typeof traceparent === 'string' ? traceparent : undefined;
    const span = beginSpan(`${request.method}`, 'server', given);
    if (!span) return next();
    response.once('close', () => {
      const route = request.route?.path ?? 'unmatched';
      span.rename(`${request.method} ${route}`);
      span.set({
        'http.request.method': String(request.method),
        'http.route': route,
        'http.response.status_code': response.statusCode,
        // An id that a proxy passed on may come from its client and contain anything.
        ...(request.id && request.id !== request.headers['x-request-id'] && { 'request.id': request.id }),
      });
      if (response.statusCode >= 500) span.fail(new Error());
      span.end();
    });
    withinSpan(span, next);
  };
