import { Injectable } from '@nestjs/common';
import { creditAccountDecider, type CreditEvent } from '../../domain/credits/credit-account.js';
import { AccountSettings } from '../accounts/account-settings.js';
import { FactMails, Recipients } from '../mail/fact-mails.js';
import type { Letter } from '../mail/mailer.js';
import { paths } from '../pages/paths.js';
import { PaymentRecords } from '../payments/payment-records.js';
import type { Reactor, Recorded } from '../shared/event-store.js';
import { Streams } from '../shared/streams.js';
import { GiftCodes, Gifts } from './gifts.js';
import { dayOf } from './payment-mails.js';

const OF_PAYMENT = ['DisputeOpened', 'DisputeWon', 'DisputeLost', 'InvoiceRefunded', 'RefundUndone'] as const;
type OfPayment = Extract<CreditEvent, { type: (typeof OF_PAYMENT)[number] }>;
type Moved = Extract<CreditEvent, { type: 'CreditsGranted' | 'GiftGiven' }> | OfPayment;

const isOfPayment = (event: Recorded<Moved>): event is Recorded<OfPayment> =>
  OF_PAYMENT.some((type) => type === event.type);

/**
 * Mails the code of a paid gift to its receiver, and mails the payer when it was redeemed or expired. Mails the holder
 * when a dispute or refund of the payment freezes, takes or returns unspent credits.
 */
@Injectable()
export class GiftMails implements Reactor<Moved> {
  readonly name = 'gift-mails';
  readonly streamsAtOnce = 4;
  readonly types = ['CreditsGranted', 'GiftGiven', ...OF_PAYMENT] as const;

  constructor(
    private readonly mails: FactMails,
    private readonly gifts: Gifts,
    private readonly codes: GiftCodes,
    private readonly records: PaymentRecords,
    private readonly people: Recipients,
    private readonly settings: AccountSettings,
    private readonly streams: Streams,
  ) {}

  async handle(event: Recorded<Moved>): Promise<void> {
    if (isOfPayment(event)) return this.tellHolder(event);
    const { type, data } = event;
    const { publicUrl } = this.settings;
    if (type === 'GiftGiven') {
      const { giftId, why, credits, lotId } = data;
      const payerId = (await this.records.giftOf(giftId))?.payerId;
      if (payerId === undefined || (payerId === data.to && why === 'redeemed')) return;
      const to = { userId: payerId, about: event };
      await this.mails.send(`gift ${why} ${lotId}`, to, () =>
        ENDED[why](credits, `${publicUrl}${paths.gifts}`),
      );
      return;
    }
    const { gift, credits } = data;
    const email = gift && (await this.gifts.find(gift.giftId))?.email;
    if (!gift || !email) return;
    const payer = await this.people.findById(gift.payerId);
    const to = { email, about: event };
    await this.mails.send(`gift ${data.lotId}`, to, async () => {
      const code = await this.codes.of(gift.giftId);
      const expiry = dayOf(new Date(gift.expiresAt));
      return giftLetter({
        credits,
        code,
        expiry,
        from: payer?.displayName,
        url: `${publicUrl}${paths.gifts}#${code}`,
      });
    });
  }

  /** The payer gets a receipt about the refund. The holder did not pay, and would otherwise only see fewer credits. */
  private async tellHolder(event: Recorded<OfPayment>): Promise<void> {
    const { userId, lotId, credits } = event.data;
    if (credits === 0) return;
    const history = await this.streams.history(creditAccountDecider, userId);
    const isGift = history.some(
      ({ type, data }) =>
        type === 'GiftReceived' && data.lotId === lotId && data.grant.gift?.payerId !== userId,
    );
    if (!isGift) return;
    const id = 'disputeId' in event.data ? event.data.disputeId : event.data.refundId;
    await this.mails.send(`gift ${event.type} ${id} ${lotId}`, { userId, about: event }, () =>
      HELD[event.type](countOf(credits), `${this.settings.publicUrl}${paths.credits}`),
    );
  }
}

const countOf = (credits: number): string => `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

const KEPT = 'Samples that you bought with the gift stay yours, with their licences.';
const returned = (credits: string, url: string): Letter => ({
  subject: `You can spend ${credits} of your gift again`,
  lines: [
    `The payment for a gift that you redeemed is settled. You can spend its ${credits} again. Your credits:`,
    url,
  ],
});
const taken =
  (why: string) =>
  (credits: string, url: string): Letter => ({
    subject: `${credits} of your gift were taken back`,
    lines: [
      `${why}. The gift still had ${credits} that you had not spent, and they were removed from your balance.`,
      `${KEPT} You owe nothing. Your credits:`,
      url,
    ],
  });

/** What the holder of a gift reads about its payment, which another person made. */
const HELD: Record<OfPayment['type'], (credits: string, url: string) => Letter> = {
  DisputeOpened: (credits, url) => ({
    subject: `${credits} of your gift are frozen`,
    lines: [
      `A bank is checking the payment for a gift that you redeemed. Until it has decided, you cannot spend the ${credits} that are left of the gift.`,
      `${KEPT} You need not do anything. We will mail you the decision. Your credits:`,
      url,
    ],
  }),
  DisputeWon: returned,
  RefundUndone: returned,
  DisputeLost: taken('A bank took back the payment for a gift that you redeemed'),
  InvoiceRefunded: taken('The payment for a gift that you redeemed went back to the person who gave it'),
};

interface Parts {
  credits: number;
  code: string;
  expiry: string;
  from: string | undefined;
  url: string;
}

const giftLetter = ({ credits, code, expiry, from, url }: Parts): Letter => ({
  subject: `A gift for you: ${credits} credits`,
  lines: [
    `${from || 'A friend'} gives you ${credits} credits for sounds on Offcut. This is your code:`,
    code,
    `It can be used once, until ${expiry}. The credits never expire once they are yours. Redeem the code here:`,
    url,
    'Keep this mail to yourself: anyone who has the code can use it.',
  ],
});

const ENDED: Record<'redeemed' | 'expired', (credits: number, url: string) => Letter> = {
  redeemed: (credits, url) => ({
    subject: 'Your gift was redeemed',
    lines: [`Your gift of ${credits} credits was redeemed. Your gifts:`, url],
  }),
  expired: (credits, url) => ({
    subject: `Your gift expired, and you have its ${credits} credits`,
    lines: [
      `The code of your gift was not used in time, so its ${credits} credits are yours now. They never expire.`,
      'The code no longer works. Your gifts:',
      url,
    ],
  }),
};
