import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { AccountStore, type MailTokenPurpose } from '../ports/account-store.js';
import { Clock } from '../ports/clock.js';
import { Mailer } from '../ports/mailer.js';
import { hashToken, newSecret } from './sessions.js';
import { AccountSettings } from './settings.js';

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
    private readonly clock: Clock,
    private readonly settings: AccountSettings,
  ) {}

  async sendConfirmation(to: Recipient): Promise<void> {
    const link = await this.linkWithToken(to, 'verify-email', '/auth?verify=');
    await this.send(to, 'Confirm your e-mail address', [
      'Please confirm that this address is yours:',
      link,
      'If you did not sign up for Offcut, ignore this mail.',
    ]);
  }

  async sendPasswordReset(to: Recipient): Promise<void> {
    const link = await this.linkWithToken(to, 'reset-password', '/auth?reset=');
    await this.send(to, 'Set a new password', [
      'Somebody, hopefully you, asked for a new password. Set it here within the next hour:',
      link,
      'If it was not you, ignore this mail: your password stays as it is.',
    ]);
  }

  /** To somebody who signed up again: says so to the owner of the address only, not to whoever asked. */
  async sendAlreadySignedUp(to: Recipient): Promise<void> {
    await this.send(to, 'You have an account already', [
      'Somebody, hopefully you, tried to sign up with this address. You have an account already; sign in here:',
      `${this.settings.publicUrl}/auth`,
      'Forgotten the password? Choose "Forgot password" there.',
    ]);
  }

  async sendEmailChanged(to: Recipient, newEmail: string): Promise<void> {
    await this.send(to, 'Your e-mail address was changed', [
      `The address of your Offcut account was changed to ${newEmail}.`,
      'If it was not you, change your password at once:',
      `${this.settings.publicUrl}/settings?tab=security`,
    ]);
  }

  async sendPasswordChanged(to: Recipient): Promise<void> {
    await this.send(to, 'Your password was changed', [
      'The password of your Offcut account was changed, and you were signed out elsewhere.',
      'If it was not you, set a new one:',
      `${this.settings.publicUrl}/auth`,
    ]);
  }

  private async linkWithToken(to: Recipient, purpose: MailTokenPurpose, path: string): Promise<string> {
    const token = newSecret();
    const createdAt = this.clock.now();
    const lifetimeMs =
      purpose === 'verify-email'
        ? accountPolicy.verifyEmailLifetimeMs
        : accountPolicy.resetPasswordLifetimeMs;
    await this.accounts.keepMailToken({
      tokenHash: hashToken(token),
      purpose,
      userId: to.userId,
      email: to.email,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + lifetimeMs),
    });
    return `${this.settings.publicUrl}${path}${token}`;
  }

  private async send(to: Recipient, subject: string, lines: string[]): Promise<void> {
    const links = lines.filter((line) => line.startsWith(this.settings.publicUrl));
    const text = [`Hello ${to.displayName},`, ...lines, 'Offcut'].join('\n\n');
    await this.mailer.send({ to: to.email, subject, text, links });
  }
}
