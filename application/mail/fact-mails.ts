import { Injectable } from '@nestjs/common';
import { WallClock } from '../shared/clock.js';
import { Mailer } from './mailer.js';
import { ReceiptBook } from './receipt-book.js';
import { letter, type Letter } from './letter.js';

/** Older events get no mail, for example when the log is read for the first time. */
const TOO_LATE_MS = 3 * 86_400_000;
/** A claim this old belongs to a worker that died. */
const ABANDONED_MS = 60_000;

interface Recipient {
  email: string;
  displayName: string;
}

export abstract class Recipients {
  /** Returns undefined if the account was deleted. */
  abstract findById(userId: string): Promise<Recipient | undefined>;
}

/**
 * Sends mails about events. Each mail is sent once, even if its event is delivered again or a worker dies. The age of
 * an event is measured in real time, so a test that moves the business calendar ahead does not suppress mails.
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
   * @param fact identifies the mail; a fact is never mailed twice
   * @param to a user, or a confirmed address without an account
   * @param compose returns undefined if there is nothing to write
   * @throws if another worker is sending it, or if the mail server is away: retry later
   */
  async send(
    fact: string,
    to: ({ userId: string } | Recipient) & { recordedAt: Date },
    compose: () => Letter | undefined | Promise<Letter | undefined>,
  ): Promise<void> {
    const now = this.clock.now();
    if (now.getTime() - to.recordedAt.getTime() > TOO_LATE_MS) return;
    const recipient = 'userId' in to ? await this.recipients.findById(to.userId) : to;
    // The account was deleted, so there is no recipient.
    if (!recipient) return;
    const claim = await this.book.claim(fact, now, new Date(now.getTime() - ABANDONED_MS));
    if (claim === 'sent') return;
    // The other worker may have died, so the job must stay until the mail was sent.
    if (claim === 'under way') throw new Error(`the mail about ${fact} is under way elsewhere`);
    try {
      const composed = await compose();
      if (composed) await this.mailer.deliver(letter(recipient, composed));
      await this.book.markSent(fact, this.clock.now());
    } catch (error) {
      await this.book.release(fact, now);
      throw error;
    }
  }
}
