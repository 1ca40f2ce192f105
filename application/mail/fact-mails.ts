import { Injectable } from '@nestjs/common';
import { WallClock } from '../shared/clock.js';
import type { RecordedEvent } from '../shared/event-store.js';
import { Secrets } from '../shared/keys/signing-keys.js';
import { Mailer, letter, type Letter } from './mailer.js';
import { stopOf } from './notice-stop.js';
import { Notices, type ChosenKind, type NewNotice } from './notices.js';
import { SentMails } from './sent-mails.js';

/** Records which mails about events were sent. A worker claims a mail before it sends it. */
export abstract class ReceiptBook {
  /** @returns `under way` if another worker claimed it after `abandonedBefore` and has not reported it as sent */
  abstract claim(fact: string, now: Date, abandonedBefore: Date): Promise<'claimed' | 'under way' | 'sent'>;
  abstract markSent(fact: string, now: Date): Promise<void>;
  /** Releases a claim if the mail was not sent. Has no effect if another worker claimed the mail after `claimedAt`. */
  abstract release(fact: string, claimedAt: Date): Promise<void>;
}

/** Older events get no mail, for example when the log is read for the first time. */
const TOO_LATE_MS = 3 * 86_400_000;
/** A claim this old belongs to a worker that died. */
const ABANDONED_MS = 60_000;

/** A letter of a `kind` is mailed as its user chose for that kind. Other letters are always mailed. */
export type FactLetter = Letter & { kind?: ChosenKind };

/** What a mail is about: an event, or another fact that was recorded at a time. */
type Occasion =
  | Pick<RecordedEvent, 'type' | 'position' | 'hash' | 'recordedAt'>
  | { recordedAt: Date; position?: undefined };

interface Recipient {
  email: string;
  displayName: string;
}

export abstract class Recipients {
  abstract findById(userId: string): Promise<Recipient | undefined>;
}

/** Sends each mail once, and adds it to the inbox of its user. Measures the age of an event by the wall clock, because business time can be moved. */
@Injectable()
export class FactMails {
  constructor(
    private readonly book: ReceiptBook,
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly notices: Notices,
    private readonly clock: WallClock,
    private readonly secrets: Secrets,
    private readonly sent: SentMails,
  ) {}

  /** @param fact key of the mail @param compose returns undefined to send nothing @throws if a retry may succeed */
  async send(
    fact: string,
    to: ({ userId: string } | Pick<Recipient, 'email'>) & { about: Occasion },
    compose: () => FactLetter | undefined | Promise<FactLetter | undefined>,
  ): Promise<void> {
    const now = this.clock.now();
    if (now.getTime() - to.about.recordedAt.getTime() > TOO_LATE_MS) return;
    const recipient = 'userId' in to ? await this.recipients.findById(to.userId) : to;
    if (!recipient) return;
    const claim = await this.book.claim(fact, now, new Date(now.getTime() - ABANDONED_MS));
    if (claim === 'sent') return;
    // The other worker may have died, so the job must stay until the mail was sent.
    if (claim === 'under way') throw new Error(`the mail about ${fact} is under way elsewhere`);
    try {
      const composed = await compose();
      const userId = 'userId' in to ? to.userId : null;
      let isMailed = composed !== undefined;
      if (composed && userId !== null)
        isMailed = await this.notify(fact, { userId, ...to.about }, recipient, composed);
      else if (composed) await this.mailer.deliver(letter(recipient, composed));
      if (isMailed && to.about.position !== undefined) {
        const { type: about, position, hash } = to.about;
        this.sent.note({ about, position, hash, userId });
      }
      await this.book.markSent(fact, this.clock.now());
    } catch (error) {
      await this.book.release(fact, now);
      throw error;
    }
  }

  /**
   * If the user chose a digest for the letter's kind, `NoticeMails` sends it later.
   * @returns whether the letter was mailed now
   */
  private async notify(
    fact: string,
    to: { userId: string; recordedAt: Date },
    recipient: Pick<Recipient, 'email'>,
    composed: FactLetter,
  ): Promise<boolean> {
    const { kind, subject, lines } = composed;
    const notice = noticeOf(fact, to, composed);
    const isMailed = !kind || (await this.notices.choices(to.userId))[kind] === 'mail';
    await this.notices.add([notice], isMailed);
    if (!isMailed) return false;
    const stop =
      kind && notice.path
        ? await stopOf(this.secrets, new URL(notice.path).origin, to.userId, [kind])
        : undefined;
    await this.mailer.deliver({
      ...letter(recipient, { subject, lines: [...lines, ...(stop?.lines ?? [])] }),
      ...(stop && { headers: stop.headers }),
    });
    return true;
  }
}

/** Returns a notice with the subject of a letter. The notice links to the letter's last link. */
function noticeOf(
  fact: string,
  { userId, recordedAt }: { userId: string; recordedAt: Date },
  { kind, subject, lines }: FactLetter,
): NewNotice {
  const path = lines.findLast((line) => /^https?:\/\/\S+$/.test(line)) ?? null;
  return { userId, fact, kind: kind ?? 'account', subject, path, at: recordedAt };
}
