import { Inject, Injectable, Module, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ExportsModule } from '../adapters/exports/exports.module.js';
import { OutlivedRows } from '../adapters/platform/database/outlived-rows.js';
import { BossJobQueue } from '../adapters/platform/jobs/boss-job-queue.js';
import { PublishingModule } from '../adapters/publishing/publishing.module.js';
import { ApprovalMails } from '../application/administration/approval-mails.js';
import { CarryOutApprovals } from '../application/approvals/decide-on-request.js';
import { ReturnPurchases } from '../application/purchases/return-purchases.js';
import { EXPORTS, PreparedExports } from '../application/exports/prepared-exports.js';
import { EVENT_MAILS, EventMails, MAIL, Outbox } from '../application/mail/outbox.js';
import { PurgeMedia } from '../application/media/purge-media.js';
import { SendRefunds } from '../application/payments/send-refund.js';
import { SplitNotices } from '../application/payouts/split-notices.js';
import { PayoutNotices } from '../application/payouts/payout-notices.js';
import { SettleWithdrawal } from '../application/payouts/settle-withdrawal.js';
import { CreatorMails } from '../application/publishing/creators/creator-mails.js';
import { DecisionNotices } from '../application/publishing/decision-notices.js';
import { MirrorPackJson } from '../application/publishing/mirror-pack-json.js';
import { CarryOutCopies } from '../application/publishing/suspicions/carry-out-copies.js';
import { CopyMails } from '../application/publishing/suspicions/copy-mails.js';
import { EncodeFiles } from '../application/publishing/samples/encode-files.js';
import { ENCODE } from '../application/publishing/samples/encodings.js';
import { CompareSounds, CopyCheck, OLD_SOUND, SOUND } from '../application/publishing/sounds/copy-check.js';
import { DescribeSounds, DESCRIPTION } from '../application/publishing/sounds/describe-sounds.js';
import { Certificates } from '../application/purchases/certificates.js';
import { ReleaseNotices } from '../application/library/release-notices.js';
import { CarryOutComplaints } from '../application/complaints/decide-on-complaint.js';
import { ComplaintMails } from '../application/complaints/complaint-mails.js';
import type { Reactor } from '../application/shared/event-store.js';
import { CarryOutWithdrawals, WithdrawalMails } from '../application/subscriptions/contracts.js';
import { GiftMails } from '../application/subscriptions/gift-mails.js';
import { Receipts, RenewalMails } from '../application/subscriptions/payment-mails.js';
import { CONFIG, type Config } from './config.js';
import type { WorkKind } from './settings/process.js';
import { NamedSweeps, NIGHTLY, SWEEP, Sweeps } from './sweeps.js';

const REACTORS: readonly Type<Reactor>[] = [
  MirrorPackJson,
  Certificates,
  SettleWithdrawal,
  CarryOutApprovals,
  ReturnPurchases,
  SendRefunds,
  CarryOutWithdrawals,
  PurgeMedia,
  CarryOutCopies,
  CompareSounds,
  CarryOutComplaints,
  PayoutNotices,
  SplitNotices,
  DecisionNotices,
  ReleaseNotices,
];
/** Reactors that react to events by mail. A separate job sends each mail. */
const MAIL_WRITERS: readonly Type<Reactor>[] = [
  ApprovalMails,
  Receipts,
  GiftMails,
  RenewalMails,
  WithdrawalMails,
  CreatorMails,
  CopyMails,
  ComplaintMails,
];

@Injectable()
export class Reactors {
  constructor(
    private readonly services: ModuleRef,
    private readonly mails: EventMails,
  ) {}

  /** Reading this list registers the mail writers. Read it before the jobs start, or the jobs that send mail fail. */
  get all(): readonly Reactor[] {
    const get = (type: Type<Reactor>) => this.services.get(type, { strict: false });
    return [...REACTORS.map(get), ...MAIL_WRITERS.map((writer) => this.mails.asJobs(get(writer)))];
  }
}

@Injectable()
export class Work {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly jobs: BossJobQueue,
    private readonly outbox: Outbox,
    private readonly mails: EventMails,
    private readonly copies: CopyCheck,
    private readonly descriptions: DescribeSounds,
    private readonly exports: PreparedExports,
    private readonly files: EncodeFiles,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  open(): Promise<void> {
    return this.jobs.start();
  }

  async start(): Promise<void> {
    const { copies, descriptions, exports, files, jobs, mails, outbox, sweeps } = this;
    const sweep = (kind: typeof SWEEP) =>
      jobs.work(
        kind,
        ({ data, signal }) => sweeps.run(data.name, signal),
        ({ name }) => name,
      );
    const starts: Record<WorkKind, () => Promise<void>> = {
      mail: async () => {
        await jobs.work(
          MAIL,
          ({ jobId, data, ...attempt }) => outbox.send(data, { mailId: jobId, ...attempt }),
          ({ letter }) => `the mail ${letter}`,
        );
        await jobs.work(
          EVENT_MAILS,
          ({ data }) => mails.send(data),
          ({ writer, position }) => `${writer} about event ${position}`,
        );
      },
      sweep: () => sweep(SWEEP),
      nightly: () => sweep(NIGHTLY),
      encode: () =>
        jobs.work(
          ENCODE,
          (attempt) => files.run(attempt.data, attempt),
          ({ uploadId }) => `the encoding of upload ${uploadId}`,
        ),
      sound: async () => {
        for (const kind of [SOUND, OLD_SOUND])
          await jobs.work(
            kind,
            ({ data, signal }) => copies.run(data, signal),
            ({ sampleId }) => `the comparison of sample ${sampleId}`,
          );
        await jobs.work(
          DESCRIPTION,
          ({ data }) => descriptions.run(data),
          ({ sampleId }) => `the description of sample ${sampleId}`,
        );
      },
      export: async () => {
        for (const kind of Object.values(EXPORTS))
          await jobs.work(
            kind,
            (attempt) => exports.make(attempt),
            ({ exportId }) => `the export ${exportId}`,
          );
      },
    };
    await Promise.all([...this.config.workKinds.map((kind) => starts[kind]()), sweeps.start()]);
  }

  stop(limitMs: number): Promise<void> {
    return this.jobs.stop(limitMs);
  }
}

@Module({
  // Imports only modules whose services are injected into the constructors of this module's
  // providers. `ModuleRef` also finds services of other modules.
  imports: [ExportsModule, PublishingModule],
  providers: [CompareSounds, EventMails, NamedSweeps, OutlivedRows, Reactors, Sweeps, Work],
})
export class WorkModule {}
