import { Injectable } from '@nestjs/common';
import { purchaseDecider, type PurchaseEvent } from '../../domain/purchases/purchase.js';
import { AccountStore } from '../accounts/account-store.js';
import { SentMails } from '../mail/sent-mails.js';
import { SignedHeads } from '../operations/signed-heads.js';
import { BalanceGateway } from '../payments/balance-gateway.js';
import { BalanceTransactions } from '../payments/balance-transactions.js';
import { PaymentGateway } from '../payments/payment-gateway.js';
import { PaymentRecords } from '../payments/payment-records.js';
import { Certificates } from '../purchases/certificates.js';
import type { Certificate } from '../purchases/contract.js';
import { EventStore } from '../shared/event-store.js';
import { inParallel } from '../shared/in-parallel.js';
import type { CertificateState, MissingFacts } from './contract.js';

const AT_ONCE = 8;

/** Compares a restored log with Stripe, the signed heads, the notes of sent mails and the certificates of buyers. */
@Injectable()
export class FindMissingFacts {
  constructor(
    private readonly log: EventStore,
    private readonly heads: SignedHeads,
    private readonly payments: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly accounts: AccountStore,
    private readonly balance: BalanceGateway,
    private readonly movements: BalanceTransactions,
    private readonly certificates: Certificates,
    private readonly sent: SentMails,
  ) {}

  /** @param since the time of the backup @throws PaymentGatewayUnavailable */
  async since(since: Date): Promise<MissingFacts> {
    const { position } = await this.log.head();
    const [last] = await this.log.readStored({ after: Math.max(0, position - 1), limit: 1 });
    const { faults, restores } = await this.heads.verify();
    const movements = await this.balance.listMovements(since);
    return {
      position,
      lastEventAt: last?.recordedAt.toISOString() ?? null,
      heads: faults.map(({ hour, position: signed }) => ({ hour, position: signed ?? null })),
      restores: restores.map(({ at, position: end }) => ({ at, position: end })),
      payments: await this.missingPayments(since),
      movements: await this.movements.unrecorded(movements),
      mails: await this.mailsWithoutEvent(since),
    };
  }

  /** Returns whether the log has the purchase of a certificate. A valid signature proves it even if the log lacks it. */
  async stateOf(certificate: Certificate): Promise<CertificateState> {
    const { id, sample, licensee } = certificate;
    const { valid, reason } = await this.certificates.verify(certificate);
    if (!valid) return { state: 'invalid', reason };
    // Reads the stream, because the list of owned samples leaves out returned purchases.
    const stream = purchaseDecider.streamOf({ buyerId: licensee.id, sampleId: sample.id });
    const events = await this.log.readStream<PurchaseEvent>(stream);
    return events.some(({ data }) => data.certificateId === id)
      ? { state: 'known', reason: 'The log has this purchase.' }
      : { state: 'missing', reason: 'This shop signed it, and the log lacks the purchase.' };
  }

  /** A mail's event is lost if the log has another event, or none, at its position: a restored log uses positions again. */
  private async mailsWithoutEvent(since: Date): Promise<MissingFacts['mails']> {
    const sent = await this.sent.since(since);
    const hashes = new Map<number, string | undefined>();
    await inParallel([...new Set(sent.map(({ position }) => position))], AT_ONCE, async (position) => {
      const [event] = await this.log.readStored({ after: position - 1, limit: 1 });
      hashes.set(position, event?.position === position ? event.hash : undefined);
    });
    const lost = sent.filter(({ position, hash }) => hashes.get(position) !== hash);
    const emails = new Map<string | null, string>();
    await inParallel([...new Set(lost.map(({ userId }) => userId))], AT_ONCE, async (userId) => {
      const account = userId === null ? undefined : await this.accounts.findById(userId);
      if (account) emails.set(userId, account.email);
    });
    return lost.map(({ hash: _, ...mail }) => ({ ...mail, email: emails.get(mail.userId) ?? null }));
  }

  private async missingPayments(since: Date): Promise<MissingFacts['payments']> {
    const paid = await this.payments.listPaidInvoices(since);
    const settled = await this.records.settledAmong(paid.map(({ invoiceId }) => invoiceId));
    const missing: MissingFacts['payments'] = [];
    for (const invoice of paid) {
      const { invoiceId, customerId, paidAt, lines } = invoice;
      if (settled.has(invoiceId)) continue;
      const userId = (await this.records.buyerOf(invoice, this.payments)) ?? null;
      const email = userId === null ? null : ((await this.accounts.findById(userId))?.email ?? null);
      const usdCents = lines.reduce((sum, line) => sum + line.grossUsdCents - line.discountUsdCents, 0);
      missing.push({ invoiceId, customerId, userId, email, paidAt: paidAt.toISOString(), usdCents });
    }
    return missing;
  }
}
