import { sign, verify } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { PurchaseEvent } from '../../domain/purchases/purchase.js';
import type { Recorded, Reactor } from '../shared/event-store.js';
import { ed25519Keys } from '../shared/proof/ed25519.js';
import { WallClock } from '../shared/clock.js';
import { SigningKeys, type SigningKey } from '../shared/keys/signing-keys.js';
import type { Certificate } from './contract.js';
import type { DisputeEvidence } from './dispute-evidence.js';

export abstract class CertificatePrinter {
  /**
   * Returns a PDF of one page, or of two with evidence.
   * @param verifyUrl the public page that verifies the certificate @throws TooBusy
   */
  abstract print(certificate: Certificate, verifyUrl: string, evidence?: DisputeEvidence): Promise<Buffer>;
}

export type CertificateFacts = Omit<Certificate, 'signature'>;

type Licensing = Exclude<PurchaseEvent, { type: 'PurchaseReturned' }>;

export interface Licensed {
  buyerId: string;
  sampleId: string;
  certificateId: string;
}

interface Found {
  certificate: Certificate;
  buyerId: string;
  stale: boolean;
}

export abstract class CertificateStore {
  /** `stale`: the licensee or creator was erased. Their name is removed, so the signature no longer matches. */
  abstract find(certificateId: string): Promise<Found | undefined>;
  /** Returns the facts for a purchase's certificate. Undefined if the buyer does not own the sample now. */
  abstract factsFor(buyerId: string, certificateId: string): Promise<CertificateFacts | undefined>;
  /** Returns the facts for the certificates of many purchases. Skips samples that the buyer does not own now. */
  abstract factsOf(purchases: readonly Licensed[]): Promise<CertificateFacts[]>;
  /** Returns the waveform of the certified file. Null if the sample has other audio now. */
  abstract waveformOf(certificate: Certificate): Promise<number[] | null>;
  abstract save(certificates: readonly Certificate[]): Promise<void>;
  abstract replaceStale(certificate: Certificate): Promise<void>;
}

export class CertificatePages {
  constructor(private readonly publicUrl: string) {}

  addressOf(certificateId: string): string {
    return `${this.publicUrl}/certificates/${encodeURIComponent(certificateId)}`;
  }

  /** The address of the public keys, which verify every signature of the shop. */
  get keysAddress(): string {
    return `${this.publicUrl}/.well-known/offcut-keys.json`;
  }
}

/** Certificates of licences, signed with Ed25519. A change in the catalogue does not change them. */
@Injectable()
export class Certificates implements Reactor<Licensing> {
  readonly name = 'certificates';
  readonly types = ['SamplePurchased', 'OwnSampleLicensed', 'NewVersionLicensed'] as const;

  constructor(
    private readonly store: CertificateStore,
    private readonly keys: SigningKeys,
    private readonly clock: WallClock,
  ) {}

  /** Issues the certificate soon after the purchase, with the titles and names of that time. */
  async handle(event: Recorded<Licensing>): Promise<void> {
    await this.handleAll([event]);
  }

  async handleAll(events: readonly Recorded<Licensing>[]): Promise<void> {
    const facts = await this.store.factsOf(events.map(({ data }) => data));
    const key = await this.signingKey();
    await this.store.save(facts.map((each) => signedWith(key, each)));
  }

  /** Returns a user's certificate. @returns undefined if it is unknown or belongs to another user */
  async read(userId: string, certificateId: string): Promise<Certificate | undefined> {
    const found = await this.store.find(certificateId);
    if (found) return found.buyerId === userId ? this.signed(found) : undefined;
    return this.issue(userId, certificateId);
  }

  /** Needs no session: the id is random and printed on the certificate, so knowing it is the permission. */
  async lookUp(certificateId: string): Promise<Certificate | undefined> {
    const found = await this.store.find(certificateId);
    return found && this.signed(found);
  }

  /** Signs a certificate again after a name was erased from it. Older copies stay valid with their own signature. */
  private async signed({ certificate: known, stale }: Found): Promise<Certificate> {
    if (!stale) return known;
    const { signature: _outdated, ...facts } = known;
    const certificate = signedWith(await this.signingKey(), facts);
    await this.store.replaceStale(certificate);
    return certificate;
  }

  /** Stores a certificate that a restored database lacks. The caller has verified it. */
  async keep(certificate: Certificate): Promise<void> {
    await this.store.save([certificate]);
  }

  async verify(certificate: Certificate): Promise<{ valid: boolean; reason: string }> {
    const { signature, ...facts } = certificate;
    const ring = await this.keys.of('certificates');
    const key = ring.named(facts.keyId);
    if (!key) return invalid('Its key is unknown to this shop.');
    const { publicKey } = ed25519Keys(key.secret);
    if (!verify(null, bytesOf(facts), publicKey, Buffer.from(signature, 'base64url')))
      return invalid('The signature does not match: this is not a certificate as it was issued.');
    // The first key has no id and is stored in the database, so it counts only for certificates dated before the next
    // key. A key from the configuration has no end; the operator can withdraw it. A certificate may be dated before
    // its key, because it is signed again after an erasure.
    const end = key.id === undefined ? ring.endOf(key) : undefined;
    if (end && new Date(facts.issuedAt) >= end) return invalid('Its date is after the last day of its key.');
    if (key.withdrawn && !(await this.isRecorded(facts)))
      return invalid('Its key was withdrawn, and there is no record of this purchase.');
    return { valid: true, reason: 'The signature matches: nothing was changed since it was issued.' };
  }

  private async isRecorded({ id, sample, creator, licensee, issuedAt }: CertificateFacts): Promise<boolean> {
    const facts = await this.store.factsFor(licensee.id, id);
    return facts?.sample.id === sample.id && facts.creator.id === creator.id && facts.issuedAt === issuedAt;
  }

  private async issue(buyerId: string, certificateId: string): Promise<Certificate | undefined> {
    const facts = await this.store.factsFor(buyerId, certificateId);
    if (!facts) return undefined;
    const certificate = signedWith(await this.signingKey(), facts);
    await this.store.save([certificate]);
    return certificate;
  }

  private async signingKey(): Promise<SigningKey> {
    return (await this.keys.of('certificates')).signingAt(this.clock.now());
  }
}

const invalid = (reason: string) => ({ valid: false, reason });

function signedWith({ id, secret }: SigningKey, unsigned: CertificateFacts): Certificate {
  const { keyId: _former, ...said } = unsigned;
  const facts = { ...said, ...(id !== undefined && { keyId: id }) };
  const signature = sign(null, bytesOf(facts), ed25519Keys(secret).privateKey);
  return { ...facts, signature: signature.toString('base64url') };
}

/** Returns the bytes to sign: the fields in a fixed order, whatever their order in the input. */
function bytesOf(facts: CertificateFacts): Buffer {
  const { sample, creator, licensee, aiTraining, origin, keyId } = facts;
  return Buffer.from(
    JSON.stringify([
      facts.id,
      sample.id,
      sample.title,
      sample.pack,
      creator.id,
      creator.displayName,
      licensee.id,
      licensee.displayName,
      facts.licenceVersion,
      facts.issuedAt,
      facts.fileSha256,
      ...(aiTraining === undefined ? [] : [aiTraining]),
      ...(origin === undefined ? [] : [origin]),
      ...(keyId === undefined ? [] : [keyId]),
    ]),
  );
}
