import { beginSpan, withinSpan } from '../observability/tracing.js';
import type { Middleware } from './middleware.js';

/** The middleware that traces each request, also those that are answered from memory. */
export const TRACED_REQUESTS = Symbol('TRACED_REQUESTS');

/**
 * Traces every request, as its route is called, if this process traces.
 * @param options.isBehindProxy whether a proxy of ours stands in front, whose `traceparent` is gone on with
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
        // What a proxy handed on may be its client's, and anything.
        ...(request.id && request.id !== request.headers['x-request-id'] && { 'request.id': request.id }),
      });
      if (response.statusCode >= 500) span.fail(new Error());
      span.end();
    });
    withinSpan(span, next);
  };
