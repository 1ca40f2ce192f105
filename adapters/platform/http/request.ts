import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv4 } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import type { Actor } from './actor.js';

/** What the guards and helpers read of a request, whatever framework carries it. */
export interface HttpRequest extends IncomingMessage {
  id?: string;
  ip?: string;
  /** The name that the visitor asked for, without a port. */
  hostname?: string;
  actor?: Actor;
  body?: unknown;
  /** When nobody waits for the answer any more, where the endpoint answers in time. */
  deadline?: AbortSignal;
  originalUrl: string;
  route?: { path?: string };
}

export type HttpResponse = ServerResponse & { req: HttpRequest };

export const SESSION_COOKIE = 'offcut_session';
/** The cookie of a browser that signed in: strangers' guesses do not hold it up. */
export const BROWSER_COOKIE = 'offcut_browser';
const BROWSER_TOKEN = /^[\w-]{43}$/;
/** A browser takes a cookie of such a name over TLS only, and from this very host. */
export const HOST_PREFIX = '__Host-';
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const changesState = (request: HttpRequest): boolean => !SAFE_METHODS.has(request.method ?? 'GET');

/** The address of who calls; a /64 of IPv6 is one household, whose addresses are free to make up. */
export function addressOf({ ip = 'unknown' }: Pick<HttpRequest, 'ip'>): string {
  // As a socket for both families writes IPv4: most of all, and parsed as IPv6 for a tenth of what a request costs.
  const mapped = ip.startsWith('::ffff:') ? ip.slice('::ffff:'.length) : '';
  return isIPv4(mapped) ? mapped : ipKeyGenerator(ip, 64);
}

/** The value of a cookie; the first one when it was sent twice. */
export function readCookie(request: HttpRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * The token of the browser's session. Under the `__Host-` name no other site of the same domain can have set it; the
 * plain name is that of sites without TLS, and of sessions from before there were two.
 */
export const sessionCookieOf = (request: HttpRequest): string | undefined =>
  readCookie(request, `${HOST_PREFIX}${SESSION_COOKIE}`) ?? readCookie(request, SESSION_COOKIE);

/** The token of a browser that signed in to some account before. */
export function browserCookieOf(request: HttpRequest): string | undefined {
  const token = readCookie(request, `${HOST_PREFIX}${BROWSER_COOKIE}`) ?? readCookie(request, BROWSER_COOKIE);
  return token !== undefined && BROWSER_TOKEN.test(token) ? token : undefined;
}

/** The token of `Authorization: Bearer …`. */
export function readBearer(request: HttpRequest): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
}
