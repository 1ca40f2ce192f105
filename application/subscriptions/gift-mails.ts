import { Injectable } from '@nestjs/common';
import type { CreditEvent } from '../../domain/credits/credit-account.js';
import { AccountSettings } from '../accounts/account-settings.js';
import { FactMails, Recipients } from '../mail/fact-mails.js';
import type { Letter } from '../mail/mailer.js';
import { paths } from '../pages/paths.js';
import { PaymentRecords } from '../payments/payment-records.js';
import type { Reactor, Recorded } from '../shared/event-store.js';
import { GiftCodes, Gifts } from './gifts.js';
import { dayOf } from './payment-mails.js';

type Moved = Extract<CreditEvent, { type: 'CreditsGranted' | 'GiftGiven' }>;

/** Mails the code of a paid gift to its receiver, and mails the payer when it was redeemed or expired. */
@Injectable()
export class GiftMails implements Reactor<Moved> {
  readonly name = 'gift-mails';
  readonly streamsAtOnce = 4;
  readonly types = ['CreditsGranted', 'GiftGiven'] as const;

  constructor(
    private readonly mails: FactMails,
    private readonly gifts: Gifts,
    private readonly codes: GiftCodes,
    private readonly records: PaymentRecords,
    private readonly people: Recipients,
    private readonly settings: AccountSettings,
  ) {}

  async handle(event: Recorded<Moved>): Promise<void> {
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
}

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
      'The old code is worth nothing. Your gifts:',
      url,
    ],
  }),
};
