import { Injectable, Logger, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AdministrationModule } from '../adapters/administration/administration.module.js';
import { CreditsModule } from '../adapters/credits/credits.module.js';
import { LedgerModule } from '../adapters/ledger/ledger.module.js';
import { MediaModule } from '../adapters/media/media.module.js';
import { PaymentsModule } from '../adapters/payments/payments.module.js';
import { PayoutsModule } from '../adapters/payouts/payouts.module.js';
import { PostgresEventStore } from '../adapters/platform/event-log/postgres-event-store.js';
import { BossJobQueue } from '../adapters/platform/jobs/boss-job-queue.js';
import { JobRunner, type Jobs } from '../adapters/platform/jobs/jobs.js';
import { PublishingModule } from '../adapters/publishing/publishing.module.js';
import { PurchasesModule } from '../adapters/purchases/purchases.module.js';
import { StorageModule } from '../adapters/storage/storage.module.js';
import { SubscriptionsModule } from '../adapters/subscriptions/subscriptions.module.js';
import { Sessions } from '../application/accounts/sessions.js';
import { ApprovalMails } from '../application/administration/approval-mails.js';
import { CarryOutApprovals } from '../application/administration/carry-out-approvals.js';
import { ReturnPurchases } from '../application/administration/return-purchases.js';
import { ApplyAdjustments } from '../application/credits/apply-adjustments.js';
import { MAIL, Outbox } from '../application/mail/outbox.js';
import { PurgeMedia } from '../application/media/purge-media.js';
import { NightlyCheck } from '../application/ledger/nightly-check.js';
import { SuspenseAlerts } from '../application/ledger/suspense-alerts.js';
import { SignedHeads } from '../application/operations/signed-heads.js';
import { BalanceTransactions } from '../application/payments/balance-transactions.js';
import { BankPayouts } from '../application/payments/bank-payouts.js';
import { MoneyBackFacts } from '../application/payments/money-back.js';
import { SendRefunds } from '../application/payments/send-refunds.js';
import { PayoutSchedules } from '../application/payouts/payout-schedules.js';
import { PayoutSweep } from '../application/payouts/payout-sweep.js';
import { SettleWithdrawal } from '../application/payouts/settle-withdrawal.js';
import { WriteOffDebts } from '../application/payouts/write-off-debts.js';
import { CreatorMails } from '../application/publishing/creator-mails.js';
import { MirrorPackJson } from '../application/publishing/mirror-pack-json.js';
import { Certificates } from '../application/purchases/certificates.js';
import { Remarks } from '../application/shared/remarks.js';
import { EventStore } from '../application/shared/event-store.js';
import type { Reactor } from '../application/shared/reactor.js';
import { ForgetFolders } from '../application/storage/forget-folders.js';
import { ObjectSweep } from '../application/storage/object-sweep.js';
import { PaymentSweep } from '../application/subscriptions/payment-sweep.js';
import { PlanChanges } from '../application/subscriptions/plan-changes.js';
import { Receipts } from '../application/subscriptions/receipts.js';

const EVERY_MS = 5 * 60_000;

/** Subscriptions of the log, each with a checkpoint of its own, a name and the event types it follows. */
@Injectable()
export class Reactors {
  readonly all: readonly Reactor[];

  constructor(
    mirror: MirrorPackJson,
    certificates: Certificates,
    withdrawals: SettleWithdrawal,
    adjustments: ApplyAdjustments,
    approvals: CarryOutApprovals,
    approvalMails: ApprovalMails,
    returns: ReturnPurchases,
    refunds: SendRefunds,
    receipts: Receipts,
    creatorMails: CreatorMails,
    purges: PurgeMedia,
  ) {
    this.all = [
      mirror,
      certificates,
      withdrawals,
      adjustments,
      approvals,
      approvalMails,
      returns,
      refunds,
      receipts,
      creatorMails,
      purges,
    ];
  }
}

/** Fetches what never arrived by itself, such as lost webhooks. */
@Injectable()
class MoneyJobs {
  readonly jobs: Jobs;

  constructor(
    payments: PaymentSweep,
    changes: PlanChanges,
    payouts: PayoutSweep,
    schedules: PayoutSchedules,
    debts: WriteOffDebts,
    bankPayouts: BankPayouts,
    balance: BalanceTransactions,
    moneyBack: MoneyBackFacts,
    returns: ReturnPurchases,
    approvals: CarryOutApprovals,
    suspense: SuspenseAlerts,
  ) {
    this.jobs = {
      payments: () => payments.run(),
      'changes of plans': () => changes.sweep(),
      payouts: () => payouts.run(),
      'monthly payouts': () => schedules.run(),
      'debts of creators': () => debts.run(),
      'bank payouts': () => bankPayouts.sweep(),
      'balance transactions': () => balance.sweep(),
      'refunds and disputes': () => moneyBack.sweep(),
      takedowns: () => returns.sweep(),
      'undecided approvals': () => approvals.lapse(),
      'items in suspense': () => suspense.run(),
    };
  }
}

/** Checks the log, the books and the storage, and removes what nothing needs any more. */
@Injectable()
class UpkeepJobs {
  readonly jobs: Jobs;
  private readonly log = new Logger('Jobs');

  constructor(
    heads: SignedHeads,
    nightly: NightlyCheck,
    objects: ObjectSweep,
    folders: ForgetFolders,
    sessions: Sessions,
    remarks: Remarks,
    eventStore: EventStore,
  ) {
    this.jobs = {
      'log heads': () => heads.signToday(),
      'former ends of the log': async () =>
        eventStore instanceof PostgresEventStore && eventStore.forgetFormerEnds(),
      'the books': async () => {
        for (const { number, name, detail } of (await nightly.run())?.broken ?? [])
          this.log.error(`the books are broken: rule ${number}, ${name}: ${detail}`);
      },
      'stored objects': async () => {
        const swept = await objects.daily();
        if (swept && swept.noted + swept.removed > 0)
          this.log.log(
            `stored objects that nothing refers to: ${swept.removed} removed (${swept.removedBytes} bytes), ${swept.noted} noted`,
          );
      },
      'folders of erased people': () => folders.run(),
      sessions: () => sessions.sweep(),
      remarks: () => remarks.sweep(),
    };
  }
}

/** The background work of a worker: starts all jobs, and stops them within a limit. */
@Injectable()
export class Work {
  constructor(
    private readonly runner: JobRunner,
    private readonly money: MoneyJobs,
    private readonly upkeep: UpkeepJobs,
    private readonly jobs: BossJobQueue,
    private readonly outbox: Outbox,
  ) {}

  async start(): Promise<void> {
    await this.jobs.start();
    await this.jobs.work(
      MAIL,
      ({ jobId, data, number, isLast }) => this.outbox.send(data, { mailId: jobId, number, isLast }),
      ({ letter }) => `the mail ${letter}`,
    );
    this.runner.start({ ...this.money.jobs, ...this.upkeep.jobs }, EVERY_MS);
  }

  async stop(limitMs: number): Promise<void> {
    await Promise.all([this.runner.stop(limitMs), this.jobs.stop(limitMs)]);
  }
}

@Module({
  imports: [
    ScheduleModule.forRoot(),
    AdministrationModule,
    CreditsModule,
    LedgerModule,
    MediaModule,
    PaymentsModule,
    PayoutsModule,
    PublishingModule,
    PurchasesModule,
    StorageModule,
    SubscriptionsModule,
  ],
  providers: [JobRunner, MoneyJobs, Reactors, UpkeepJobs, Work],
})
export class WorkModule {}
