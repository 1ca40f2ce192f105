import { Injectable, Logger, type Abstract, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import * as z from 'zod';
import { IndexSnapshots } from '../adapters/catalogue/search/index-snapshots.js';
import { MarginMonths } from '../adapters/ledger/reports/margin-months.js';
import { OutlivedRows } from '../adapters/platform/database/outlived-rows.js';
import { PostgresEventStore } from '../adapters/platform/event-log/postgres-event-store.js';
import { Sessions } from '../application/accounts/sessions/sessions.js';
import { CarryOutApprovals } from '../application/approvals/decide-on-request.js';
import { ReturnPurchases } from '../application/purchases/return-purchases.js';
import { ComplaintSweep } from '../application/complaints/complaint-mails.js';
import { FollowerNotices } from '../application/library/follower-notices.js';
import { WeeklyMails } from '../application/library/weekly-mail.js';
import { NightlyCheck } from '../application/ledger/nightly-check.js';
import { ReviewAlerts, SuspenseAlerts } from '../application/ledger/renew-alerts.js';
import { SentMails } from '../application/mail/sent-mails.js';
import { FetchTieOut } from '../application/ledger/tie-outs/fetch-tie-out.js';
import { WholeProof } from '../application/ledger/whole-proof.js';
import { SignedHeads } from '../application/operations/signed-heads.js';
import { BalanceTransactions } from '../application/payments/balance-transactions.js';
import { BankPayouts } from '../application/payments/record-bank-payout.js';
import { ForgetPayers } from '../application/payments/forget-payers.js';
import { MoneyBackFacts } from '../application/payments/money-back.js';
import { NoticeMails } from '../application/notices/notice-mails.js';
import { ApplicationSounds } from '../application/publishing/creators/application-sounds.js';
import { ReleaseDuePacks } from '../application/publishing/release-due-packs.js';
import { PayoutNotices } from '../application/payouts/payout-notices.js';
import { PayoutSchedules } from '../application/payouts/payout-schedules.js';
import { PayoutSweep } from '../application/payouts/payout-sweep.js';
import { WriteOffDebts } from '../application/payouts/write-off-debt.js';
import { CopyMails } from '../application/publishing/suspicions/copy-mails.js';
import { DescribeSounds } from '../application/publishing/sounds/describe-sounds.js';
import { KnownSounds } from '../application/publishing/sounds/known-sounds.js';
import { UnfinishedUploads } from '../application/publishing/samples/direct-uploads.js';
import { Remarks } from '../application/shared/remarks.js';
import { PreparedExports } from '../application/exports/prepared-exports.js';
import { EventStore } from '../application/shared/event-store.js';
import { ForgetFolders } from '../application/storage/forget-folders.js';
import { ObjectSweep } from '../application/storage/object-sweep.js';
import { PaymentSweep } from '../application/subscriptions/follow-subscription.js';
import { ExpireGifts } from '../application/subscriptions/gifts.js';
import { PlanChanges } from '../application/subscriptions/plan-changes.js';
import type { JobKind } from '../application/shared/job-queue.js';
import { BossJobQueue } from '../adapters/platform/jobs/boss-job-queue.js';

type Named = Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>;

const Sweep = z.object({ name: z.string() });
type Sweep = z.infer<typeof Sweep>;

/** Only one worker at a time runs a sweep. A failed sweep has few retries, because the next round runs it again. */
export const SWEEP: JobKind<Sweep> = {
  name: 'sweep',
  shape: Sweep,
  isKeyed: true,
  atOnce: 4,
  repeats: 2,
  firstPauseSeconds: 20,
  longestPauseSeconds: 60,
  timeLimitSeconds: 3_600,
};
export const NIGHTLY: JobKind<Sweep> = {
  ...SWEEP,
  name: 'nightly',
  atOnce: 1,
  timeLimitSeconds: 12 * 3_600,
};
const EVERY_FIVE_MINUTES = '*/5 * * * *';
const ROUND = 'round';

type Service<Provided> = Type<Provided> | Abstract<Provided>;

/** The sweeps by name. Most sweeps fetch what lost webhooks would have reported, or finish interrupted work. */
@Injectable()
export class NamedSweeps {
  readonly often: Named;
  readonly nightly: Named;

  constructor(services: ModuleRef) {
    const log = new Logger('Jobs');
    const get = <Provided>(service: Service<Provided>): Provided =>
      services.get<Provided>(service, { strict: false });
    this.often = {
      payments: () => get(PaymentSweep).run(),
      'changes of plans': () => get(PlanChanges).sweep(),
      'expired gifts': () => get(ExpireGifts).run(),
      releases: () => get(ReleaseDuePacks).run(),
      'sounds of applications': () => get(ApplicationSounds).sweep(),
      payouts: () => get(PayoutSweep).run(),
      'monthly payouts': () => get(PayoutSchedules).run(),
      'debts of creators': () => get(WriteOffDebts).run(),
      'bank payouts': () => get(BankPayouts).sweep(),
      'balance transactions': () => get(BalanceTransactions).sweep(),
      'report of the balance': () => get(FetchTieOut).step(),
      'refunds and disputes': () => get(MoneyBackFacts).sweep(),
      takedowns: () => get(ReturnPurchases).sweep(),
      'undecided approvals': () => get(CarryOutApprovals).lapse(),
      'items in suspense': () => get(SuspenseAlerts).run(),
      'sales under review': () => get(ReviewAlerts).run(),
      'payers who were erased': () => get(ForgetPayers).run(),
      'log heads': () => get(SignedHeads).signHour(),
      'former ends of the log': async () => {
        const eventStore = get(EventStore);
        return eventStore instanceof PostgresEventStore && eventStore.forgetFormerEnds();
      },
      'folders of erased people': () => get(ForgetFolders).run(),
      sessions: () => get(Sessions).sweep(),
      remarks: () => get(Remarks).sweep(),
      'outlived rows': () => get(OutlivedRows).sweep(),
      'unfinished uploads': () => get(UnfinishedUploads).sweep(),
      'prepared exports': () => get(PreparedExports).sweep(),
      'snapshot of the search index': () => get(IndexSnapshots).write(),
      'suspected copies': () => get(CopyMails).remind(),
      complaints: () => get(ComplaintSweep).run(),
      'mails about notices': () => get(NoticeMails).run(),
      'weekly mails': () => get(WeeklyMails).run(),
      'fingerprints of sounds': () => get(KnownSounds).sweep(),
      'descriptors of sounds': () => get(DescribeSounds).sweep(),
    };
    this.nightly = {
      'the books': async (signal) => {
        for (const { number, name, detail } of (await get(NightlyCheck).run(signal))?.broken ?? [])
          log.error(`the books are broken: rule ${number}, ${name}: ${detail}`);
      },
      'all of the books': (signal) => get(WholeProof).slice(signal),
      'notices of the day': async () => {
        await get(PayoutNotices).nightly();
        await get(FollowerNotices).nightly();
      },
      'notes of sent mails': () => get(SentMails).forget(),
      'receivers of gifts': () => get(ExpireGifts).forgetReceivers(),
      'margins of months': () => get(MarginMonths).settle(),
      'files on sale': (signal) => get(WholeProof).sliceOfFiles(signal),
      'stored objects': async (signal) => {
        const swept = await get(ObjectSweep).daily(signal);
        if (swept && swept.noted + swept.removed > 0)
          log.log(
            `stored objects that nothing refers to: ${swept.removed} removed (${swept.removedBytes} bytes), ${swept.noted} noted`,
          );
      },
    };
  }
}

/** Enqueues every sweep when a worker starts, and then every five minutes. Each sweep decides whether it is due. */
@Injectable()
export class Sweeps {
  private readonly all: Named;
  private readonly running = new Set<Promise<unknown>>();
  private isPaused = false;

  constructor(
    private readonly named: NamedSweeps,
    private readonly jobs: BossJobQueue,
  ) {
    this.all = { ...named.often, ...named.nightly, [ROUND]: () => this.order() };
  }

  async start(): Promise<void> {
    const round = { data: { name: ROUND }, key: ROUND };
    await Promise.all([this.order(), this.jobs.repeat(SWEEP, EVERY_FIVE_MINUTES, round)]);
  }

  /** @param signal aborted when the job is cancelled; sweeps that may take hours then stop */
  async run(name: string, signal: AbortSignal): Promise<void> {
    const sweep = this.all[name];
    // A node of another version enqueued the sweep. The retry may reach a worker of that version.
    if (!sweep) throw new Error('this version knows no sweep of that name');
    if (this.isPaused) return;
    const run = sweep(signal);
    this.running.add(run);
    await run.finally(() => this.running.delete(run));
  }

  /** Runs no sweep in this process during `work`, and all of them after it. */
  async pausedFor(work: () => Promise<void>): Promise<void> {
    this.isPaused = true;
    try {
      await Promise.allSettled(this.running);
      await work();
    } finally {
      this.isPaused = false;
    }
    await this.order();
  }

  private async order(): Promise<void> {
    const jobsOf = (named: Named) => Object.keys(named).map((name) => ({ data: { name }, key: name }));
    await Promise.all([
      this.jobs.send(SWEEP, jobsOf(this.named.often)),
      this.jobs.send(NIGHTLY, jobsOf(this.named.nightly)),
    ]);
  }
}
