import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Readiness } from '../application/operations/readiness.js';
import { AttemptCounter } from '../application/accounts/attempt-counter.js';
import { SearchReadiness } from '../application/operations/search-readiness.js';
import { DatabaseProbe } from '../application/operations/database-probe.js';
import { IdempotentRequests } from '../adapters/platform/http/idempotent-requests.js';
import { MailboxMailer } from '../adapters/mail/mailbox-mailer.js';
import { WallClock } from '../application/shared/clock.js';
import { Secrets } from '../application/shared/keys/secrets.js';
import { DevController, DevFacts } from '../adapters/mail/mailbox.controller.js';
import { routeProviders } from '../adapters/platform/http/configure.js';
import { Draining } from '../adapters/platform/http/draining.js';
import { namesRequests, REQUEST_IDS } from '../adapters/platform/http/middleware.js';
import { TRACED_REQUESTS, tracedRequests } from '../adapters/platform/http/traced-requests.js';
import { AccessLog } from '../adapters/platform/observability/access-log.js';
import { Metrics } from '../adapters/platform/observability/metrics.js';
import { CrashesController } from '../adapters/platform/observability/crashes.controller.js';
import { OperationsController } from '../adapters/platform/observability/operations.controller.js';
import { IndexSubscription } from '../adapters/catalogue/search/index-subscription.js';
import { Database } from '../adapters/platform/database/database.js';
import { PostgresProbe } from '../adapters/platform/database/postgres-probe.js';
import { PostgresAttemptCounter } from '../adapters/platform/http/limits/postgres-attempt-counter.js';
import type { Config } from './config.js';

const providers = [
  Draining,
  Metrics,
  Readiness,
  { provide: DatabaseProbe, useClass: PostgresProbe },
  { provide: AttemptCounter, useClass: PostgresAttemptCounter },
  IdempotentRequests,
];

/** Services for all routes (rate limits, idempotency keys, metrics), and the routes about the node itself. */
@Global()
@Module({})
export class HttpModule {
  /** @param stripeApiBase the address of the payment provider's API, unless it is Stripe's own */
  static forRoot(config: Config, stripeApiBase?: string): DynamicModule {
    const accessLog = {
      provide: AccessLog,
      useFactory: async (secrets: Secrets, clock: WallClock) => {
        const names = config.accessLog === 'off' ? Buffer.alloc(0) : await secrets.get('access-log');
        return new AccessLog(config.accessLog, names, clock);
      },
      inject: [Secrets, WallClock],
    };
    const proxy = { isBehindProxy: config.trustProxyHops > 0 };
    const named = { provide: REQUEST_IDS, useValue: namesRequests(proxy) };
    const traced = { provide: TRACED_REQUESTS, useValue: tracedRequests(proxy) };
    const search = {
      provide: SearchReadiness,
      useFactory: (index: IndexSubscription | null) => new SearchReadiness(index),
      inject: [{ token: IndexSubscription, optional: true }],
    };
    const shared = [...providers, accessLog, named, traced, search, ...routeProviders(config)];
    const exports = [
      AccessLog,
      Draining,
      REQUEST_IDS,
      TRACED_REQUESTS,
      Metrics,
      AttemptCounter,
      IdempotentRequests,
    ];
    // Production has no pages for developers.
    if (config.production)
      return {
        module: HttpModule,
        controllers: [OperationsController, CrashesController],
        providers: shared,
        exports,
      };
    const mailbox = {
      provide: MailboxMailer,
      useFactory: (database: Database, clock: WallClock) => new MailboxMailer(database, clock),
      inject: [Database, WallClock],
    };
    const facts = { provide: DevFacts, useValue: new DevFacts(stripeApiBase ?? null) };
    return {
      module: HttpModule,
      controllers: [OperationsController, CrashesController, DevController],
      providers: [...shared, mailbox, facts],
      exports,
    };
  }
}
