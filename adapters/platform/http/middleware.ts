import helmet from 'helmet';
import compression from 'compression';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../application/shared/clock.js';
import { workFor } from '../../../application/shared/lanes/work-owner.js';
import { addressOf, type HttpRequest, type HttpResponse } from './request.js';
import { hourly } from '../observability/hourly.js';

type Next = (error?: unknown) => void;
export type Middleware = (request: HttpRequest, response: HttpResponse, next: Next) => void;

/** Injects the middleware that gives each request an id, including requests answered from memory. */
export const REQUEST_IDS = Symbol('REQUEST_IDS');

/**
 * Gives each request an id.
 * @param options.isBehindProxy whether a trusted proxy is in front. Its `X-Request-Id` is kept if it is harmless to
 * log. A client's own is never kept, because the log contains nothing that a client sent.
 */
export function namesRequests({ isBehindProxy }: { isBehindProxy: boolean }): Middleware {
  const requestIds: Middleware = (request, response, next) => {
    const given = isBehindProxy ? request.headers['x-request-id'] : undefined;
    request.id = typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', request.id);
    next();
  };
  return requestIds;
}

/** Queues a request's heavy work under its address, until a session identifies the user. */
export const workOfAddress: Middleware = ({ ip }, _response, next) => workFor(() => addressOf({ ip }), next);

/** Response header with the business time, which clients use to date what they show. Caches omit it. */
export const BUSINESS_TIME = 'business-time';

/** Sets the business time on answers of the API, and forbids caching unless a route allows it. */
export const apiHeaders =
  (clock: Clock): Middleware =>
  (_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader(BUSINESS_TIME, clock.now().toISOString());
    next();
  };

/** Lets pages embed and fetch this from a CDN, which passes our headers on. */
export const shownElsewhere: Middleware = (_request, response, next) => {
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Access-Control-Allow-Origin', '*');
  next();
};

/** Browser features that no page needs, whatever script runs in it. */
const UNUSED =
  'accelerometer browsing-topics camera display-capture geolocation gyroscope hid magnetometer microphone midi payment serial usb xr-spatial-tracking';
const PERMISSIONS = UNUSED.split(' ')
  .map((feature) => `${feature}=()`)
  .join(', ');

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
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        // Components position themselves with style attributes and injected rules.
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
    // Google's sign-in and Stripe's checkout open in this window, so no opener is needed.
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

/** Smaller answers fit into one packet, so compression gains nothing. */
const LARGE_BYTES = 1_024;
const pack = compression({ threshold: LARGE_BYTES });

/** Compresses large answers. The size is only known when the body is sent; until then this costs nothing. */
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
