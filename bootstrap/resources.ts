import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { BusinessClock, SystemClock, type Clock, type WallClock } from '../application/shared/clock.js';
import { Outbox } from '../application/mail/outbox.js';
import { SigningKeys, type Secrets } from '../application/shared/keys/signing-keys.js';
import { CreditExecutor } from '../application/credits/credit-executor.js';
import type { AudioStudio, WavWriter } from '../application/publishing/samples/audio-studio.js';
import { WorkerAudioStudio } from '../adapters/vendors/audio/worker-audio-studio.js';
import { DiskObjectStorage } from '../adapters/vendors/disk/disk-object-storage.js';
import { SharpImageStudio } from '../adapters/vendors/images/sharp-image-studio.js';
import { SmtpMailer } from '../adapters/vendors/smtp/smtp-mailer.js';
import { PostgresCreditBatchStore } from '../adapters/credits/postgres-credit-batch-store.js';
import { Replica } from '../adapters/platform/database/replica.js';
import { PostgresEventStore } from '../adapters/platform/event-log/postgres-event-store.js';
import { LogSubscriptions } from '../adapters/platform/event-log/subscriptions.js';
import { MailboxMailer } from '../adapters/mail/mailbox.controller.js';
import { PostgresMailLog } from '../adapters/mail/postgres-mails.js';
import { OutgoingCalls } from '../adapters/platform/observability/call-durations.js';
import { BossJobQueue } from '../adapters/platform/jobs/boss-job-queue.js';
import { PostgresSecrets } from '../adapters/platform/database/postgres-secrets.js';
import { S3ObjectStorage } from '../adapters/vendors/s3/s3-object-storage.js';
import { loadState, simulatorState } from '../simulators/stripe/state.js';
import { startStripeSimulator, type StripeSimulator } from '../simulators/stripe/server.js';
import { followCalendar, offsetOf } from '../adapters/vendors/stripe/simulated-calendar.js';
import { StripeBalanceGateway } from '../adapters/vendors/stripe/stripe-balance-gateway.js';
import { stripeTerms } from './settings/payments.js';
import { StripePaymentGateway } from '../adapters/vendors/stripe/stripe-payment-gateway.js';
import { StripePayerGateway } from '../adapters/vendors/stripe/stripe-payer-gateway.js';
import { StripePayoutGateway } from '../adapters/vendors/stripe/stripe-payout-gateway.js';
import { StripePlanTaxes } from '../adapters/vendors/stripe/stripe-plan-taxes.js';
import { StripeRefundGateway } from '../adapters/vendors/stripe/stripe-refund-gateway.js';
import type { Config } from './config.js';
import { openDatabase, type OnClose, type Place } from './open-database.js';
import { PROJECTIONS } from './projections.js';
import { InlineVersions } from '../adapters/platform/projections/inline-versions.js';
import { ownUrl } from './serving.js';
import { BatchMetrics } from '../adapters/platform/observability/metrics.js';

/** The database, storage and services that the process uses. They are opened in order and closed in reverse. */
export type Resources = Awaited<ReturnType<typeof open>> & { close(): Promise<void> };

/**
 * Opens the configured resources, and starts an embedded replacement for each resource that is not
 * configured. If opening fails, closes what was opened before.
 */
export async function openResources(config: Config, place: Place = 'serving'): Promise<Resources> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  try {
    return { ...(await open(config, place, (closer) => closers.push(closer))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(config: Config, place: Place, onClose: OnClose) {
  const wallClock = new SystemClock();
  const calls = new OutgoingCalls();
  mkdirSync(config.dataDir, { recursive: true });
  const database = await openDatabase(config, place, onClose);
  const catalogueDatabase = config.databaseReplicaUrl
    ? new Replica(config.databaseReplicaUrl, config.databaseOptions, database)
    : database;
  if (catalogueDatabase !== database) onClose(() => catalogueDatabase.close());

  const secrets = new PostgresSecrets(database);
  const signingKeys = new SigningKeys(secrets, config.signingKeys);
  const { stripe, stripeSimulator, offsetMs } = await (place === 'serving'
    ? stripeOptions(config, secrets, onClose)
    : stripeBeside(config));
  const observed = { ...stripe, ...stripeTerms(config), observe: calls.to('stripe') };
  const clock: Clock = new BusinessClock(wallClock, offsetMs);
  const eventStore = new PostgresEventStore(database, clock, PROJECTIONS.appendedInline);
  const logSubscriptions = new LogSubscriptions(
    database,
    eventStore,
    PROJECTIONS.async,
    new Logger('LogSubscriptions'),
  );
  const jobs = new BossJobQueue(database);
  onClose(() => jobs.close());
  const inlineVersions = new InlineVersions(database, PROJECTIONS.inline);
  if (place === 'serving') await inlineVersions.bringUpToDate(logSubscriptions.projector);
  const batches = new BatchMetrics();
  const creditExecutor = new CreditExecutor(new PostgresCreditBatchStore(database, eventStore, clock), {
    onBatch: batches.observe,
  });

  const { s3 } = config;
  const diskStorage = s3 ? undefined : await openFolder(config, signingKeys, wallClock);
  const workers = new WorkerAudioStudio();
  onClose(() => workers.close());
  const audioStudio: AudioStudio = workers;
  const wavWriter: WavWriter = workers;
  const mailer = config.smtpUrl
    ? new SmtpMailer(config.smtpUrl, {
        from: config.mailFrom,
        limits: config.smtpLimits,
        log: new PostgresMailLog(database),
        clock: wallClock,
        observe: calls.to('smtp'),
      })
    : new MailboxMailer(database, wallClock);
  if (mailer instanceof SmtpMailer) onClose(() => mailer.close());

  return {
    config,
    clock,
    wallClock,
    database,
    /** The database that serves the public catalogue: the replica, or the main database if there is none. */
    catalogueDatabase,
    eventStore,
    logSubscriptions,
    calls,
    batches,
    jobs,
    inlineVersions,
    creditExecutor,
    secrets,
    signingKeys,
    storage:
      diskStorage ??
      new S3ObjectStorage({
        ...(s3 as NonNullable<typeof s3>),
        clock: wallClock,
        observe: calls.to('storage'),
      }),
    /** Defined if this server answers signed URLs itself. */
    diskStorage,
    audioStudio,
    wavWriter,
    imageStudio: new SharpImageStudio(),
    mailer,
    outbox: new Outbox(mailer, jobs),
    payments: new StripePaymentGateway(observed, wallClock),
    payers: new StripePayerGateway(observed),
    payouts: new StripePayoutGateway(observed),
    refunds: new StripeRefundGateway(observed),
    planTaxes: new StripePlanTaxes(observed),
    balance: new StripeBalanceGateway(observed),
    /** Defined if no Stripe keys are configured. */
    stripeSimulator,
  };
}

async function openFolder(
  { dataDir, publicUrl }: Config,
  signingKeys: SigningKeys,
  clock: WallClock,
): Promise<DiskObjectStorage> {
  const ring = await signingKeys.of('downloads');
  const signing = ring.signingAt(clock.now());
  return new DiskObjectStorage({
    root: join(dataDir, 'objects'),
    publicUrl,
    signingKey: signing.secret,
    otherKeys: ring.keys.filter((key) => key !== signing && !key.withdrawn).map(({ secret }) => secret),
    clock,
  });
}

interface Payments {
  /** The payment provider's address and keys. */
  stripe: NonNullable<Config['stripe']>;
  stripeSimulator?: StripeSimulator;
  offsetMs: () => number;
}

/**
 * Returns the payment settings of the command line. Without Stripe's keys, a command reads the simulator's saved
 * calendar once, and cannot call the provider.
 */
async function stripeBeside({ stripe, dataDir }: Config): Promise<Payments> {
  if (!stripe) {
    const offsetMs = loadState(simulatorState(dataDir)).clockOffsetSeconds * 1000;
    const nobody = { secretKey: 'sk_test_simulator', webhookSecret: '', apiBase: 'http://127.0.0.1:9' };
    return { stripe: nobody, offsetMs: () => offsetMs };
  }
  const offsetMs = stripe.apiBase ? await offsetOf(stripe.apiBase) : 0;
  return { stripe, offsetMs: () => offsetMs };
}

async function stripeOptions(config: Config, secrets: Secrets, onClose: OnClose): Promise<Payments> {
  const { stripe } = config;
  if (stripe) {
    if (!stripe.apiBase) return { stripe, offsetMs: () => 0 };
    // `apiBase` may be the address of a simulator in another
    // process. Then this process follows that simulator's calendar.
    const calendar = await followCalendar(stripe.apiBase);
    onClose(async () => calendar.close());
    return { stripe, offsetMs: calendar.offsetMs };
  }
  if (config.role !== 'all')
    new Logger('Payments').warn(
      'this process has a payment simulator of its own; `offcut stripe simulator` runs one that all share',
    );
  const webhookSecret = `whsec_${(await secrets.get('stripe-simulator')).toString('base64url')}`;
  const stripeSimulator = await startStripeSimulator({
    // A worker receives no webhooks. It must not overwrite the simulator state of a server on the same machine.
    ...(config.role !== 'worker' && { stateFile: simulatorState(config.dataDir) }),
    webhookUrl: `${ownUrl(config.serving, config.port)}/api/stripe/webhook`,
    webhookSecret,
  });
  onClose(() => stripeSimulator.close());
  return {
    stripe: { secretKey: 'sk_test_simulator', webhookSecret, apiBase: stripeSimulator.url },
    stripeSimulator,
    offsetMs: () => stripeSimulator.offsetMs(),
  };
}
