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
 * Refuses requests that another site makes a browser send. Browsers attach cookies by themselves. A request that
 * changes state must therefore come from this origin, in a format that no HTML form can send. Bearer tokens are
 * exempt, because browsers do not attach them. Routes that a signature authenticates are exempt, too.
 */
export class OriginGuard implements CanActivate {
  private readonly publicUrl: URL;

  /** @param localNames names of this machine in trials; empty in production */
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
    // Without a session only a request from a known other site is refused: it could sign the visitor in to another
    // person's account.
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

  /** Compares with the origin of PUBLIC_URL: scheme, name and port. In trials a local name is enough. */
  private isOwn(origin: string, port: number | undefined): boolean {
    if (origin === this.publicUrl.origin) return true;
    return this.localNames.some((name) =>
      [port ?? '', this.publicUrl.port].some((own) => origin === new URL(`http://${name}:${own}`).origin),
    );
  }
}

const isNoForm = (request: HttpRequest): boolean =>
  /^(application\/json|text\/csv|multipart\/form-data)\s*(;|$)/i.test(request.headers['content-type'] ?? '');
