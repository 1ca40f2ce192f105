import { Injectable } from '@nestjs/common';
import { WallClock } from '../shared/clock.js';
import { Mailer } from './mailer.js';
import { ReceiptBook } from './receipt-book.js';
import { mailName } from './mail-name.js';

/**
 * Older events are history, for instance when the log is read for the first time: nobody wants a mail about them
 * any more.
 */
const TOO_LATE_MS = 3 * 86_400_000;
/** A mail begun this long ago died with its worker. */
const ABANDONED_MS = 60_000;

interface Recipient {
  email: string;
  displayName: string;
}

/** The people who can be mailed. */
export abstract class Recipients {
  /** Undefined when the account was erased. */
  abstract findById(userId: string): Promise<Recipient | undefined>;
}

export interface Letter {
  subject: string;
  lines: string[];
  links: string[];
}

/**
 * Mails about events of the log: each goes out once, even if its event is delivered again or a worker dies. Their
 * age is measured by the wall clock, so that skipping days of the business's calendar makes none old.
 */
@Injectable()
export class FactMails {
  constructor(
    private readonly book: ReceiptBook,
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly clock: WallClock,
  ) {}

  /**
   * @param fact names what the mail is about; the same name is never mailed twice
   * @param to a user, or an address that is nobody's account and was confirmed
   * @param compose undefined: there is nothing to say
   * @throws when another worker is sending it, or the mail server takes nothing for now: try again later
   */
  async send(
    fact: string,
    to: ({ userId: string } | Recipient) & { recordedAt: Date },
    compose: () => Promise<Letter | undefined>,
  ): Promise<void> {
    const now = this.clock.now();
    if (now.getTime() - to.recordedAt.getTime() > TOO_LATE_MS) return;
    const recipient = 'userId' in to ? await this.recipients.findById(to.userId) : to;
    // The person has been erased, so there is no recipient.
    if (!recipient) return;
    const claim = await this.book.claim(fact, now, new Date(now.getTime() - ABANDONED_MS));
    if (claim === 'sent') return;
    // The worker that claimed the mail may have died, so nothing ends before the mail was sent.
    if (claim === 'under way') throw new Error(`the mail about ${fact} is under way elsewhere`);
    try {
      const letter = await compose();
      if (letter) await this.post(recipient, letter);
      await this.book.markSent(fact, this.clock.now());
    } catch (error) {
      await this.book.release(fact, now);
      throw error;
    }
  }

  /** @throws the mail server's error */
  private post({ email, displayName }: Recipient, { subject, lines, links }: Letter): Promise<void> {
    const text = [`Hello ${mailName(displayName)},`, ...lines, 'Offcut'].join('\n\n');
    return this.mailer.deliver({ to: email, subject, text, links });
  }
}
