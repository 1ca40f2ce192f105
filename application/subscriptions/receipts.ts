import { Injectable } from '@nestjs/common';
import { creditAccountDecider, type CreditEvent } from '../../domain/credits/credit-account.js';
import { MICRO_USD_PER_CENT } from '../../domain/shared/micro-usd.js';
import { planOf } from '../../domain/subscriptions/plans.js';
import { FactMails, type Letter } from '../mail/fact-mails.js';
import { AccountSettings } from '../accounts/account-settings.js';
import type { Recorded } from '../shared/event-store.js';
import { PaymentGateway, type PaidInvoice } from '../payments/payment-gateway.js';
import type { Reactor } from '../shared/reactor.js';
import { Streams } from '../shared/streams.js';

type Paid = Extract<CreditEvent, { type: 'CreditsGranted' | 'InvoiceRefunded' }>;

/** Sends a receipt for each paid invoice and each refund, once, however often they are told of. */
@Injectable()
export class Receipts implements Reactor<Paid> {
  readonly name = 'receipts';
  readonly streamsAtOnce = 4;
  readonly types = ['CreditsGranted', 'InvoiceRefunded'] as const;

  constructor(
    private readonly mails: FactMails,
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly settings: AccountSettings,
  ) {}

  async handle(event: Recorded<Paid>): Promise<void> {
    const fact = factOf(event);
    if (!fact) return;
    const to = { userId: event.data.userId, recordedAt: event.recordedAt };
    await this.mails.send(fact.id, to, async () => {
      const invoice = await this.gateway.readInvoice(fact.invoiceId);
      if (event.type === 'InvoiceRefunded') {
        // The payer knows of it from their bank.
        if (event.data.paymentFailed) return undefined;
        const usdCents = await this.refundedUsdCents(event.data);
        return usdCents > 0 ? refundLetter(usdCents, invoice, fact.invoiceId) : undefined;
      }
      return invoice && receiptLetter(invoice, `${this.settings.publicUrl}/settings?tab=credits`);
    });
  }

  /** The whole refund: each lot has an event of its own. Nothing of a refund that the provider refused. */
  private async refundedUsdCents({
    userId,
    refundId,
  }: {
    userId: string;
    refundId: string;
  }): Promise<number> {
    const microUsd = (await this.streams.history(creditAccountDecider, userId)).reduce(
      (sum, { type, data }) =>
        (type === 'InvoiceRefunded' || type === 'RefundUndone') && data.refundId === refundId
          ? sum + (type === 'RefundUndone' ? -1 : 1) * (data.netMicroUsd + data.taxMicroUsd)
          : sum,
      0,
    );
    return microUsd / MICRO_USD_PER_CENT;
  }
}

/** The paid fact, by the provider's id; undefined for credits that nobody paid for. */
function factOf({ type, data }: Paid): { id: string; invoiceId: string } | undefined {
  if (type === 'InvoiceRefunded') return { id: `refund ${data.refundId}`, invoiceId: data.invoiceId };
  return data.invoice && { id: `invoice ${data.invoice.invoiceId}`, invoiceId: data.invoice.invoiceId };
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
      `${usd(usdCents)} of invoice ${invoice?.number ?? invoiceId} is on its way back to the card that paid it. Banks take up to ten days.`,
      'The credits that were left of it are gone from your balance; what you downloaded stays yours.',
      ...(hostedUrl ? ['The invoice:', hostedUrl] : []),
    ],
    links: hostedUrl ? [hostedUrl] : [],
  };
}

export const usd = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
export const dayOf = (time: Date): string =>
  time.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
