import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Clock } from '../../../application/shared/clock.js';
import { workFor } from '../../../application/shared/lanes/work-owner.js';
import { addressOf, type HttpRequest, type HttpResponse } from './request.js';

type Next = (error?: unknown) => void;
export type Middleware = (request: HttpRequest, response: HttpResponse, next: Next) => void;

/** The middleware that names each request, also those that are answered from memory. */
export const REQUEST_IDS = Symbol('REQUEST_IDS');

/**
 * @param options.isBehindProxy whether a proxy of ours stands in front: then its `X-Request-Id` is kept where it is
 *   harmless to log. A client's own never is, since the log has nothing that a client sent
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

/** Heavy work of a request waits in the turn of its address, until a session tells whose it is. */
export const workOfAddress: Middleware = ({ ip }, _response, next) => workFor(() => addressOf({ ip }), next);

/** The answer's header with the business calendar, by which clients date what they show. Caches leave it out. */
export const BUSINESS_TIME = 'business-time';

/** Answers of the API say what time it is for the business, and are not cached unless a route says otherwise. */
export const apiHeaders =
  (clock: Clock): Middleware =>
  (_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader(BUSINESS_TIME, clock.now().toISOString());
    next();
  };

/** Pages show and fetch this from a CDN, which hands our headers on. */
export const shownElsewhere: Middleware = (_request, response, next) => {
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Access-Control-Allow-Origin', '*');
  next();
};

/** What no page here needs, whatever runs in it. */
const UNUSED =
  'accelerometer browsing-topics camera display-capture geolocation gyroscope hid magnetometer microphone midi payment serial usb xr-spatial-tracking';
const PERMISSIONS = UNUSED.split(' ')
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * The headers of every answer, made once: what a page may ask of the device, and what may run in it. Scripts come from this origin only, none inline; media may be blobs the client made.
 * @param options.https whether people reach us over TLS
 * @param options.storageOrigin where signed downloads lead, when not to this origin
 * @param options.mediaOrigin where previews and pictures are fetched, when not from this origin
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
        // Components position themselves by style attributes and injected rules.
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
