import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { AccountStore, type MailTokenPurpose } from './account-store.js';
import { WallClock } from '../shared/clock.js';
import { Mailer } from '../mail/mailer.js';
import { mailName } from '../mail/mail-name.js';
import { MailLimits } from './mail-limits.js';
import { hashToken, newSecret } from './sessions.js';
import { AccountSettings } from './account-settings.js';

const LIFETIME_MS: Record<MailTokenPurpose, number> = {
  'verify-email': accountPolicy.verifyEmailLifetimeMs,
  'reset-password': accountPolicy.resetPasswordLifetimeMs,
  'undo-email': accountPolicy.undoEmailLifetimeMs,
};

interface Recipient {
  userId: string;
  email: string;
  displayName: string;
}

/** The mails about accounts, and the single-use tokens in their links. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly accounts: AccountStore,
    private readonly mailer: Mailer,
    private readonly clock: WallClock,
    private readonly limits: MailLimits,
    private readonly settings: AccountSettings,
  ) {}

  async sendConfirmation(to: Recipient): Promise<void> {
    if (!(await this.limits.mayReceive(to.email, 'confirmation'))) return;
    const link = await this.linkWithToken(to, 'verify-email', '/auth?verify=');
    await this.send(to, 'Confirm your e-mail address', [
      'Please confirm that this address is yours:',
      link,
      'If you did not sign up for Offcut, ignore this mail.',
    ]);
  }

  async sendPasswordReset(to: Recipient): Promise<void> {
    if (!(await this.limits.mayReceive(to.email, 'password-reset'))) return;
    const link = await this.linkWithToken(to, 'reset-password', '/auth?reset=');
    await this.send(to, 'Set a new password', [
      'Somebody, hopefully you, asked for a new password. Set it here within the next hour:',
      link,
      'If it was not you, ignore this mail: your password stays as it is.',
    ]);
  }

  /** Tells the owner of an address, and nobody else, that a person signed up with it or moved an account to it. */
  async sendAlreadySignedUp(to: Recipient): Promise<void> {
    if (!(await this.limits.mayReceive(to.email, 'known-address'))) return;
    await this.send(to, 'You have an account already', [
      'Somebody, hopefully you, asked for an account with this address. You have an account already; sign in here:',
      `${this.settings.publicUrl}/auth`,
      'Forgotten the password? Choose "Forgot password" there.',
    ]);
  }

  /** To the former address, whose owner can take the account back. */
  async sendEmailChanged(to: Recipient, newEmail: string): Promise<void> {
    const link = await this.linkWithToken(to, 'undo-email', '/auth?undo=');
    await this.send(to, 'Your e-mail address was changed', [
      `The address of your Offcut account was changed to ${newEmail}.`,
      `If it was not you, take your account back. This link works for ${accountPolicy.undoEmailLifetimeMs / 86_400_000} days, signs everybody out, and you set a new password then:`,
      link,
    ]);
  }

  async sendPasswordChanged(to: Recipient): Promise<void> {
    await this.send(to, 'Your password was changed', [
      'The password of your Offcut account was changed, and you were signed out elsewhere.',
      'If it was not you, set a new one:',
      `${this.settings.publicUrl}/auth`,
    ]);
  }

  async sendNewBrowser(to: Recipient, browser: string, place: string | null): Promise<void> {
    if (!(await this.limits.mayReceive(to.email, 'new-browser'))) return;
    await this.send(to, 'A sign-in from a new browser', [
      `Somebody, hopefully you, signed in to your Offcut account with ${browser}${place ? ` (${place})` : ''}.`,
      'If it was not you, end that session here, and change your password:',
      `${this.settings.publicUrl}/settings?tab=security`,
    ]);
  }

  private async linkWithToken(to: Recipient, purpose: MailTokenPurpose, path: string): Promise<string> {
    const token = newSecret();
    const createdAt = this.clock.now();
    await this.accounts.keepMailToken({
      tokenHash: hashToken(token),
      purpose,
      userId: to.userId,
      email: to.email,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + LIFETIME_MS[purpose]),
    });
    return `${this.settings.publicUrl}${path}${token}`;
  }

  private async send(to: Recipient, subject: string, lines: string[]): Promise<void> {
    const links = lines.filter((line) => line.startsWith(this.settings.publicUrl));
    const text = [`Hello ${mailName(to.displayName)},`, ...lines, 'Offcut'].join('\n\n');
    await this.mailer.send({ to: to.email, subject, text, links });
  }
}
