import { Injectable } from '@nestjs/common';
import { purchaseDecider, type PurchaseEvent } from '../../domain/purchases/purchase.js';
import { safeName } from '../../domain/shared/file-names.js';
import { Archiver, type Archive } from '../storage/archive.js';
import { WallClock } from '../shared/clock.js';
import { EventStore } from '../shared/event-store.js';
import { CertificatePages, CertificatePrinter, CertificateStore } from './certificates.js';
import type { Certificate, ComparedFile } from './contract.js';
import { HOW_TO_CHECK } from './dispute-check.js';
import { LogProofs, type DisputeEvidence } from './dispute-evidence.js';
import { licenceText } from './licence.js';
import { CertifiedCopies } from './tagged-copies.js';

/** Packs the proof of a licence, for buyers whose work is claimed by someone else. */
@Injectable()
export class DisputePacks {
  constructor(
    private readonly certificates: CertificateStore,
    private readonly copies: CertifiedCopies,
    private readonly log: EventStore,
    private readonly proofs: LogProofs,
    private readonly printer: CertificatePrinter,
    private readonly pages: CertificatePages,
    private readonly archiver: Archiver,
    private readonly clock: WallClock,
  ) {}

  /** @throws TooBusy */
  async make(
    certificate: Certificate,
    compared: ComparedFile | null,
  ): Promise<{ filename: string; archive: Archive }> {
    const evidence = await this.evidenceOf(certificate, compared);
    const verifyUrl = this.pages.addressOf(certificate.id);
    const pdf = await this.printer.print(certificate, verifyUrl, evidence);
    const modifiedAt = this.clock.now();
    const { licenceVersion } = certificate;
    const facts = {
      createdAt: modifiedAt.toISOString(),
      verifyUrl,
      keysUrl: this.pages.keysAddress,
      certificate,
      licence: { version: licenceVersion, text: licenceText(licenceVersion) },
      ...evidence,
    };
    const archive = await this.archiver.pack([
      { name: 'dispute pack.pdf', modifiedAt, bytes: pdf },
      { name: 'dispute pack.json', modifiedAt, bytes: Buffer.from(`${JSON.stringify(facts, null, 2)}\n`) },
      { name: 'how to check.txt', modifiedAt, bytes: Buffer.from(HOW_TO_CHECK) },
    ]);
    return { filename: `${safeName(`Offcut dispute pack, ${certificate.sample.title}`)}.zip`, archive };
  }

  private async evidenceOf(
    certificate: Certificate,
    compared: ComparedFile | null,
  ): Promise<DisputeEvidence> {
    const { licensee, sample } = certificate;
    const stream = purchaseDecider.streamOf({ buyerId: licensee.id, sampleId: sample.id });
    const events = await this.log.readStream<PurchaseEvent>(stream);
    const licensing = events.find(
      ({ type, data }) => type !== 'PurchaseReturned' && data.certificateId === certificate.id,
    );
    if (!licensing) throw new Error(`certificate ${certificate.id} has no purchase in the log`);
    const returned = events.find(
      ({ type, data }) => type === 'PurchaseReturned' && data.purchaseId === licensing.data.purchaseId,
    );
    const [copies, log, original] = await Promise.all([
      this.copies.of(certificate.id),
      this.proofs.of(licensing.position),
      this.certificates.waveformOf(certificate),
    ]);
    const returnedAt = returned?.recordedAt.toISOString() ?? null;
    return { copies, log, returnedAt, waveforms: { original, compared } };
  }
}
