import { join } from 'node:path';
import type { CommandBus } from '@nestjs/cqrs';
import { SignUp } from '../../application/accounts/sign-up.js';
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
import { AddSample } from '../../application/publishing/add-sample.js';
import { Attachments } from '../../application/publishing/attachments.js';
import { AudioIntake } from '../../application/publishing/audio-intake.js';
import { Covers } from '../../application/publishing/covers.js';
import { ApplyAsCreatorHandler } from '../../application/publishing/creator-handlers.js';
import { Creators } from '../../application/publishing/creators.js';
import { PackCommandHandler } from '../../application/publishing/execute-pack-commands.js';
import { Packs } from '../../application/publishing/packs.js';
import { OwnPackReader } from '../../application/publishing/readers.js';
import { PublishingSettings } from '../../application/publishing/publishing-settings.js';
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
import { RecordedMovements } from '../../application/payments/balance-cursors.js';
import { Streams } from '../../application/shared/streams.js';
import { standaloneBus } from '../../adapters/platform/commands/standalone-bus.js';
import { PostgresDeskStore } from '../../adapters/purchases/postgres-credit-command-store.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { DemoClock } from './clock.js';
import { DemoTill } from './checkout.js';
import { DemoStudio } from './studio.js';
import type { Product } from '../../bootstrap/product.js';
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
  packs: Packs;
  ownPacks: OwnPackReader;
  addSample: AddSample;
  attachments: Attachments;
  desk: BatchingCreditDesk;
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
  const { storage, imageStudio } = resources;
  const ownPacks = app.get(OwnPackReader);
  const profiles = app.get(Profiles);
  const slugs = app.get(PackSlugs);
  const folders = app.get(CreatorFolders);
  const settings = app.get(PublishingSettings);
  const board = app.get(UploadBoard);
  const approving = new PublishingSettings(true, settings.uploadFolder);
  const creators = new Creators(streams, clock);
  // The product's own bus leads to handlers on the product's own clock.
  const commands = await standaloneBus([
    new ApplyAsCreatorHandler(creators, profiles, approving),
    new ChangeStaffRoleHandler(streams, clock),
    new BuySamplesHandler(
      desk,
      app.get(SampleFiles),
      app.get(OwnedFiles),
      new SampleDelivery(resources.storage, resources.wallClock),
      clock,
    ),
    new PackCommandHandler(streams, app.get(PublishedRecordings)),
  ]);
  const unreferenced = app.get(UnreferencedObjects);
  const covers = new Covers(imageStudio, storage, ownPacks, unreferenced, clock);
  const intake = new AudioIntake(studio, storage, ownPacks, unreferenced, clock);
  return {
    clock,
    studio,
    signUp: app.get(SignUp),
    commands,
    profiles,
    creators,
    packs: new Packs(
      commands,
      ownPacks,
      slugs,
      folders,
      profiles,
      creators,
      covers,
      resources.followers,
      clock,
    ),
    ownPacks,
    addSample: new AddSample(intake, ownPacks, creators, commands, board, clock),
    attachments: new Attachments(commands, ownPacks, creators, storage, clock),
    desk,
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
  const { stripeSimulator: simulator, payments, payouts, balance, clock: calendar } = resources;
  if (!simulator) return undefined;
  const records = app.get(PaymentRecords);
  const movements = app.get(RecordedMovements);
  const accounts = app.get(ConnectedAccounts);
  const follow = new FollowSubscription(streams, payments, clock);
  const settle = new SettleInvoice(desk, payments, records, follow, clock);
  const events = new PaymentEvents(payments, records, settle, follow, clock);
  const transactions = new BalanceTransactions(balance, streams, movements, calendar);
  events.listen((event) => transactions.handle(event));
  return new DemoTill({
    simulator,
    clock,
    events,
    commands: await standaloneBus([
      new StartCheckoutHandler(follow, payments, records, app.get(CheckoutReturn), clock),
    ]),
    payoutAccounts: new PayoutAccounts(payouts, accounts, app.get(OnboardingReturn), clock),
  });
}
