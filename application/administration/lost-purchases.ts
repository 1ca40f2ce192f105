import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { AcceptedCertificate } from '../../domain/purchases/accepted-certificate.js';
import { partsOf, splitDecider } from '../../domain/payouts/split.js';
import { purchaseDecider, type PurchaseEvent } from '../../domain/purchases/purchase.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { AccountStore } from '../accounts/account-store.js';
import type { ApprovalResult } from '../approvals/approvals.js';
import { RequestApproval } from '../approvals/decide-on-request.js';
import { ApprovalQueries } from '../approvals/queries.js';
import type { RecoveryOutcome } from '../credits/credit-batch.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import { Certificates } from '../purchases/certificates.js';
import type { Certificate } from '../purchases/contract.js';
import { Clock } from '../shared/clock.js';
import { EventStore } from '../shared/event-store.js';
import { Streams } from '../shared/streams.js';
import { SampleFileQueries } from '../storage/queries.js';

/** The reasons why a certificate cannot become a purchase. */
type Obstacle = {
  code:
    | 'CertificateInvalid'
    | 'PurchaseRecorded'
    | 'CertificateWaits'
    | 'CreatorMismatch'
    | 'SampleNotAvailable'
    | 'NotFound';
};

/** Records purchases that a restored log lacks, with the certificates of buyers as evidence. */
@Injectable()
export class LostPurchases {
  constructor(
    private readonly log: EventStore,
    private readonly certificates: Certificates,
    private readonly accounts: AccountStore,
    private readonly files: SampleFileQueries,
    private readonly approvals: ApprovalQueries,
    private readonly executor: CreditExecutor,
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  /** Asks a second person to record the lost purchase that a certificate proves. */
  async request(asked: {
    approvalId: string;
    by: string;
    certificate: Certificate;
    reason: string;
  }): Promise<ApprovalResult<Obstacle>> {
    const { approvalId, by, certificate, reason } = asked;
    const { id: certificateId, sample, creator, licensee, fileSha256, issuedAt } = certificate;
    const obstacle = await this.obstacleTo(certificate, approvalId);
    if (obstacle) return reject({ code: obstacle });
    await this.keep(certificate);
    const sharedBy = await this.sharersOf(sample.id, creator.id);
    const shared = sharedBy.length > 1 ? { sharedBy } : {};
    const ids = { certificateId, buyerId: licensee.id, sampleId: sample.id, creatorId: creator.id };
    const work = { kind: 'record-purchase', ...ids, fileSha256, issuedAt, ...shared } as const;
    const requested = { approvalId, work, by, beneficiary: licensee.id, reason };
    return this.commands.execute(new RequestApproval(requested));
  }

  /** Records a lost purchase after a second person approved that it is recorded. Idempotent. */
  async record(accepted: AcceptedCertificate): Promise<RecoveryOutcome | Outcome<never, Obstacle>> {
    const certificate = await this.certificates.lookUp(accepted.certificateId);
    // The key that signed the certificate may have been withdrawn since the request.
    if (!certificate || !(await this.certificates.verify(certificate)).valid)
      return reject({ code: 'CertificateInvalid' });
    if (await this.isRecorded(accepted)) return reject({ code: 'PurchaseRecorded' });
    return this.executor.recoverPurchase(accepted, this.clock.now());
  }

  /**
   * Returns the ids of the creators who would divide the share of a sale of this sample now, the creator of the pack
   * first.
   */
  private async sharersOf(sampleId: string, creatorId: string): Promise<string[]> {
    const [file] = await this.files.find([sampleId]);
    const splits = file ? await this.streams.load(splitDecider, file.packId) : [];
    return partsOf(creatorId, splits).map((part) => part.creatorId);
  }

  /** Stores the certificate as the buyer has it, but without the name of a creator who was erased. */
  private async keep(certificate: Certificate): Promise<void> {
    const { creator } = certificate;
    const isErased = !(await this.accounts.findById(creator.id));
    // A certificate without a signature is signed again when it is read.
    const unnamed = { creator: { ...creator, displayName: 'Former creator' }, signature: '' };
    await this.certificates.keep(isErased ? { ...certificate, ...unnamed } : certificate);
  }

  private async obstacleTo(
    certificate: Certificate,
    approvalId: string,
  ): Promise<Obstacle['code'] | undefined> {
    const { id: certificateId, sample, creator, licensee } = certificate;
    if (!(await this.certificates.verify(certificate)).valid) return 'CertificateInvalid';
    if (await this.isRecorded({ certificateId, buyerId: licensee.id, sampleId: sample.id, approvalId }))
      return 'PurchaseRecorded';
    if (!(await this.accounts.findById(licensee.id))) return 'NotFound';
    const [file] = await this.files.find([sample.id]);
    if (!file) return 'SampleNotAvailable';
    if (file.creatorId !== creator.id) return 'CreatorMismatch';
    const waiting = await this.approvals.list({ state: 'waiting', kind: 'record-purchase', limit: 100 });
    const isAsked = waiting.items.some(
      ({ id, work }) =>
        id !== approvalId && work.kind === 'record-purchase' && work.certificateId === certificateId,
    );
    return isAsked ? 'CertificateWaits' : undefined;
  }

  /**
   * Returns whether the log already has the purchase, even if it was returned. Ignores the purchase that this
   * approval itself recorded, so that a retry succeeds.
   */
  private async isRecorded({
    certificateId,
    buyerId,
    sampleId,
    approvalId,
  }: Pick<AcceptedCertificate, 'certificateId' | 'buyerId' | 'sampleId' | 'approvalId'>): Promise<boolean> {
    const stream = purchaseDecider.streamOf({ buyerId, sampleId });
    const events = await this.log.readStream<PurchaseEvent>(stream);
    return events.some(({ data }) => data.certificateId === certificateId && data.purchaseId !== approvalId);
  }
}
