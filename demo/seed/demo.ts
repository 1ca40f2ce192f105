import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { Outbox } from '../../application/mail/outbox.js';
import { SignUp } from '../../application/accounts/sign-in.js';
import { LibraryStore } from '../../application/library/library.js';
import { WeeklyMails } from '../../application/library/weekly-mail.js';
import { PaymentEvents } from '../../application/payments/payment-events.js';
import { PayoutAccounts } from '../../application/payouts/payout-accounts.js';
import { Creators } from '../../application/publishing/creators/creators.js';
import { OwnPackQueries } from '../../application/publishing/queries.js';
import { SampleUploads } from '../../application/publishing/samples/sample-uploads.js';
import { CreditExecutor } from '../../application/credits/credit-executor.js';
import { Database } from '../../adapters/platform/database/database.js';
import { BossJobQueue } from '../../adapters/platform/jobs/boss-job-queue.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { PostgresCreditBatchStore } from '../../adapters/credits/postgres-credit-batch-store.js';
import { CollectionLinks } from '../../adapters/library/collection-links.js';
import { Following } from '../../adapters/library/following.js';
import { OwnCollectionQueries } from '../../adapters/library/own-collection-queries.js';
import { Projects } from '../../adapters/library/projects.js';
import { Workbenches } from '../../adapters/library/workbenches.js';
import { OwnCollections } from '../../adapters/library/own-collections.js';
import { AppModule } from '../../bootstrap/app.module.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import type { Resources } from '../../bootstrap/resources.js';
import { DemoCheckout } from './checkout.js';
import { DemoStudio } from './studio.js';
import { Clock } from '../../application/shared/clock.js';

const DAY_MS = 24 * 60 * 60_000;
const MAX_CONNECTIONS = 8;
/** Time limit of connections, statements and locks. No user waits for them, and a busy machine is slow. */
const PATIENCE_MS = 60_000;

/** A clock that shows the past time of the action that the seeding performs. */
class DemoClock extends Clock {
  private at: Date;

  constructor(private readonly today: Date) {
    super();
    this.at = today;
  }

  override now(): Date {
    return this.at;
  }

  /** Sets the clock to `daysAgo` days before the start of the seeding; fractions are allowed. */
  moveTo(daysAgo: number): void {
    this.at = new Date(this.today.getTime() - daysAgo * DAY_MS);
  }
}

/**
 * A second instance of the product on the same stores, with three differences: its clock can stand in the past,
 * its audio studio already knows the sounds, because it made them, and its statements may take a minute.
 */
export interface DemoProduct {
  clock: DemoClock;
  studio: DemoStudio;
  signUp: SignUp;
  commands: CommandBus;
  creators: Creators;
  ownPacks: OwnPackQueries;
  uploads: SampleUploads;
  library: LibraryStore;
  following: Following;
  collections: OwnCollections;
  collectionLinks: CollectionLinks;
  collectionQueries: OwnCollectionQueries;
  projects: Projects;
  workbenches: Workbenches;
  weeklyMails: WeeklyMails;
  /** Present if the simulator takes the payments. */
  checkout?: DemoCheckout;
  close(): Promise<void>;
}

/** @param threads the number of threads that make sounds */
export async function openDemoProduct(resources: Resources, threads: number): Promise<DemoProduct> {
  const { stripeSimulator: simulator, wallClock } = resources;
  const { url, directUrl } = resources.database;
  const database = new Database(url, {
    maxConnections: MAX_CONNECTIONS,
    limits: {
      ...resources.database.limits,
      connectMs: PATIENCE_MS,
      statementMs: PATIENCE_MS,
      lockMs: PATIENCE_MS,
    },
    ...(directUrl !== url && { directUrl }),
  });
  const jobs = new BossJobQueue(database);
  const config = { ...resources.config, autoApproveCreators: true, searchIndex: false, copyCheckWaitMs: 0 };
  const clock = new DemoClock(wallClock.now());
  const eventStore = new PostgresEventStore(database, clock, PROJECTIONS.appendedInline);
  eventStore.onAppend((appended) => resources.eventStore.announce(appended));
  const creditExecutor = new CreditExecutor(new PostgresCreditBatchStore(database, eventStore, clock));
  const studio = new DemoStudio({ folder: join(config.dataDir, 'uploads'), threads });
  const own = {
    config,
    clock,
    database,
    catalogueDatabase: database,
    eventStore,
    creditExecutor,
    jobs,
    outbox: new Outbox(resources.mailer, jobs),
    audioStudio: studio,
  };
  const app = await NestFactory.createApplicationContext(AppModule.with({ ...resources, ...own }), {
    abortOnError: false,
  });
  const commands = app.get(CommandBus);
  const events = app.get(PaymentEvents);
  const payoutAccounts = app.get(PayoutAccounts);
  return {
    clock,
    studio,
    commands,
    signUp: app.get(SignUp),
    creators: app.get(Creators),
    ownPacks: app.get(OwnPackQueries),
    uploads: app.get(SampleUploads),
    library: app.get(LibraryStore),
    following: app.get(Following),
    collections: app.get(OwnCollections),
    collectionLinks: app.get(CollectionLinks),
    collectionQueries: app.get(OwnCollectionQueries),
    projects: app.get(Projects),
    workbenches: app.get(Workbenches),
    weeklyMails: app.get(WeeklyMails),
    ...(simulator && { checkout: new DemoCheckout({ simulator, clock, commands, events, payoutAccounts }) }),
    close: async () => {
      await app.close();
      await studio.close();
      await jobs.close();
      await database.close();
    },
  };
}
