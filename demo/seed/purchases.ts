import { join } from 'node:path';
import type { CommandBus } from '@nestjs/cqrs';
import { SignUp } from '../../application/accounts/sign-up.js';
import { GrantPromotionHandler } from '../../application/purchases/grant-promotion.js';
import { ChangeStaffRoleHandler } from '../../application/accounts/handlers.js';
import { OnboardingReturn, PayoutAccounts } from '../../application/payouts/payout-accounts.js';
import { LibraryStore } from '../../application/library/readers.js';
import { ConnectedAccounts } from '../../application/payouts/connected-accounts.js';
import { PackSlugs } from '../../application/publishing/pack-slugs.js';
import { CreatorFolders } from '../../application/storage/creator-folders.js';
import { PublishedRecordings } from '../../application/publishing/published-recordings.js';
import { PaymentRecords } from '../../application/payments/payment-records.js';
import { UnreferencedObjects } from '../../application/storage/unreferenced-objects.js';
import { Profiles } from '../../application/profiles/profiles.js';
import type { Creators } from '../../application/publishing/creators.js';
import { OwnPackReader } from '../../application/publishing/readers.js';
import { PublishingSettings } from '../../application/publishing/publishing-settings.js';
import type { SampleUploads } from '../../application/publishing/sample-uploads.js';
import { UploadBoard } from '../../application/publishing/upload-progress.js';
import { BuySamplesHandler } from '../../application/purchases/buy-samples.js';
import { SampleDelivery } from '../../application/purchases/sample-delivery.js';
import { BatchingCreditDesk } from '../../application/purchases/batched-credit-commands.js';
import { OwnedFiles, SampleFiles } from '../../application/purchases/readers.js';
import { FollowSubscription } from '../../application/subscriptions/follow-subscription.js';
import { PaymentEvents } from '../../application/payments/payment-events.js';
import { SettleInvoice } from '../../application/subscriptions/settle-invoice.js';
import { CheckoutReturn, StartCheckoutHandler } from '../../application/subscriptions/start-checkout.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { RecordMovementHandler } from '../../application/payments/handlers.js';
import { RecordedMovements } from '../../application/payments/balance-cursors.js';
import { Streams } from '../../application/shared/streams.js';
import { standaloneBus } from '../../adapters/platform/commands/standalone-bus.js';
import { PostgresDeskStore } from '../../adapters/purchases/postgres-credit-command-store.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { DemoClock } from './clock.js';
import { DemoTill } from './checkout.js';
import { DemoStudio } from './studio.js';
import type { Product } from '../../bootstrap/product.js';
import { standalonePublishing } from '../../bootstrap/standalone-publishing.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';

/**
 * The product's own use cases, on its own stores, with two differences: the clock can stand in the past, and
 * the audio studio knows the sounds because it made them.
 */
export interface DemoShop {
  clock: DemoClock;
  studio: DemoStudio;
  signUp: SignUp;
  commands: CommandBus;
  profiles: Profiles;
  creators: Creators;
  ownPacks: OwnPackReader;
  uploads: SampleUploads;
  library: LibraryStore;
  eventStore: PostgresEventStore;
  /** Present where the simulator takes the payments. */
  till?: DemoTill;
}

/** @param threads in which sounds are made */
export async function openDemoShop(product: Product, threads: number): Promise<DemoShop> {
  const { app, resources } = product;
  const clock = new DemoClock(resources.wallClock.now());
  const studio = new DemoStudio({ folder: join(resources.config.dataDir, 'uploads'), threads });
  const eventStore = new PostgresEventStore(resources.database, clock, PROJECTIONS.appendedInline);
  eventStore.onAppend((position) => resources.eventStore.announce(position));
  const streams = new Streams(eventStore);
  const desk = new BatchingCreditDesk(new PostgresDeskStore(resources.database, eventStore, clock));
  const { storage } = resources;
  const ownPacks = app.get(OwnPackReader);
  const profiles = app.get(Profiles);
  const settings = app.get(PublishingSettings);
  const { creators, uploads, handlers } = standalonePublishing({
    streams,
    clock,
    ownPacks,
    profiles,
    slugs: app.get(PackSlugs),
    folders: app.get(CreatorFolders),
    recordings: app.get(PublishedRecordings),
    unreferenced: app.get(UnreferencedObjects),
    storage,
    images: resources.imageStudio,
    audio: studio,
    settings: new PublishingSettings(true, settings.uploadFolder),
    board: app.get(UploadBoard),
    progress: resources.followers,
  });
  // The product's own bus leads to handlers on the product's own clock.
  const commands = await standaloneBus([
    ...handlers,
    new ChangeStaffRoleHandler(streams, clock),
    new GrantPromotionHandler(desk),
    new BuySamplesHandler(
      desk,
      app.get(SampleFiles),
      app.get(OwnedFiles),
      new SampleDelivery(storage, resources.wallClock),
      clock,
    ),
  ]);
  return {
    clock,
    studio,
    signUp: app.get(SignUp),
    commands,
    profiles,
    creators,
    uploads,
    ownPacks,
    library: app.get(LibraryStore),
    eventStore,
    till: await openTill(product, clock, streams, desk),
  };
}

/** The use cases of payments, on the demo's clock and log. */
async function openTill(
  { app, resources }: Product,
  clock: DemoClock,
  streams: Streams,
  desk: BatchingCreditDesk,
): Promise<DemoTill | undefined> {
  const {
    stripeSimulator: simulator,
    payments,
    payouts,
    balance,
    clock: calendar,
    eventStore: log,
  } = resources;
  if (!simulator) return undefined;
  const records = app.get(PaymentRecords);
  const movements = app.get(RecordedMovements);
  const accounts = app.get(ConnectedAccounts);
  const follow = new FollowSubscription(streams, payments, clock);
  const settle = new SettleInvoice(desk, payments, records, follow, clock);
  const events = new PaymentEvents(payments, records, settle, follow, clock);
  const commands = await standaloneBus([
    new StartCheckoutHandler(follow, payments, records, app.get(CheckoutReturn), clock),
    new RecordMovementHandler(streams),
  ]);
  const transactions = new BalanceTransactions(balance, log, commands, movements, calendar);
  events.listen((event) => transactions.handle(event));
  return new DemoTill({
    simulator,
    clock,
    events,
    commands,
    payoutAccounts: new PayoutAccounts(payouts, accounts, app.get(OnboardingReturn), clock),
  });
}
