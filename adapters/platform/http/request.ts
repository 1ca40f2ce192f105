import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv4 } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import type { Role } from '../../../application/accounts/contract.js';
import { PROBLEMS, type ProblemCode } from '../../../application/shared/problems.js';

export interface Actor {
  userId: string;
  displayName: string;
  email: string;
  isCreator: boolean;
  roles: Role[];
  sessionId: string;
  /** When the user last signed in or entered the password in this session. */
  authenticatedAt: Date;
  hasPassword: boolean;
  withheldRoles: Role[];
  factors: Array<'passkey' | 'app'>;
}

export interface HttpRequest extends IncomingMessage {
  id?: string;
  ip?: string;
  /** The host that the visitor requested, without a port. */
  hostname?: string;
  actor?: Actor;
  body?: unknown;
  /** Aborts when the time limit has passed. Set only if the endpoint has `inTime`. */
  deadline?: AbortSignal;
  originalUrl: string;
  app?: { locals: { publicUrl?: string } };
  route?: { path?: string };
}

export type HttpResponse = ServerResponse & { req: HttpRequest };

export const SESSION_COOKIE = 'offcut_session';
/** The cookie of a browser that signed in before. Wrong guesses by other browsers do not count against this browser. */
export const BROWSER_COOKIE = 'offcut_browser';
const BROWSER_TOKEN = /^[\w-]{43}$/;
/** Browsers accept a cookie with this prefix only over TLS and from this exact host. */
export const HOST_PREFIX = '__Host-';
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const changesState = (request: HttpRequest): boolean => !SAFE_METHODS.has(request.method ?? 'GET');

export const hasBody = ({ headers }: HttpRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const isMultipart = ({ headers }: HttpRequest): boolean =>
  /^multipart\/form-data/i.test(headers['content-type'] ?? '');

/** Returns the client's IP address; for IPv6 the /64 network, because one household can use all its addresses. */
export function addressOf({ ip = 'unknown' }: Pick<HttpRequest, 'ip'>): string {
  // Most addresses are IPv4 in IPv6 notation. Parsing these as IPv6 would take a tenth of a request's time.
  const mapped = ip.startsWith('::ffff:') ? ip.slice('::ffff:'.length) : '';
  return isIPv4(mapped) ? mapped : ipKeyGenerator(ip, 64);
}

export function readCookie(request: HttpRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * Returns the session token in the browser's cookie. No other host of the same domain can set a `__Host-` cookie. The
 * name without the prefix serves sites without TLS, and sessions that are older than the prefix.
 */
export const sessionCookieOf = (request: HttpRequest): string | undefined =>
  readCookie(request, `${HOST_PREFIX}${SESSION_COOKIE}`) ?? readCookie(request, SESSION_COOKIE);

export function browserCookieOf(request: HttpRequest): string | undefined {
  const token = readCookie(request, `${HOST_PREFIX}${BROWSER_COOKIE}`) ?? readCookie(request, BROWSER_COOKIE);
  return token !== undefined && BROWSER_TOKEN.test(token) ? token : undefined;
}

export function readBearer(request: HttpRequest): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

export class ProblemException extends Error {
  readonly status: number;
  readonly title: string;
  constructor(
    readonly code: ProblemCode,
    /** `detail` is a sentence for users. The answer also gets all other members (`missing`, `errors`, …). */
    readonly details: { detail?: string; status?: never; [member: string]: unknown } = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(details.detail ?? PROBLEMS[code][1]);
    this.name = 'ProblemException';
    [this.status, this.title] = PROBLEMS[code];
  }
}

export const tooManyRequests = (detail: string, retryAfterSeconds: number): ProblemException =>
  new ProblemException(
    'TooManyRequests',
    { detail, retryAfterSeconds },
    { 'Retry-After': String(retryAfterSeconds) },
  );

export const inWords = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;

export function refuse({
  code,
  ...details
}: { code: ProblemCode } & {
  status?: never;
} & Record<string, unknown>): never {
  throw new ProblemException(code, details);
}

/** Returns the version in `If-Match: "7"`; undefined without the header or with `*`. */
export function versionNamedBy({ headers }: HttpRequest): number | undefined {
  const value = headers['if-match']?.trim();
  if (value === undefined || value === '*') return undefined;
  const version = /^(?:W\/)?"(\d{1,9})"$|^(\d{1,9})$/.exec(value);
  // A tag in another format cannot match any version.
  if (!version)
    throw new ProblemException('StaleVersion', { detail: 'This If-Match header contains no version.' });
  return Number(version[1] ?? version[2]);
}

export function setVersion(response: HttpResponse, version: number): void {
  response.setHeader('ETag', `"${version}"`);
}
