import { paths, serverPaths } from '../pages/paths.js';
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { AccountStore, existingAccount, type Account, type MailTokenPurpose } from './account-store.js';
import { WallClock } from '../shared/clock.js';
import { letter as letterOf, type Mail } from '../mail/mailer.js';
import { Outbox, type OrderedMail } from '../mail/outbox.js';
import { MailLimits } from './attempt-limits.js';
import { hashToken, newSecret } from './sessions/sessions.js';
import { EXPORT_KEPT_DAYS } from '../shared/values.js';
import { AccountSettings } from './account-settings.js';

const LIFETIME_MS: Record<MailTokenPurpose, number> = {
  'verify-email': accountPolicy.verifyEmailLifetimeMs,
  'reset-password': accountPolicy.resetPasswordLifetimeMs,
  'undo-email': accountPolicy.undoEmailLifetimeMs,
};

type Recipient = Pick<Account, 'userId' | 'email' | 'displayName'>;

interface Letter {
  subject: string;
  /** Where the mail's link leads. With a `purpose`, a token is appended, which is stored only as a hash. */
  link: { path: string; purpose?: MailTokenPurpose };
  /** Set for mails that strangers can cause. Their number per address is limited. */
  isLimited?: true;
  lines: (link: string, about: Record<string, string>) => string[];
}

const SECURITY = { path: serverPaths.security };
const IF_NOT_YOU = 'If it was not you, change your password and review your sign-in methods:';

const LETTERS = {
  confirmation: {
    subject: 'Confirm your e-mail address',
    link: { purpose: 'verify-email', path: serverPaths.authWith({ verify: '' }) },
    isLimited: true,
    lines: (link) => [
      'Please confirm that this address is yours:',
      link,
      'If you did not sign up for Offcut, ignore this mail.',
    ],
  },
  'password-reset': {
    subject: 'Set a new password',
    link: { purpose: 'reset-password', path: serverPaths.authWith({ reset: '' }) },
    isLimited: true,
    lines: (link) => [
      'We received a request to reset your password. Set a new one within the next hour:',
      link,
      'If it was not you, ignore this mail. Your password does not change.',
    ],
  },
  'known-address': {
    subject: 'You already have an account',
    link: { path: paths.auth() },
    isLimited: true,
    lines: (link) => [
      'We received a request to create an account with this address. You already have one. Sign in here:',
      link,
      'If you forgot your password, choose “Forgot password” there.',
    ],
  },
  'email-changed': {
    subject: 'Your e-mail address was changed',
    link: { purpose: 'undo-email', path: serverPaths.authWith({ undo: '' }) },
    lines: (link, { newEmail }) => [
      `The address of your Offcut account was changed to ${newEmail}.`,
      `If it was not you, take your account back within ${accountPolicy.undoEmailLifetimeMs / 86_400_000} days. The link ends every session and removes every sign-in method and access token, including yours. You then set a new password:`,
      link,
    ],
  },
  'password-changed': {
    subject: 'Your password was changed',
    link: { path: paths.auth() },
    lines: (link) => [
      'The password of your Offcut account was changed, and you were signed out elsewhere.',
      'If it was not you, set a new one:',
      link,
    ],
  },
  'new-browser': {
    subject: 'A sign-in from a new browser',
    link: SECURITY,
    isLimited: true,
    lines: (link, { signedInWith }) => [
      `Your Offcut account was signed in to with ${signedInWith}.`,
      'If it was not you, end that session here and change your password:',
      link,
    ],
  },
  'security-changed': {
    subject: 'Your sign-in methods changed',
    link: SECURITY,
    lines: (link, { change }) => [`${change} ${IF_NOT_YOU}`, link],
  },
  'wrong-passwords': {
    subject: 'Wrong passwords for your account',
    link: SECURITY,
    lines: (link, { wrong }) => [
      `${wrong} wrong passwords were entered for your Offcut account within a day. None of them worked, and further attempts are delayed.`,
      'Browsers that you have used before are not delayed. A passkey cannot be guessed. Set one up here:',
      link,
    ],
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    link: SECURITY,
    lines: (link, { left }) => [
      `A recovery code was used to sign in to your account. ${left} of ten codes are left. ${IF_NOT_YOU}`,
      link,
    ],
  },
  'wrong-proofs': {
    subject: 'Your password may be known to another person',
    link: SECURITY,
    isLimited: true,
    lines: (link) => [
      `The correct password of your Offcut account was entered, followed by five wrong codes. The sign-in was refused. ${IF_NOT_YOU}`,
      link,
    ],
  },
  'export-ready': {
    subject: 'The copy of your data is ready',
    link: { path: paths.settings },
    lines: (link) => [
      `The copy of your data is ready. You can download it here for ${EXPORT_KEPT_DAYS} days:`,
      link,
      'If you did not request it, change your password and end unknown sessions under Security.',
    ],
  },
  'passkey-copied': {
    subject: 'A passkey was refused',
    link: SECURITY,
    isLimited: true,
    lines: (link, { passkey }) => [
      `Your passkey “${passkey}” was refused because its counter went backwards, so there may be a copy of it. ${IF_NOT_YOU}`,
      link,
    ],
  },
} satisfies Record<AccountMail['letter'], Letter>;

type AccountMail =
  | {
      letter:
        | 'confirmation'
        | 'export-ready'
        | 'known-address'
        | 'password-changed'
        | 'password-reset'
        | 'wrong-proofs';
    }
  | { letter: 'email-changed'; newEmail: string }
  | { letter: 'new-browser'; signedInWith: string }
  | { letter: 'passkey-copied'; passkey: string }
  | { letter: 'recovery-code-used'; left: string }
  | { letter: 'security-changed'; change: string }
  | { letter: 'wrong-passwords'; wrong: string };

/**
 * Orders mails. A mail is written when it is sent. Its token is reserved when the mail is ordered, so that the token
 * can be revoked before the mail is sent.
 */
@Injectable()
export class AccountMails {
  constructor(
    private readonly accounts: AccountStore,
    private readonly outbox: Outbox,
    private readonly clock: WallClock,
    private readonly limits: MailLimits,
    private readonly settings: AccountSettings,
  ) {
    outbox.writtenBy(Object.keys(LETTERS), (order) => this.write(order));
  }

  /** @param orderId identifies the mail: further orders with this id send no second mail */
  async send(
    { userId, email }: Recipient,
    { letter, ...about }: AccountMail,
    orderId: string = randomUUID(),
  ): Promise<void> {
    const { link, isLimited }: Letter = LETTERS[letter];
    if (isLimited && !(await this.limits.mayReceive(email, letter))) return;
    const { purpose } = link;
    const createdAt = this.clock.now();
    if (purpose) {
      const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS[purpose]);
      await this.accounts.orderMailToken({ orderId, purpose, userId, email, createdAt, expiresAt });
    }
    // Mails with a token are sent before others, because users often wait for the link in them.
    await this.outbox.order({ orderId, letter, userId, email, about }, { isAwaited: purpose !== undefined });
  }

  /** Mails the user that a sign-in method changed. @throws AccountErased */
  async securityChanged(userId: string, change: string): Promise<void> {
    const account = await existingAccount(this.accounts, userId);
    await this.send(account, { letter: 'security-changed', change });
  }

  /** @returns undefined if the user was erased, or the link was used or revoked, after the mail was ordered */
  private async write({ orderId, letter, userId, email, about }: OrderedMail): Promise<Mail | undefined> {
    const account = userId === null ? undefined : await this.accounts.findById(userId);
    const { subject, lines, link: leads }: Letter = LETTERS[letter as AccountMail['letter']];
    const token = leads.purpose ? await this.newToken(orderId, leads.purpose) : '';
    if (!account || token === undefined) return undefined;
    const link = `${this.settings.publicUrl}${leads.path}${token}`;
    return letterOf({ ...account, email }, { subject, lines: lines(link, about) });
  }

  private async newToken(orderId: string, purpose: MailTokenPurpose): Promise<string | undefined> {
    const token = newSecret();
    const expiresAt = new Date(this.clock.now().getTime() + LIFETIME_MS[purpose]);
    const isGiven = await this.accounts.giveMailToken(orderId, hashToken(token), expiresAt);
    return isGiven ? token : undefined;
  }
}
