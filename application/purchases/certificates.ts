import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { PurchaseEvent } from '../../domain/purchases/purchase.js';
import type { Recorded } from '../shared/event-store.js';
import type { Reactor } from '../shared/reactor.js';
import { Secrets } from '../shared/secrets.js';
import { ed25519Key } from '../shared/proof/ed25519.js';
import type { Certificate } from './contract.js';

export type CertificateFacts = Omit<Certificate, 'signature'>;

type Licensing = Exclude<PurchaseEvent, { type: 'PurchaseReturned' }>;

export interface Licensed {
  buyerId: string;
  sampleId: string;
  certificateId: string;
}

export abstract class CertificateStore {
  /** `stale` if the licensee was erased since: the name is gone, and the signature no longer fits. */
  abstract find(
    certificateId: string,
  ): Promise<{ certificate: Certificate; buyerId: string; stale: boolean } | undefined>;
  /** The text of a certificate for what this buyer owns now; undefined if the buyer does not own it. */
  abstract factsFor(buyerId: string, certificateId: string): Promise<CertificateFacts | undefined>;
  /** The same for many purchases; nothing of those that are not owned any more. */
  abstract factsOf(purchases: readonly Licensed[]): Promise<CertificateFacts[]>;
  /** Keeps the first one saved under each id. */
  abstract save(certificates: readonly Certificate[]): Promise<void>;
  /** Signs stale ones again. */
  abstract replaceSignature(certificateId: string, signature: string): Promise<void>;
}

/** The address at which anybody can check a certificate. */
export class CertificatePages {
  constructor(private readonly publicUrl: string) {}

  addressOf(certificateId: string): string {
    return `${this.publicUrl}/certificates/${encodeURIComponent(certificateId)}`;
  }
}

/** Licence certificates: written once, signed with Ed25519, readable for ever, also after the catalogue changed. */
@Injectable()
export class Certificates implements Reactor<Licensing> {
  readonly name = 'certificates';
  readonly types = ['SamplePurchased', 'OwnSampleLicensed', 'NewVersionLicensed'] as const;
  private key?: Promise<KeyObject>;

  constructor(
    private readonly store: CertificateStore,
    private readonly secrets: Secrets,
  ) {}

  /** Written soon after the purchase, so that later changes of titles and names do not reach it. */
  async handle(event: Recorded<Licensing>): Promise<void> {
    await this.handleAll([event]);
  }

  async handleAll(events: readonly Recorded<Licensing>[]): Promise<void> {
    const facts = await this.store.factsOf(events.map(({ data }) => data));
    await this.store.save(await Promise.all(facts.map((each) => this.signed(each))));
  }

  /** @returns undefined if there is none or it is not this user's */
  async read(userId: string, certificateId: string): Promise<Certificate | undefined> {
    const found = await this.store.find(certificateId);
    if (found) return found.buyerId === userId ? found.certificate : undefined;
    return this.issue(userId, certificateId);
  }

  /**
   * The certificate under an id, for anybody who has the id, which is random and printed on the certificate. If the
   * licensee was erased, it names nobody; copies stay valid, because each has its own signature.
   */
  async lookUp(certificateId: string): Promise<Certificate | undefined> {
    const found = await this.store.find(certificateId);
    if (!found?.stale) return found?.certificate;
    const { signature: _outdated, ...facts } = found.certificate;
    const signature = await this.signatureOf(facts);
    await this.store.replaceSignature(certificateId, signature);
    return { ...facts, signature };
  }

  /** Whether this certificate is ours, unchanged. */
  async verify(certificate: Certificate): Promise<{ valid: boolean; reason: string }> {
    const { signature, ...facts } = certificate;
    const key = createPublicKey(await this.signingKey());
    const genuine = verify(null, bytesOf(facts), key, Buffer.from(signature, 'base64url'));
    return genuine
      ? { valid: true, reason: 'The signature matches: nothing was changed since it was issued.' }
      : { valid: false, reason: 'The signature does not match: this is not a certificate as it was issued.' };
  }

  private async issue(buyerId: string, certificateId: string): Promise<Certificate | undefined> {
    const facts = await this.store.factsFor(buyerId, certificateId);
    if (!facts) return undefined;
    const certificate = await this.signed(facts);
    await this.store.save([certificate]);
    return certificate;
  }

  private async signed(facts: CertificateFacts): Promise<Certificate> {
    return { ...facts, signature: await this.signatureOf(facts) };
  }

  private async signatureOf(facts: CertificateFacts): Promise<string> {
    return sign(null, bytesOf(facts), await this.signingKey()).toString('base64url');
  }

  private signingKey(): Promise<KeyObject> {
    return (this.key ??= this.secrets.get('certificate-signing').then(ed25519Key));
  }
}

/** The signed text: the members in a fixed order, in whatever order they came. */
function bytesOf({
  id,
  sample,
  creator,
  licensee,
  licenceVersion,
  issuedAt,
  fileSha256,
  aiTraining,
}: CertificateFacts): Buffer {
  return Buffer.from(
    JSON.stringify([
      id,
      sample.id,
      sample.title,
      sample.pack,
      creator.id,
      creator.displayName,
      licensee.id,
      licensee.displayName,
      licenceVersion,
      issuedAt,
      fileSha256,
      ...(aiTraining === undefined ? [] : [aiTraining]),
    ]),
  );
}
