import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { Logger, type FactoryProvider, type Provider } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ENDPOINTS } from '../../../application/all-endpoints.js';
import { Sessions, KnownBrowsers } from '../../../application/accounts/sessions/sessions.js';
import { AttemptCounter } from '../../../application/accounts/attempt-limits.js';
import { AccessTokens } from '../../../application/accounts/tokens/access-tokens.js';
import { Clock } from '../../../application/shared/clock.js';
import { DeadlineGuard, inTime } from './deadline.guard.js';
import { Draining } from './draining.js';
import { AccessLog } from '../observability/access-log.js';
import { Metrics, metricsAccess, type MetricsAccess } from '../observability/metrics.js';
import { isTracing } from '../observability/tracing.js';
import { BodyGuard, endSilentBodies } from './bodies/body.guard.js';
import { answerCache } from '../pages/answer-cache.js';
import {
  packLarge,
  warnOfForwarding,
  apiHeaders,
  REQUEST_IDS,
  securityHeaders,
  shownElsewhere,
  embeddable,
  workOfAddress,
  reservedFromTraining,
  knownHostsOnly,
  TRACED_REQUESTS,
} from './middleware.js';
import { methodsOf } from './methods.js';
import { mountOpenApi } from './description/openapi.js';
import { OriginGuard } from './origin.guard.js';
import { ProblemFilter } from './problem.filter.js';
import { RateLimitGuard } from './limits/rate-limits.js';
import { RequestTurns } from './limits/request-turns.js';
import { SessionGuard } from './session/session.guard.js';
import { validationPipe } from './validation.js';

const KEPT_MS = { '/metrics': 1_000 };

export interface HttpSettings {
  publicUrl: string;
  trustProxyHops: number;
  rateLimitScale: number;
  purchaseTimeoutMs: number;
  serving: { silenceMs: number };
  knownHosts: readonly string[];
  production: boolean;
  metrics: MetricsAccess;
  s3?: { origin: string };
  mediaBaseUrl?: string;
}

/** Create the app with `createOptions`, and call this before `init` or `listen`. */
export function configureHttp(app: NestExpressApplication, settings: HttpSettings): void {
  const https = settings.publicUrl.startsWith('https:');
  app.disable('x-powered-by');
  app.setLocal('publicUrl', settings.publicUrl);
  app.set('trust proxy', settings.trustProxyHops);
  // Express must add no ETags, because routes set their own.
  app.disable('etag');
  const isBehindProxy = settings.trustProxyHops > 0;
  if (isTracing()) app.use(app.get(TRACED_REQUESTS));
  app.use(app.get(REQUEST_IDS), app.get(Metrics).observe, app.get(AccessLog).observe);
  const mediaOrigin = settings.mediaBaseUrl && new URL(settings.mediaBaseUrl).origin;
  // Comes before every middleware that may refuse, so that refusals have these headers, too.
  app.use(securityHeaders({ https, storageOrigin: settings.s3?.origin, mediaOrigin }));
  app.use(new RequestTurns().wait, workOfAddress);
  app.use(app.get(Draining).closeConnections, endSilentBodies(settings.serving.silenceMs));
  app.use(knownHostsOnly(settings.knownHosts));
  if (settings.production && !isBehindProxy) {
    const log = new Logger('Proxy');
    app.use(warnOfForwarding((sentence) => log.warn(sentence)));
  }
  app.use('/metrics', metricsAccess(settings.metrics));
  app.use(answerCache(KEPT_MS));
  app.use(['/embed', '/oembed'], embeddable(mediaOrigin));
  // Sandboxed frames have an origin of their own, so players in them load these files as from another site.
  app.use(['/media/previews', '/media/covers', '/media/avatars', '/embed.js', '/embed.css'], shownElsewhere);
  app.use(packLarge);
  app.use(['/api', '/media', '/embed'], reservedFromTraining(settings.publicUrl));
  app.use('/api', apiHeaders(app.get(Clock)), methodsOf(ENDPOINTS));
  mountOpenApi(app);
}

const guard = (
  useFactory: FactoryProvider['useFactory'],
  ...inject: FactoryProvider['inject'] & object
): Provider => ({ provide: APP_GUARD, useFactory, inject });

/** The guards of every route, in this order. Guards that do not need the body run before `BodyGuard` reads it. */
export const routeProviders = ({
  publicUrl,
  production,
  knownHosts,
  rateLimitScale,
  purchaseTimeoutMs,
  serving: { silenceMs },
}: HttpSettings): Provider[] => {
  const limits = (body: 'unread' | 'read') =>
    guard(
      (attempts: AttemptCounter, browsers: KnownBrowsers) =>
        new RateLimitGuard(attempts, browsers, rateLimitScale, body),
      AttemptCounter,
      KnownBrowsers,
    );
  return [
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useFactory: validationPipe },
    guard(() => new DeadlineGuard(purchaseTimeoutMs)),
    guard(() => new OriginGuard(publicUrl, production ? [] : knownHosts)),
    guard(
      (sessions: Sessions, tokens: AccessTokens) => inTime(new SessionGuard(sessions, tokens)),
      Sessions,
      AccessTokens,
    ),
    limits('unread'),
    guard(() => inTime(new BodyGuard(silenceMs))),
    limits('read'),
  ];
};

/** `BodyGuard` reads the bodies, so the framework must not. */
export const createOptions = { bodyParser: false } as const;
