import { IndexSubscription } from '../../adapters/catalogue/search/index-subscription.js';
import { InlineVersions } from '../../adapters/platform/projections/inline-versions.js';
import { Global, Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { configureHttp, createOptions } from '../../adapters/platform/http/configure.js';
import { SharpImageStudio } from '../../adapters/vendors/images/sharp-image-studio.js';
import { AccountsModule } from '../../adapters/accounts/accounts.module.js';
import { CONFIG, readConfig, type Config } from '../../bootstrap/config.js';
import { HttpModule } from '../../bootstrap/http.module.js';
import { CommandsModule } from '../../adapters/platform/commands/commands.module.js';
import { SettingsModule } from '../../bootstrap/settings.module.js';
import { CATALOGUE_DATABASE, Database } from '../../adapters/platform/database/database.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { PostgresSecrets } from '../../adapters/platform/database/postgres-secrets.js';
import { NO_KEYS, SigningKeys, Secrets } from '../../application/shared/keys/signing-keys.js';
import { Remarks } from '../../application/shared/remarks.js';
import { PostgresRemarks } from '../../adapters/platform/database/postgres-remarks.js';
import { EventStore } from '../../application/shared/event-store.js';
import { MailboxMailer } from '../../adapters/mail/mailbox.controller.js';
import { Clock, WallClock } from '../../application/shared/clock.js';
import { ImageStudio } from '../../application/media/image-studio.js';
import { Mailer } from '../../application/mail/mailer.js';
import { MAIL, Outbox } from '../../application/mail/outbox.js';
import { JobQueue, type JobKind, type NewJob } from '../../application/shared/job-queue.js';
import { ObjectStorage } from '../../application/storage/object-storage.js';
import { HttpClient } from './http-client.js';
import './log.js';

/** A clock that stands still until a test moves it. */
export class TestClock extends WallClock {
  private time = new Date('2026-11-20T12:00:00.000Z');

  now(): Date {
    return new Date(this.time);
  }

  advance(ms: number): void {
    this.time = new Date(this.time.getTime() + ms);
  }
}

export interface TestAppOptions {
  database: Database;
  /** Modules under test. Accounts and the HTTP modules are always included. */
  imports?: Array<Type | DynamicModule>;
  /** Global providers: the ports that the modules need (ObjectStorage, EventStore, …). */
  providers?: Provider[];
  controllers?: Type[];
  config?: Partial<Config>;
  clock?: WallClock;
  /** Does not wait for the search index, which some tests prevent. */
  isNeverReady?: boolean;
}

export interface TestApp {
  app: NestExpressApplication;
  url: string;
  clock: TestClock;
  config: Config;
  /** Returns a new browser, which keeps cookies and sends `Origin`. */
  browser(): HttpClient;
  /** Signs up an account and keeps its session. */
  signedUp(email?: string): Promise<HttpClient>;
  close(): Promise<void>;
}

/** Starts the given modules behind the product's HTTP setup on a free port. */
export async function startTestApp(options: TestAppOptions): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'offcut-app-'));
  const clock = options.clock ?? new TestClock();
  const config: Config = {
    ...readConfig({
      NODE_ENV: 'test',
      DATA_DIR: dataDir,
      PORT: '0',
      COPY_CHECK_WAIT_MS: '0',
      REQUIRE_ORIGIN: 'off',
    }),
    ...options.config,
  };
  const mailer = new MailboxMailer(options.database, clock);
  const jobs = new NoWorkers();
  const outbox = (jobs.outbox = new Outbox(mailer, jobs));
  const core: Provider[] = [
    { provide: CONFIG, useValue: config },
    { provide: Database, useValue: options.database },
    { provide: CATALOGUE_DATABASE, useValue: options.database },
    { provide: InlineVersions, useValue: new InlineVersions(options.database, []) },
    { provide: Clock, useValue: clock },
    { provide: WallClock, useValue: clock },
    { provide: EventStore, useValue: new PostgresEventStore(options.database, clock) },
    { provide: Mailer, useValue: mailer },
    { provide: Outbox, useValue: outbox },
    { provide: ObjectStorage, useValue: storageIn(dataDir, config.publicUrl, clock) },
    { provide: ImageStudio, useClass: SharpImageStudio },
    { provide: JobQueue, useValue: jobs },
    { provide: Secrets, useValue: new PostgresSecrets(options.database) },
    { provide: Remarks, useClass: PostgresRemarks },
    { provide: SigningKeys, useValue: new SigningKeys(new PostgresSecrets(options.database), NO_KEYS) },
  ];
  const provided = new Map([...core, ...(options.providers ?? [])].map((item) => [tokenOf(item), item]));

  @Global()
  @Module({ providers: [...provided.values()], exports: [...provided.keys()] as symbol[] })
  class TestCore {}

  const fixture = await Test.createTestingModule({
    imports: [
      TestCore,
      SettingsModule,
      CommandsModule,
      HttpModule.forRoot(config),
      AccountsModule,
      ...(options.imports ?? []),
    ],
    controllers: options.controllers ?? [],
  }).compile();
  const app = fixture.createNestApplication<NestExpressApplication>({ ...createOptions, logger: false });
  configureHttp(app, config);
  // A test that computes for seconds would write to a connection that the server is about to close for idleness.
  app.getHttpServer().keepAliveTimeout = 600_000;
  await app.listen(0, '127.0.0.1');
  if (config.searchIndex && !options.isNeverReady)
    await app.get(IndexSubscription, { strict: false }).built();
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  return {
    app,
    url,
    clock: clock as TestClock,
    config,
    browser: () => new HttpClient(url),
    signedUp: (email) => HttpClient.signUp(url, email),
    close: async () => {
      app.getHttpServer().closeAllConnections();
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A queue for tests without workers, which sends mails at once. */
class NoWorkers extends JobQueue {
  outbox: Outbox | undefined;

  async send<Data extends object>(kind: JobKind<Data>, jobs: readonly NewJob<Data>[]): Promise<void> {
    if (kind.name !== MAIL.name) throw new Error(`no worker does ${kind.name} here`);
    for (const { data } of jobs) await this.outbox?.send(MAIL.shape.parse(data));
  }
  async cancel(): Promise<void> {}
}

const storageIn = (root: string, publicUrl: string, clock: WallClock): ObjectStorage =>
  new DiskObjectStorage({ root, publicUrl, signingKey: randomBytes(32), clock });

const tokenOf = (provider: Provider): unknown =>
  typeof provider === 'function' ? provider : (provider as { provide: unknown }).provide;
