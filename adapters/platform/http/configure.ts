import compression from 'compression';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Sessions } from '../../../application/accounts/sessions.js';
import { AttemptCounter } from '../../../application/accounts/attempt-counter.js';
import { Draining } from './draining.js';
import { knownHostsOnly } from './known-hosts.js';
import { Metrics } from '../observability/metrics.js';
import { BodyGuard } from './bodies/body.guard.js';
import { keptAnswers } from '../pages/kept-answers.js';
import { noStore, requestIds, securityHeaders } from './middleware.js';
import { mountOpenApi } from './openapi.js';
import { OriginGuard } from './origin.guard.js';
import { ProblemFilter } from './problem.filter.js';
import { RateLimitGuard } from './rate-limits.js';
import { SessionGuard } from './session.guard.js';
import { endSilentBodies } from './bodies/silent-bodies.js';
import { validationPipe } from './validation.js';

/** Anybody may ask for these, and each takes as long to make as many other answers. */
const KEPT_MS = { '/metrics': 1_000, '/api/openapi.json': Infinity, '/api/openapi.yaml': Infinity };

/** What of the configuration HTTP needs. */
export interface HttpSettings {
  publicUrl: string;
  /** How many proxies in front are ours; 0 believes no `X-Forwarded-For`. */
  trustProxyHops: number;
  rateLimitScale: number;
  /** A body that brings no byte for so long ends its request. */
  serving: { silenceMs: number };
  /** The names under which it answers; absent: all. */
  knownHosts?: readonly string[];
  s3?: { endpoint?: string };
}

/**
 * Everything around the controllers: guards, parsing, validation, refusals, headers, OpenAPI. Shared by the
 * product and its tests. Create the app with `createOptions` first, call this before `init` or `listen`.
 */
export function configureHttp(app: NestExpressApplication, settings: HttpSettings): void {
  const https = settings.publicUrl.startsWith('https:');
  app.disable('x-powered-by');
  app.set('trust proxy', settings.trustProxyHops);
  // Answers carry versions of their own where they have one.
  app.disable('etag');
  app.use(requestIds, app.get(Metrics, { strict: false }).observe);
  app.use(app.get(Draining, { strict: false }).closeConnections, endSilentBodies(settings.serving.silenceMs));
  if (settings.knownHosts) app.use(knownHostsOnly(settings.knownHosts));
  app.use(keptAnswers(KEPT_MS));
  app.use(securityHeaders({ https, storageOrigin: originOf(settings.s3?.endpoint) }), compression());
  app.use('/api', noStore);
  app.useGlobalFilters(new ProblemFilter());
  const reflector = app.get(Reflector);
  const limits = (body: 'unread' | 'read') =>
    new RateLimitGuard(reflector, app.get(AttemptCounter, { strict: false }), settings.rateLimitScale, body);
  app.useGlobalGuards(
    new OriginGuard(reflector, settings.publicUrl),
    new SessionGuard(reflector, app.get(Sessions, { strict: false })),
    limits('unread'),
    new BodyGuard(),
    limits('read'),
  );
  app.useGlobalPipes(validationPipe());
  mountOpenApi(app);
}

/** How to create the application: bodies are read by a guard, not ahead of all. */
export const createOptions = { bodyParser: false } as const;

const originOf = (url: string | undefined): string | undefined => (url ? new URL(url).origin : undefined);
