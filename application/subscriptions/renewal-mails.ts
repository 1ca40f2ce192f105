import { paths } from '../pages/paths.js';
import { Injectable } from '@nestjs/common';
import type { SubscriptionEvent } from '../../domain/subscriptions/subscription.js';
import { planOf } from '../../domain/subscriptions/plans.js';
import { AccountSettings } from '../accounts/account-settings.js';
import { FactMails } from '../mail/fact-mails.js';
import type { Letter } from '../mail/letter.js';
import { PaymentGateway, type OpenInvoice } from '../payments/payment-gateway.js';
import type { Recorded, Reactor } from '../shared/event-store.js';
import { dayOf, usd } from './receipts.js';

type Unpaid = Extract<SubscriptionEvent, { type: 'PaymentFailed' | 'SubscriptionEnded' }>;

/** Mails listeners about each failed attempt to collect a bill, and about plans that ended for that reason. */
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

  async handle({ type, data, recordedAt }: Recorded<Unpaid>): Promise<void> {
    const to = { userId: data.userId, recordedAt };
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
  return {
    subject: asks ? `Your bank wants you to confirm ${amount}` : `Your payment of ${amount} failed`,
    lines: [
      asks
        ? `${amount} is due for your next month, and the bank of ${card} wants you to confirm the payment.`
        : `${amount} is due for your next month, and ${card} was refused.`,
      'You get no new credits until it is paid. You can still use the credits that you have.',
      ...(hostedUrl
        ? [
            asks
              ? 'Confirm it here, or pay with another card:'
              : 'Pay it here, with this card or another one:',
            hostedUrl,
          ]
        : []),
      'The card for the next months is changed in your settings:',
      settingsUrl,
      [
        ...(number ? [`Invoice: ${number}`] : []),
        nextAttemptAt
          ? `We try again on ${dayOf(nextAttemptAt)}.`
          : 'This was the last attempt. Unpaid, the plan ends.',
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
