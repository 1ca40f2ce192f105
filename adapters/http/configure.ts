import compression from 'compression';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Sessions } from '../../application/accounts/sessions.js';
import { AttemptCounter } from '../../application/ports/attempt-counter.js';
import { Metrics } from './metrics.js';
import { limitDepth, noStore, requestIds, securityHeaders } from './middleware.js';
import { mountOpenApi } from './openapi.js';
import { OriginGuard } from './origin.guard.js';
import { ProblemFilter } from './problem.filter.js';
import { RateLimitGuard } from './rate-limits.js';
import { SessionGuard } from './session.guard.js';
import { validationPipe } from './validation.js';

const JSON_LIMIT_BYTES = 1024 * 1024;
/** A year of a payment provider's balance report. */
const REPORT_LIMIT_BYTES = 32 * 1024 * 1024;

/** What of the configuration HTTP needs. */
export interface HttpSettings {
  publicUrl: string;
  /** How many proxies in front are ours; 0 believes no `X-Forwarded-For`. */
  trustProxyHops: number;
  rateLimitScale: number;
  s3?: { endpoint?: string };
}

/**
 * Everything around the controllers: parsing, guards, validation, refusals, headers, OpenAPI. Shared by the
 * product and its tests. Create the app with `createOptions` first, call this before `init` or `listen`.
 */
export function configureHttp(app: NestExpressApplication, settings: HttpSettings): void {
  const https = settings.publicUrl.startsWith('https:');
  app.disable('x-powered-by');
  app.set('trust proxy', settings.trustProxyHops);
  // Answers carry versions of their own where they have one.
  app.disable('etag');
  app.use(requestIds, app.get(Metrics, { strict: false }).observe);
  app.use(securityHeaders({ https, storageOrigin: originOf(settings.s3?.endpoint) }), compression());
  app.use('/api', noStore);
  app.useBodyParser('json', { limit: JSON_LIMIT_BYTES, type: 'application/json', strict: false });
  app.useBodyParser('text', { limit: REPORT_LIMIT_BYTES, type: 'text/csv' });
  app.use(limitDepth);
  app.useGlobalFilters(new ProblemFilter());
  const reflector = app.get(Reflector);
  app.useGlobalGuards(
    new OriginGuard(reflector, settings.publicUrl),
    new SessionGuard(reflector, app.get(Sessions, { strict: false })),
    new RateLimitGuard(reflector, app.get(AttemptCounter, { strict: false }), settings.rateLimitScale),
  );
  app.useGlobalPipes(validationPipe());
  mountOpenApi(app);
}

/** How to create the application: bodies are parsed by `configureHttp`, raw bytes kept for signed webhooks. */
export const createOptions = { bodyParser: false, rawBody: true } as const;

const originOf = (url: string | undefined): string | undefined => (url ? new URL(url).origin : undefined);
