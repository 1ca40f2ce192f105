import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { endpointOf } from './endpoint-of.js';
import {
  hasBody,
  changesState,
  readBearer,
  sessionCookieOf,
  ProblemException,
  type HttpRequest,
} from './request.js';

/**
 * Refuses requests that another site makes a browser send. Browsers attach cookies to such requests. A request that
 * changes state must therefore come from this origin, in a format that other sites cannot send with a form. Requests
 * with a bearer token are exempt, because browsers attach none. So are routes that a signature authenticates.
 */
export class OriginGuard implements CanActivate {
  private readonly publicUrl: URL;

  /** @param localNames host names that are accepted beside PUBLIC_URL; empty in production */
  constructor(
    publicUrl: string,
    private readonly localNames: readonly string[],
  ) {
    this.publicUrl = new URL(publicUrl);
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    if (!changesState(request)) return true;
    if (endpointOf(context)?.access === 'signature' || readBearer(request)) return true;
    const carriesSession = sessionCookieOf(request) !== undefined;
    const origin = this.judgeOrigin(request);
    // Without a session, only a request from another site is refused: that site could sign the visitor in to the
    // account of another person.
    if (origin === 'foreign' || (carriesSession && origin === 'unknown'))
      throw new ProblemException('CrossSiteRequest');
    if (hasBody(request) && !isNoForm(request))
      throw new ProblemException('UnsupportedMediaType', { detail: 'Send JSON or multipart/form-data.' });
    return true;
  }

  private judgeOrigin(request: HttpRequest): 'own' | 'foreign' | 'unknown' {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'foreign';
    const { origin } = request.headers;
    if (origin !== undefined) return this.isOwn(origin, request.socket.localPort) ? 'own' : 'foreign';
    return site === undefined ? 'unknown' : 'own';
  }

  /** Returns whether the origin has the scheme, name and port of PUBLIC_URL, or is a local name over http. */
  private isOwn(origin: string, port: number | undefined): boolean {
    if (origin === this.publicUrl.origin) return true;
    return this.localNames.some((name) =>
      [port ?? '', this.publicUrl.port].some((own) => origin === new URL(`http://${name}:${own}`).origin),
    );
  }
}

const isNoForm = (request: HttpRequest): boolean =>
  /^(application\/json|text\/csv|multipart\/form-data)\s*(;|$)/i.test(request.headers['content-type'] ?? '');
