import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Readiness, SearchReadiness, DatabaseProbe } from '../application/operations/readiness.js';
import { AttemptCounter } from '../application/accounts/attempt-limits.js';
import { IdempotentRequests } from '../adapters/platform/http/idempotency.js';
import { MailboxMailer, DevController, DevFacts } from '../adapters/mail/mailbox.controller.js';
import { WallClock } from '../application/shared/clock.js';
import { Secrets } from '../application/shared/keys/signing-keys.js';
import { routeProviders } from '../adapters/platform/http/configure.js';
import { Draining } from '../adapters/platform/http/draining.js';
import {
  namesRequests,
  REQUEST_IDS,
  TRACED_REQUESTS,
  tracedRequests,
} from '../adapters/platform/http/middleware.js';
import { AccessLog } from '../adapters/platform/observability/access-log.js';
import { Metrics } from '../adapters/platform/observability/metrics.js';
import {
  OperationsController,
  CrashesController,
} from '../adapters/platform/observability/operations.controller.js';
import { IndexSubscription } from '../adapters/catalogue/search/index-subscription.js';
import { Database } from '../adapters/platform/database/database.js';
import { ReplicaProbe } from '../adapters/platform/database/replica.js';
import { PostgresAttemptCounter } from '../adapters/platform/http/limits/postgres-attempt-counter.js';
import type { Config } from './config.js';

const providers = [
  Draining,
  Metrics,
  Readiness,
  { provide: DatabaseProbe, useClass: ReplicaProbe },
  { provide: AttemptCounter, useClass: PostgresAttemptCounter },
  IdempotentRequests,
];

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
    const mailbox = {
      provide: MailboxMailer,
      useFactory: (database: Database, clock: WallClock) => new MailboxMailer(database, clock),
      inject: [Database, WallClock],
    };
    const facts = { provide: DevFacts, useValue: new DevFacts(stripeApiBase ?? null) };
    const forDevelopers = config.production
      ? { controllers: [], providers: [] }
      : { controllers: [DevController], providers: [mailbox, facts] };
    return {
      module: HttpModule,
      controllers: [OperationsController, CrashesController, ...forDevelopers.controllers],
      providers: [...shared, ...forDevelopers.providers],
      exports,
    };
  }
}
