import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MailLimits } from '../accounts/mail-limits.js';
import { AccountSettings } from '../accounts/account-settings.js';
import { WallClock } from '../shared/clock.js';
import { Mailer } from '../mail/mailer.js';
import { Secrets } from '../shared/secrets.js';

/** Addresses whose owners agreed. */
export abstract class MailingListStore {
  /** Adding what is there changes nothing. */
  abstract add(email: string, at: Date): Promise<void>;
  abstract remove(email: string): Promise<void>;
  abstract has(email: string): Promise<boolean>;
}

const CONFIRM_DAYS = 7;

type Purpose = 'join' | 'leave';

/**
 * News by e-mail, with double opt-in. An unconfirmed address is not stored: the mailed link carries it, sealed, and
 * following the link adds it.
 */
@Injectable()
export class MailingList {
  constructor(
    private readonly store: MailingListStore,
    private readonly mailer: Mailer,
    private readonly secrets: Secrets,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
    private readonly limits: MailLimits,
  ) {}

  /**
   * Mails the link to subscribe; an address on the list gets the link to unsubscribe instead. The caller learns
   * neither.
   */
  async ask(email: string): Promise<void> {
    if (!(await this.limits.mayReceive(email, 'mailing-list'))) return;
    const isMember = await this.store.has(email);
    const expiresAtMs = isMember ? null : this.clock.now().getTime() + CONFIRM_DAYS * 86_400_000;
    const purpose = isMember ? 'leave' : 'join';
    const token = await this.seal(purpose, email, expiresAtMs);
    const link = `${this.settings.publicUrl}/mailing-list?${new URLSearchParams({ [purpose]: token })}`;
    const lines = isMember
      ? ['This address is on the Offcut mailing list already. To leave it:', link]
      : [
          `Somebody, hopefully you, asked for news from Offcut at this address. Say yes here within ${CONFIRM_DAYS} days:`,
          link,
          'If it was not you, ignore this mail: the address is not kept.',
        ];
    const subject = isMember ? 'You are on the list already' : 'Confirm your subscription';
    await this.mailer.send({
      to: email,
      subject,
      text: ['Hello,', ...lines, 'Offcut'].join('\n\n'),
      links: [link],
    });
  }

  /** @returns the address, now on the list; undefined if the link is forged or too old */
  async join(token: string): Promise<string | undefined> {
    const email = await this.open('join', token);
    if (email === undefined) return undefined;
    const isNew = !(await this.store.has(email));
    await this.store.add(email, this.clock.now());
    if (isNew) await this.welcome(email);
    return email;
  }

  /** @returns the address, no longer on the list; undefined if the link is forged */
  async leave(token: string): Promise<string | undefined> {
    const email = await this.open('leave', token);
    if (email !== undefined) await this.store.remove(email);
    return email;
  }

  private async welcome(email: string): Promise<void> {
    const token = await this.seal('leave', email, null);
    const link = `${this.settings.publicUrl}/mailing-list?${new URLSearchParams({ leave: token })}`;
    await this.mailer.send({
      to: email,
      subject: 'You are on the list',
      text: [
        'Hello,',
        'Thank you. News from Offcut will come to this address. To leave the list, any time:',
        link,
        'Offcut',
      ].join('\n\n'),
      links: [link],
    });
  }

  private async seal(purpose: Purpose, email: string, expiresAtMs: number | null): Promise<string> {
    const content = Buffer.from(JSON.stringify([purpose, email, expiresAtMs])).toString('base64url');
    return `${content}.${(await this.macOf(content)).toString('base64url')}`;
  }

  private async open(purpose: Purpose, token: string): Promise<string | undefined> {
    const [content = '', given = ''] = token.split('.');
    const mac = Buffer.from(given, 'base64url');
    const expected = await this.macOf(content);
    if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return undefined;
    const [sealedFor, email, expiresAtMs] = JSON.parse(String(Buffer.from(content, 'base64url'))) as [
      Purpose,
      string,
      number | null,
    ];
    const isLate = expiresAtMs !== null && expiresAtMs < this.clock.now().getTime();
    return sealedFor === purpose && !isLate ? email : undefined;
  }

  private async macOf(content: string): Promise<Buffer> {
    return createHmac('sha256', await this.secrets.get('mailing-list'))
      .update(content)
      .digest();
  }
}
