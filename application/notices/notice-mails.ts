import { Injectable } from '@nestjs/common';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { AccountSettings } from '../accounts/account-settings.js';
import { AccountStore } from '../accounts/account-store.js';
import { letter, type Mail } from '../mail/mailer.js';
import { CHOSEN_KINDS, Notices } from '../mail/notices.js';
import { stopOf, stoppedBy } from '../mail/notice-stop.js';
import { orderIdOf, Outbox, type OrderedMail } from '../mail/outbox.js';
import { SentMails } from '../mail/sent-mails.js';
import { WallClock } from '../shared/clock.js';
import { Secrets } from '../shared/keys/signing-keys.js';

const LETTER = 'notices';
const AT_ONCE = 500;

/** Mails the notices whose time has come, all of a user in one mail. */
@Injectable()
export class NoticeMails {
  constructor(
    private readonly notices: Notices,
    private readonly accounts: AccountStore,
    private readonly outbox: Outbox,
    private readonly secrets: Secrets,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
    sent: SentMails,
  ) {
    outbox.writtenBy(
      [LETTER],
      (order) => this.write(order),
      (order) => sent.noteSummary(order),
    );
  }

  /** Adds the mails that are due to the outbox, which sends them. */
  async run(): Promise<void> {
    let due;
    do {
      due = await this.notices.due(this.clock.now(), AT_ONCE);
      for (const each of due) {
        const { userId, email, facts, newest } = each;
        const about = { facts: JSON.stringify(facts) };
        // If the process ends before the notices are marked, the next run orders the mail again under the same order
        // id, so the mail is still sent only once.
        await this.outbox.order({
          orderId: orderIdOf(`${userId} ${about.facts} ${newest}`),
          letter: LETTER,
          email,
          userId,
          about,
        });
        await this.notices.markMailed(each);
      }
    } while (due.length === AT_ONCE);
  }

  /**
   * Turns off the mails about those kinds of notices that the mail with this token
   * contained. Repeating it changes nothing.
   */
  async stop(token: string): Promise<Outcome<object, { code: 'TokenInvalid' }>> {
    const stopped = await stoppedBy(this.secrets, token);
    if (!stopped) return reject({ code: 'TokenInvalid' });
    await this.notices.choose(stopped.userId, Object.fromEntries(stopped.kinds.map((kind) => [kind, 'off'])));
    return { accepted: true };
  }

  private async write({ userId, about }: OrderedMail): Promise<Mail | undefined> {
    const account = await this.accounts.findById(userId ?? '');
    if (!account) return undefined;
    const found = await this.notices.named(account.userId, JSON.parse(about.facts ?? '[]') as string[]);
    const [first] = found;
    if (!first) return undefined;
    const kinds = CHOSEN_KINDS.filter((kind) => found.some((notice) => notice.kind === kind));
    const { publicUrl } = this.settings;
    const stop = await stopOf(this.secrets, publicUrl, account.userId, kinds);
    const written = letter(account, {
      subject: found.length === 1 ? first.subject : `${found.length} updates from Offcut`,
      lines: [
        ...found.flatMap(({ subject, path }) => [subject, ...(path ? [publicUrl + path] : [])]),
        ...stop.lines,
      ],
    });
    return { ...written, headers: stop.headers };
  }
}
