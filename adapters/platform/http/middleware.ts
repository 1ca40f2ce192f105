import helmet from 'helmet';
import compression from 'compression';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../application/shared/clock.js';
import { workFor } from '../../../application/shared/lanes.js';
import { addressOf, ProblemException, type HttpRequest, type HttpResponse } from './request.js';
import { hourly } from '../observability/hourly.js';
import { tdmHeaders } from '../../../application/catalogue/tdm.js';
import { answerProblem } from './problem.filter.js';
import { beginSpan, withinSpan } from '../observability/tracing.js';

type Next = (error?: unknown) => void;
export type Middleware = (request: HttpRequest, response: HttpResponse, next: Next) => void;

export const REQUEST_IDS = Symbol('REQUEST_IDS');
/** Logs, traces, queues, limits and streams wait for the end of a response, together for more than Node's usual 10. */
const LISTENERS_MAX = 20;

/** Gives each request an id. Keeps the id that a trusted proxy sent if it is safe to log, never one from a client. */
export function namesRequests({ isBehindProxy }: { isBehindProxy: boolean }): Middleware {
  return (request, response, next) => {
    const given = isBehindProxy ? request.headers['x-request-id'] : undefined;
    request.id = typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', request.id);
    response.setMaxListeners(LISTENERS_MAX);
    next();
  };
}

/** Makes the IP address the owner of the request's heavy work in queues, until a session identifies the user. */
export const workOfAddress: Middleware = ({ ip }, _response, next) => workFor(() => addressOf({ ip }), next);

/** Response header with the business time, by which clients show dates. */
export const BUSINESS_TIME = 'business-time';
/** Headers that belong to one request, which the caches of answers omit. */
export const OF_ONE_REQUEST = [
  'x-request-id',
  BUSINESS_TIME,
  'ratelimit',
  'ratelimit-policy',
  'date',
  'connection',
];

/** Sets the business time on answers of the API, and forbids caching unless a route allows it. */
export const apiHeaders =
  (clock: Clock): Middleware =>
  (_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader(BUSINESS_TIME, clock.now().toISOString());
    next();
  };

/** Lets pages embed and fetch media from a CDN on another origin, because the CDN passes these headers on. */
export const shownElsewhere: Middleware = (_request, response, next) => {
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Access-Control-Allow-Origin', '*');
  next();
};

const UNUSED =
  'accelerometer browsing-topics camera display-capture geolocation gyroscope hid magnetometer midi payment serial usb xr-spatial-tracking';
/** Pages of this site, but no frames in them, may record a sound to search by. */
const PERMISSIONS = [...UNUSED.split(' ').map((feature) => `${feature}=()`), 'microphone=(self)'].join(', ');

/**
 * Sets the security headers of every answer, computed once. Scripts come from this origin only, and none is inline.
 * Media may be blobs that the client created.
 * @param options.https whether the public URL uses TLS
 * @param options.storageOrigin origin of signed downloads, if it is not this one
 * @param options.mediaOrigin origin of previews and pictures, if it is not this one
 */
export function securityHeaders(options: {
  https: boolean;
  storageOrigin?: string;
  mediaOrigin?: string;
}): Middleware {
  const others = [options.storageOrigin, options.mediaOrigin].filter((origin) => origin !== undefined);
  const made = new Map([['Permissions-Policy', PERMISSIONS]]);
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The stretching of sounds is WebAssembly. This source allows no `eval` of JavaScript.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        scriptSrcAttr: ["'none'"],
        // The client's components set style attributes and inject rules to position themselves.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'blob:', 'data:', ...others],
        mediaSrc: ["'self'", 'blob:', ...others],
        connectSrc: ["'self'", 'blob:', ...others],
        workerSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(options.https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: options.https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
    // Google's sign-in and Stripe's checkout open in the same window, so no page needs its opener.
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  const collecting = {
    setHeader: (name: string, value: string) => made.set(name, value),
    removeHeader: () => {},
  };
  protect({} as IncomingMessage, collecting as unknown as ServerResponse, () => {});
  return (_request, response, next) => {
    response.setHeaders(made);
    next();
  };
}

/**
 * Lets other sites show these pages in frames, also in sandboxed ones, and fetch their descriptions. The pages
 * contain no data of a visitor, and may load only the player's own files and media.
 * @param mediaOrigin origin of previews and pictures, if it is not this one
 */
export function embeddable(mediaOrigin = ''): Middleware {
  const media = `'self' ${mediaOrigin}`.trim();
  const policy = `default-src 'none';script-src 'self';style-src 'self';img-src ${media};media-src ${media};base-uri 'none';form-action 'none';frame-ancestors *`;
  return (request, response, next) => {
    response.setHeader('Content-Security-Policy', policy);
    response.removeHeader('X-Frame-Options');
    shownElsewhere(request, response, next);
  };
}

/**
 * Warns at the first request through a proxy that is not trusted, and then once an hour. All visitors behind the
 * proxy share the limits of its address, so one visitor can use up the sign-in attempts of all others.
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

/** A smaller answer fits into one packet, so compression would gain nothing. */
const LARGE_BYTES = 1_024;
const pack = compression({ threshold: LARGE_BYTES });

/** Compresses large answers. Decides when the body is sent, so that small answers cost nothing. */
export const packLarge: Middleware = (request, response, next) => {
  const { write, end } = response;
  const send = (name: 'write' | 'end', isLarge: boolean, given: unknown[]): unknown => {
    Object.assign(response, { write, end });
    if (isLarge && !response.headersSent) pack(request as never, response as never, () => {});
    return (response[name] as (...given: unknown[]) => unknown)(...given);
  };
  Object.assign(response, {
    write: (...given: unknown[]) => send('write', true, given),
    end: (...given: unknown[]) => send('end', lengthOf(given[0]) >= LARGE_BYTES, given),
  });
  next();
};

const lengthOf = (chunk: unknown): number =>
  typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk.length : 0;

/** Sets the headers that allow or forbid the training of models with this answer. */
export function markTraining(response: HttpResponse, publicUrl: string, allowed: boolean): void {
  for (const [name, value] of Object.entries(tdmHeaders(publicUrl, allowed))) response.setHeader(name, value);
}

/** Forbids training with answers of the API and with media. `/.well-known/tdmrep.json` covers the pages. */
export const reservedFromTraining =
  (publicUrl: string): Middleware =>
  (_request, response, next) => {
    markTraining(response, publicUrl, false);
    next();
  };

/** These paths accept any host name, because load balancers and monitoring use the IP address of a node. */
const ABOUT_THE_NODE = /^\/(?:healthz|readyz|metrics)\/?(?:\?|$)/i;

/** Refuses unknown host names, to stop DNS rebinding, where the host name of a foreign site resolves to this node. */
export function knownHostsOnly(names: readonly string[]): Middleware {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (request, response, next) => {
    // Node reads the first Host header, but a proxy in front of Node may have used another Host header.
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

export const TRACED_REQUESTS = Symbol('TRACED_REQUESTS');

/** Traces every request under the name of its route. Continues the `traceparent` of a trusted proxy. */
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
        // Omit an id that a proxy passed on, because a client may have chosen it.
        ...(request.id && request.id !== request.headers['x-request-id'] && { 'request.id': request.id }),
      });
      if (response.statusCode >= 500) span.fail(new Error());
      span.end();
    });
    withinSpan(span, next);
  };
