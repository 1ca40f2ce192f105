import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Readiness } from '../application/operations/readiness.js';
import { AttemptCounter } from '../application/accounts/attempt-counter.js';
import { DatabaseProbe } from '../application/operations/database-probe.js';
import { IdempotentRequests } from '../application/shared/idempotent-requests.js';
import { Mailbox } from '../application/mail/mailbox.js';
import { WallClock } from '../application/shared/clock.js';
import { DevController, DevFacts } from '../adapters/mail/mailbox.controller.js';
import { Draining } from '../adapters/platform/http/draining.js';
import { Metrics } from '../adapters/platform/observability/metrics.js';
import { PublicAddress } from '../adapters/platform/pages/public-address.js';
import { CrashesController } from '../adapters/platform/observability/crashes.controller.js';
import { OperationsController } from '../adapters/platform/observability/operations.controller.js';
import { Database } from '../adapters/platform/database/database.js';
import { PostgresProbe } from '../adapters/platform/database/postgres-probe.js';
import { PostgresAttemptCounter } from '../adapters/platform/http/postgres-attempt-counter.js';
import { PostgresIdempotentRequests } from '../adapters/platform/http/postgres-idempotent-requests.js';
import { MailboxMailer } from '../adapters/mail/postgres-mailbox.js';
import { CONFIG, type Config } from './config.js';
import { CATALOGUE_DATABASE } from './core.module.js';

const providers = [
  Draining,
  Metrics,
  Readiness,
  {
    provide: PublicAddress,
    useFactory: (config: Config) => new PublicAddress(config.publicUrl),
    inject: [CONFIG],
  },
  {
    provide: DatabaseProbe,
    useFactory: (database: Database, catalogue: Database) => new PostgresProbe(database, catalogue),
    inject: [Database, CATALOGUE_DATABASE],
  },
  fromDatabase(AttemptCounter, PostgresAttemptCounter),
  fromDatabase(IdempotentRequests, PostgresIdempotentRequests),
];

function fromDatabase(provide: unknown, Adapter: new (database: Database) => object) {
  return {
    provide: provide as symbol,
    useFactory: (database: Database) => new Adapter(database),
    inject: [Database],
  };
}

/** What every route shares (limits, run-once keys, metrics), and the routes about the node itself. */
@Global()
@Module({})
export class HttpModule {
  /**
   * @param options.production leaves the development pages out
   * @param options.stripeApiBase where payments are spoken to when not at the provider's own address
   */
  static forRoot(options: { production: boolean; stripeApiBase?: string }): DynamicModule {
    const exports = [Metrics, AttemptCounter, IdempotentRequests, PublicAddress];
    if (options.production)
      return {
        module: HttpModule,
        controllers: [OperationsController, CrashesController],
        providers,
        exports,
      };
    const mailbox = {
      provide: Mailbox,
      useFactory: (database: Database, clock: WallClock) => new MailboxMailer(database, clock),
      inject: [Database, WallClock],
    };
    const facts = { provide: DevFacts, useValue: new DevFacts(options.stripeApiBase ?? null) };
    return {
      module: HttpModule,
      controllers: [OperationsController, CrashesController, DevController],
      providers: [...providers, mailbox, facts],
      exports,
    };
  }
}
