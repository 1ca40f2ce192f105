import { Injectable } from '@nestjs/common';
import { creditAccountDecider, grantsIn, type CreditEvent } from '../../domain/credits/credit-account.js';
import { MICRO_USD_PER_CENT, sumOf } from '../../domain/shared/micro-usd.js';
import { planOf } from '../../domain/subscriptions/plans.js';
import { productOf, soldName } from '../../domain/subscriptions/products.js';
import type { SubscriptionEvent } from '../../domain/subscriptions/subscription-messages.js';
import { paths } from '../pages/paths.js';
import { FactMails } from '../mail/fact-mails.js';
import type { Letter } from '../mail/mailer.js';
import { AccountSettings } from '../accounts/account-settings.js';
import type { Recorded, Reactor } from '../shared/event-store.js';
import { TaxTerms } from './tax.js';
import {
  PaymentGateway,
  type LineTax,
  type PaidInvoice,
  type OpenInvoice,
} from '../payments/payment-gateway.js';
import { Streams } from '../shared/streams.js';

type Paid = Extract<CreditEvent, { type: 'CreditsGranted' | 'InvoiceRefunded' }>;

/** Mails one receipt for each paid invoice and each refund, even if it is reported repeatedly. */
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
    private readonly tax: TaxTerms,
  ) {}

  async handle(event: Recorded<Paid>): Promise<void> {
    const fact = factOf(event);
    if (!fact) return;
    const payerId = await this.payerOf(event);
    const to = { userId: payerId, about: event };
    await this.mails.send(fact.id, to, async () => {
      const invoice = await this.gateway.readInvoice(fact.invoiceId);
      if (event.type === 'InvoiceRefunded') {
        // No mail: the payer hears of a failed payment from the bank.
        if (event.data.paymentFailed) return undefined;
        const back = await this.refundedUsdCents(event.data);
        return back.usdCents > 0 ? refundLetter(back, invoice, fact.invoiceId) : undefined;
      }
      return (
        invoice &&
        receiptLetter(invoice, this.settings.publicUrl, this.tax.seller, payerId !== event.data.userId)
      );
    });
  }

  /** Returns the user who paid. The credits of a gift are in another account. */
  private async payerOf({ type, data }: Paid): Promise<string> {
    if (type === 'CreditsGranted') return data.gift?.payerId ?? data.userId;
    const grants = grantsIn(await this.streams.history(creditAccountDecider, data.userId));
    return grants.find(({ lotId }) => lotId === data.lotId)?.gift?.payerId ?? data.userId;
  }

  /** Sums over lots, because each lot has its own event. A refund that the provider refused sums to zero. */
  private async refundedUsdCents(refund: { userId: string; refundId: string }): Promise<Refunded> {
    const { userId, refundId } = refund;
    const back = { usdCents: 0, taxUsdCents: 0 };
    for (const { type, data } of await this.streams.history(creditAccountDecider, userId)) {
      if ((type !== 'InvoiceRefunded' && type !== 'RefundUndone') || data.refundId !== refundId) continue;
      const cents = (type === 'RefundUndone' ? -1 : 1) / MICRO_USD_PER_CENT;
      back.usdCents += (data.netMicroUsd + data.taxMicroUsd) * cents;
      back.taxUsdCents += data.taxMicroUsd * cents;
    }
    return back;
  }
}

/** Returns the id of the mail and of the invoice; undefined for credits without a payment. */
function factOf({ type, data }: Paid): { id: string; invoiceId: string } | undefined {
  if (type === 'InvoiceRefunded') return { id: `refund ${data.refundId}`, invoiceId: data.invoiceId };
  return data.invoice && { id: `invoice ${data.invoice.invoiceId}`, invoiceId: data.invoice.invoiceId };
}

/** Refunded amounts. `usdCents` includes the tax. */
interface Refunded {
  usdCents: number;
  taxUsdCents: number;
}

function receiptLetter(invoice: PaidInvoice, publicUrl: string, seller: string, isGift: boolean): Letter {
  const { number, invoiceId, hostedUrl, lines, paidAt, firm } = invoice;
  const paidCents = sumOf(lines.map((line) => line.grossUsdCents - line.discountUsdCents));
  const taxCents = sumOf(lines.map(({ taxUsdCents }) => taxUsdCents));
  const taxes = taxLines(lines.flatMap((line) => line.taxes));
  const bought = lines.map(({ product, quantity, periodStart, periodEnd }) => {
    const name = soldName(product, quantity, isGift);
    const { kind, credits } = productOf(product);
    if (kind === 'top-up') return name;
    return `${name}, ${credits} credits, ${dayOf(periodStart)} to ${dayOf(periodEnd)}`;
  });
  return {
    subject: `Your receipt, ${usd(paidCents)}`,
    lines: [
      'Thank you. This was paid:',
      [
        `Invoice: ${number ?? invoiceId}`,
        `Order number: ${invoiceId}`,
        ...(taxes.length > 0 ? [`Net: ${usd(paidCents - taxCents)}`, ...taxes] : []),
        `Paid: ${usd(paidCents)}${taxCents > 0 && taxes.length === 0 ? `, ${usd(taxCents)} of it tax` : ''}, on ${dayOf(paidAt)}`,
        ...bought,
        ...(firm
          ? [
              `Billed to: ${[firm.name, ...firm.taxIds.map((id) => `VAT id ${id}`)].filter(Boolean).join(', ')}`,
            ]
          : []),
        ...(taxes.length > 0 && seller !== '' ? [`Sold by: ${seller}`] : []),
      ].join('\n'),
      ...(hostedUrl ? ['The invoice:', hostedUrl] : []),
      'You can withdraw from this contract within 14 days:',
      `${publicUrl}${paths.withdraw}?order=${invoiceId}`,
      isGift
        ? 'The code of your gift, and a page to print, are here:'
        : 'Your credits never expire. Every credit that you got or spent is listed here:',
      `${publicUrl}${isGift ? paths.gifts : paths.credits}`,
    ],
  };
}

const countries = new Intl.DisplayNames('en', { type: 'region' });

/** Returns a line for each rate, such as "VAT 21 %, Netherlands: $4.20". */
function taxLines(taxes: readonly LineTax[]): string[] {
  const sums = new Map<string, number>();
  const placed = taxes.flatMap((tax) => (tax.country === null ? [] : [{ ...tax, country: tax.country }]));
  for (const { country, state, name, percentage, taxUsdCents, reason } of placed) {
    if (taxUsdCents === 0 && reason !== 'reverse_charge') continue;
    const place = `${state === null ? '' : `${state}, `}${countries.of(country) ?? country}`;
    const line =
      reason === 'reverse_charge' ? `${name}, ${place}, reverse charge` : `${name} ${percentage} %, ${place}`;
    sums.set(line, (sums.get(line) ?? 0) + taxUsdCents);
  }
  return [...sums].map(([line, cents]) => `${line}: ${usd(cents)}`);
}

function refundLetter(
  { usdCents, taxUsdCents }: Refunded,
  invoice: PaidInvoice | undefined,
  invoiceId: string,
): Letter {
  const hostedUrl = invoice?.hostedUrl;
  return {
    subject: `Your refund, ${usd(usdCents)}`,
    lines: [
      `${usd(usdCents)} of invoice ${invoice?.number ?? invoiceId} is on its way back to the card that paid it${taxUsdCents > 0 ? `, ${usd(taxUsdCents)} of it tax` : ''}. Banks take up to ten days.`,
      'Its unspent credits were removed. Samples that were bought with it stay with their buyer.',
      ...(hostedUrl ? ['The invoice:', hostedUrl] : []),
    ],
  };
}

export const usd = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
export const dayOf = (time: Date): string =>
  time.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

type Unpaid = Extract<SubscriptionEvent, { type: 'PaymentFailed' | 'SubscriptionEnded' }>;

/** Mails listeners about each failed attempt to collect a bill, and about plans that ended without payment. */
@Injectable()
export class RenewalMails implements Reactor<Unpaid> {
  readonly name = 'renewal-mails';
  readonly streamsAtOnce = 4;
  readonly types = ['PaymentFailed', 'SubscriptionEnded'] as const;

  constructor(
    private readonly mails: FactMails,
    private readonly gateway: PaymentGateway,
    private readonly settings: AccountSettings,
  ) {}

  async handle(event: Recorded<Unpaid>): Promise<void> {
    const { type, data } = event;
    const to = { userId: data.userId, about: event };
    const settingsUrl = `${this.settings.publicUrl}${paths.credits}`;
    if (type === 'SubscriptionEnded') {
      if (!data.unpaid) return;
      const { name } = planOf(data.plan);
      await this.mails.send(`unpaid ${data.subscriptionId}`, to, async () => endedLetter(name, settingsUrl));
      return;
    }
    const { invoiceId, attempt } = data;
    // Old events have no attempt.
    if (!invoiceId || !attempt) return;
    await this.mails.send(`renewal ${invoiceId} ${attempt}`, to, async () => {
      // Undefined if the invoice was paid meanwhile; then no mail is sent.
      const invoice = await this.gateway.readOpenInvoice(invoiceId);
      return invoice && failedLetter(invoice, settingsUrl);
    });
  }
}

function failedLetter(
  { dueUsdCents, number, hostedUrl, last4, needs, nextAttemptAt }: OpenInvoice,
  settingsUrl: string,
): Letter {
  const amount = usd(dueUsdCents);
  const asks = needs === 'confirmation';
  const card = last4 ? `the card ending in ${last4}` : 'your card';
  const how = asks
    ? 'Confirm it here, or pay with another card:'
    : 'Pay it here, with this card or another one:';
  return {
    subject: asks ? `Your bank wants you to confirm ${amount}` : `Your payment of ${amount} failed`,
    lines: [
      asks
        ? `${amount} is due for your next month, and the bank of ${card} wants you to confirm the payment.`
        : `${amount} is due for your next month, and ${card} was refused.`,
      'You get no new credits until it is paid. You can still use the credits that you have.',
      ...(hostedUrl ? [how, hostedUrl] : []),
      'You can change the card for the next months in your settings:',
      settingsUrl,
      [
        ...(number ? [`Invoice: ${number}`] : []),
        nextAttemptAt
          ? `We will try again on ${dayOf(nextAttemptAt)}.`
          : 'This was the last attempt. If the bill is not paid, the plan ends.',
      ].join('\n'),
    ],
  };
}

const endedLetter = (name: string, settingsUrl: string): Letter => ({
  subject: `Your ${name} plan has ended`,
  lines: [
    `Your ${name} plan has ended, because its last bill was not paid. Nothing more is charged.`,
    'The credits that you have never expire. You can choose a plan again here:',
    settingsUrl,
  ],
});
