import { Injectable, Logger } from '@nestjs/common';
import { streamOf } from '../../domain/credits/credit-account.js';
import { MICRO_USD_PER_CENT } from '../../domain/shared/micro-usd.js';
import { planOf } from '../../domain/subscriptions/plans.js';
import { AccountSettings } from '../accounts/settings.js';
import { AccountStore } from '../ports/account-store.js';
import { Clock } from '../ports/clock.js';
import { EventStore, type RecordedEvent } from '../ports/event-store.js';
import { Mailer } from '../ports/mailer.js';
import { PaymentGateway, type PaidInvoice } from '../ports/payment-gateway.js';
import { mailName } from '../shared/mail-name.js';
import type { Reaction } from '../ports/reaction.js';

/** What is older is history, such as a log read for the first time: nobody wants a receipt for it any more. */
const TOO_LATE_MS = 3 * 86_400_000;
/** How long one mail that is not taken may hold up the others. */
const PATIENCE_MS = 10 * 60_000;
/** A receipt begun this long ago died with its worker. */
const ABANDONED_MS = 60_000;

/** Which receipts were sent. */
export abstract class ReceiptBook {
  /** @returns `under way` when another claimed it after `abandonedBefore` and has not said that it was sent */
  abstract claim(fact: string, now: Date, abandonedBefore: Date): Promise<'claimed' | 'under way' | 'sent'>;
  abstract markSent(fact: string, now: Date): Promise<void>;
  /** It was not sent; the next attempt need not wait. A claim that another has taken over since is left alone. */
  abstract release(fact: string, claimedAt: Date): Promise<void>;
}

interface Letter {
  subject: string;
  lines: string[];
  links: string[];
}

/** Sends a receipt for each paid invoice and each refund, once, however often they are told of. */
@Injectable()
export class Receipts implements Reaction {
  readonly name = 'receipts';
  readonly types = ['CreditsGranted', 'InvoiceRefunded'] as const;

  constructor(
    private readonly book: ReceiptBook,
    private readonly log: EventStore,
    private readonly gateway: PaymentGateway,
    private readonly accounts: AccountStore,
    private readonly mailer: Mailer,
    private readonly settings: AccountSettings,
    private readonly clock: Clock,
  ) {}

  async handle(event: RecordedEvent): Promise<void> {
    const fact = factOf(event);
    const ageMs = this.clock.now().getTime() - event.recordedAt.getTime();
    if (!fact || ageMs > TOO_LATE_MS) return;
    const account = await this.accounts.findById(event.data.userId as string);
    // Erased since: there is nobody to write to.
    if (!account) return;
    const now = this.clock.now();
    const claim = await this.book.claim(fact.id, now, new Date(now.getTime() - ABANDONED_MS));
    if (claim === 'sent') return;
    // Whoever claimed it may have died: only what was sent lets the checkpoint move on.
    if (claim === 'under way') throw new Error(`the receipt for ${fact.id} is under way elsewhere`);
    try {
      const invoice = await this.gateway.readInvoice(fact.invoiceId);
      const letter = fact.refundId
        ? refundLetter(await this.refundedUsdCents(event), invoice, fact.invoiceId)
        : invoice && receiptLetter(invoice, `${this.settings.publicUrl}/settings?tab=credits`);
      if (letter) await this.post(account, letter, ageMs);
      await this.book.markSent(fact.id, this.clock.now());
    } catch (error) {
      await this.book.release(fact.id, now);
      throw error;
    }
  }

  /** @throws what the mail server says, until it was asked for long enough */
  private async post(
    { email, displayName }: { email: string; displayName: string },
    { subject, lines, links }: Letter,
    ageMs: number,
  ): Promise<void> {
    const text = [`Hello ${mailName(displayName)},`, ...lines, 'Offcut'].join('\n\n');
    await this.mailer.deliver({ to: email, subject, text, links }).catch((error: Error) => {
      if (ageMs < PATIENCE_MS) throw error;
      new Logger('Receipts').warn(`"${subject}" was not taken for ${PATIENCE_MS} ms: ${error.message}`);
    });
  }

  /** All of a refund: it is an event a lot. */
  private async refundedUsdCents({ data }: RecordedEvent): Promise<number> {
    const history = await this.log.readStream(streamOf(data.userId as string));
    const microUsd = history
      .filter((event) => event.type === 'InvoiceRefunded' && event.data.refundId === data.refundId)
      .reduce((sum, event) => {
        const { netMicroUsd, taxMicroUsd } = event.data as { netMicroUsd: number; taxMicroUsd: number };
        return sum + netMicroUsd + taxMicroUsd;
      }, 0);
    return microUsd / MICRO_USD_PER_CENT;
  }
}

/** What happened, by the provider's own name for it; undefined for credits that nobody paid for. */
function factOf({
  type,
  data,
}: RecordedEvent): { id: string; invoiceId: string; refundId?: string } | undefined {
  if (type === 'InvoiceRefunded') {
    const { invoiceId, refundId } = data as { invoiceId: string; refundId: string };
    return { id: `refund ${refundId}`, invoiceId, refundId };
  }
  const invoice = data.invoice as { invoiceId: string } | undefined;
  return invoice && { id: `invoice ${invoice.invoiceId}`, invoiceId: invoice.invoiceId };
}

function receiptLetter(invoice: PaidInvoice, statementUrl: string): Letter {
  const { number, invoiceId, hostedUrl, lines, paidAt } = invoice;
  const paidCents = lines.reduce(
    (sum, { grossUsdCents, discountUsdCents }) => sum + grossUsdCents - discountUsdCents,
    0,
  );
  const taxCents = lines.reduce((sum, { taxUsdCents }) => sum + taxUsdCents, 0);
  const bought = lines.map(({ plan, periodStart, periodEnd }) => {
    const { name, credits } = planOf(plan);
    return `${name}, ${credits} credits, ${dayOf(periodStart)} to ${dayOf(periodEnd)}`;
  });
  return {
    subject: `Your receipt, ${usd(paidCents)}`,
    lines: [
      'Thank you. This was paid:',
      [
        `Invoice: ${number ?? invoiceId}`,
        `Paid: ${usd(paidCents)}${taxCents > 0 ? `, ${usd(taxCents)} of it tax` : ''}, on ${dayOf(paidAt)}`,
        ...bought,
      ].join('\n'),
      ...(hostedUrl ? ['The invoice:', hostedUrl] : []),
      'Your credits never expire. Every one that came or went is listed here:',
      statementUrl,
    ],
    links: [...(hostedUrl ? [hostedUrl] : []), statementUrl],
  };
}

function refundLetter(usdCents: number, invoice: PaidInvoice | undefined, invoiceId: string): Letter {
  const hostedUrl = invoice?.hostedUrl;
  return {
    subject: `Your refund, ${usd(usdCents)}`,
    lines: [
      `${usd(usdCents)} of invoice ${invoice?.number ?? invoiceId} goes back to the card that paid it. Banks take up to ten days.`,
      'The credits that were left of it are gone from your balance; what you downloaded stays yours.',
      ...(hostedUrl ? ['The invoice:', hostedUrl] : []),
    ],
    links: hostedUrl ? [hostedUrl] : [],
  };
}

const usd = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
const dayOf = (time: Date): string =>
  time.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
