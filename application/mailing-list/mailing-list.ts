import { serverPaths } from '../pages/paths.js';
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { MailLimits } from '../accounts/attempt-limits.js';
import { AccountSettings } from '../accounts/account-settings.js';
import { WallClock } from '../shared/clock.js';
import { letter, type Mail } from '../mail/mailer.js';
import { Outbox } from '../mail/outbox.js';
import { seal, unseal } from '../mail/sealed-text.js';
import { Secrets } from '../shared/keys/signing-keys.js';

/** The confirmed addresses on the mailing list. */
export abstract class MailingListStore {
  /** Does nothing for an address on the list. */
  abstract add(email: string, at: Date): Promise<void>;
  abstract remove(email: string): Promise<void>;
  abstract has(email: string): Promise<boolean>;
}

const CONFIRM_DAYS = 7;

type Purpose = 'join' | 'leave';

/** Double opt-in. The mailed link carries the signed address, so that the list stores only confirmed addresses. */
@Injectable()
export class MailingList {
  constructor(
    private readonly store: MailingListStore,
    private readonly outbox: Outbox,
    private readonly secrets: Secrets,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
    private readonly limits: MailLimits,
  ) {
    outbox.writtenBy(['mailing-list'], ({ email }) => this.answer(email));
    outbox.writtenBy(['mailing-list-welcome'], ({ email }) => this.welcome(email));
  }

  /** Mails the link to subscribe, or to unsubscribe if the address is on the list. The caller does not learn which. */
  async ask(email: string): Promise<void> {
    if (!(await this.limits.mayReceive(email, 'mailing-list'))) return;
    await this.order('mailing-list', email, true);
  }

  /** Adds the address in the link to the list, and returns it. Refuses a forged or expired link. */
  async join(token: string): Promise<Outcome<{ email: string }, { code: 'TokenInvalid' }>> {
    const email = await this.open('join', token);
    if (email === undefined) return reject({ code: 'TokenInvalid' });
    const isNew = !(await this.store.has(email));
    await this.store.add(email, this.clock.now());
    if (isNew) await this.order('mailing-list-welcome', email);
    return { accepted: true, email };
  }

  /** Removes the address in the link from the list, and returns it. Refuses a forged link. */
  async leave(token: string): Promise<Outcome<{ email: string }, { code: 'TokenInvalid' }>> {
    const email = await this.open('leave', token);
    if (email === undefined) return reject({ code: 'TokenInvalid' });
    await this.store.remove(email);
    return { accepted: true, email };
  }

  private order(letter: string, email: string, isAwaited = false): Promise<void> {
    return this.outbox.order(
      { orderId: randomUUID(), letter, email, userId: null, about: {} },
      { isAwaited },
    );
  }

  private async answer(email: string): Promise<Mail> {
    const isMember = await this.store.has(email);
    const expiresAtMs = isMember ? null : this.clock.now().getTime() + CONFIRM_DAYS * 86_400_000;
    const link = await this.linkTo(isMember ? 'leave' : 'join', email, expiresAtMs);
    const subject = isMember ? 'You are on the list already' : 'Confirm your subscription';
    const lines = isMember
      ? ['This address is on the Offcut mailing list already. To leave it:', link]
      : [
          `This address was entered for news from Offcut. Confirm it here within ${CONFIRM_DAYS} days:`,
          link,
          'If it was not you, ignore this mail. The address is then not added to the list.',
        ];
    return letter({ email }, { subject, lines });
  }

  private async welcome(email: string): Promise<Mail> {
    const lines = [
      'Thank you. News from Offcut will come to this address. To leave the list, any time:',
      await this.linkTo('leave', email, null),
    ];
    return letter({ email }, { subject: 'You are on the list', lines });
  }

  private async linkTo(purpose: Purpose, email: string, expiresAtMs: number | null): Promise<string> {
    const content = Buffer.from(JSON.stringify([purpose, email, expiresAtMs])).toString('base64url');
    const token = await seal(this.secrets, 'mailing-list', content);
    return `${this.settings.publicUrl}${serverPaths.mailingList({ [purpose]: token })}`;
  }

  private async open(purpose: Purpose, token: string): Promise<string | undefined> {
    const content = await unseal(this.secrets, 'mailing-list', token);
    if (content === undefined) return undefined;
    const [sealedFor, email, expiresAtMs] = JSON.parse(String(Buffer.from(content, 'base64url'))) as [
      Purpose,
      string,
      number | null,
    ];
    const isLate = expiresAtMs !== null && expiresAtMs < this.clock.now().getTime();
    return sealedFor === purpose && !isLate ? email : undefined;
  }
}
