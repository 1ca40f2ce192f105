import { Inject, Injectable, Optional } from '@nestjs/common';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { judgePassword, type WeakPassword } from '../../domain/accounts/password.js';
import { accept, reject, type Outcome } from '../../domain/shared/decision.js';
import { AccountStore } from './account-store.js';
import { Pause, WallClock } from '../shared/clock.js';
import { AccountMails } from './account-mails.js';
import { FirstCredits } from './first-credits.js';
import { hashToken, Sessions } from './sessions/sessions.js';

export abstract class PasswordHasher {
  abstract hash(password: string): Promise<string>;
  /** Returns false for a null hash (no password), after the same time as for a real hash. */
  abstract verify(password: string, hash: string | null): Promise<boolean>;
}

/** A published list of frequent passwords, in lower case. */
export abstract class CommonPasswords {
  abstract has(password: string): boolean;
}

@Injectable()
export class Passwords {
  constructor(
    private readonly accounts: AccountStore,
    private readonly hasher: PasswordHasher,
    private readonly common: CommonPasswords,
    private readonly sessions: Sessions,
    private readonly mails: AccountMails,
    private readonly clock: WallClock,
    private readonly pause: Pause,
    @Optional() @Inject(FirstCredits) private readonly first?: FirstCredits,
  ) {}

  /** Mails a reset link to the owner. Takes as long if there is no account, so that strangers learn nothing. */
  async forgot(email: string): Promise<void> {
    await Promise.all([this.pause.for(accountPolicy.forgotAnswerMs), this.mailReset(email)]);
  }

  private async mailReset(email: string): Promise<void> {
    const account = await this.accounts.findByEmail(email);
    if (account) await this.mails.send(account, { letter: 'password-reset' });
  }

  /** Sets a password with a mailed token. Ends every session, because a thief may know the old password. */
  async reset(
    token: string,
    password: string,
  ): Promise<Outcome<{ userId: string }, WeakPassword | { code: 'TokenInvalid' }>> {
    const now = this.clock.now();
    const tokenHash = hashToken(token);
    const account = await this.accounts.mailTokenOwner(tokenHash, 'reset-password', now);
    if (!account) return reject({ code: 'TokenInvalid' });
    // The new password is checked first, so that a weak one does not use up the link.
    const judged = judgePassword(password, account, this.common);
    if (!judged.accepted) return judged;
    const owner = await this.accounts.useMailToken(tokenHash, 'reset-password', now);
    if (!owner) return reject({ code: 'TokenInvalid' });
    await this.accounts.setPassword(account.userId, await this.hasher.hash(password));
    await this.sessions.endAll(account.userId);
    // The user received the link at this address, which is thereby confirmed.
    if (account.email === owner.email) {
      await this.first?.give({ ...owner, isFirst: !account.emailVerifiedAt });
      await this.accounts.setEmail(account.userId, account.email, now, now);
    }
    await this.mails.send(account, { letter: 'password-changed' });
    return { accepted: true, userId: account.userId };
  }

  async change(
    caller: { userId: string; sessionId: string },
    passwords: { currentPassword: string; newPassword: string },
  ): Promise<Outcome<object, WeakPassword | { code: 'WrongPassword' }>> {
    const account = await this.accounts.findById(caller.userId);
    if (!(await this.hasher.verify(passwords.currentPassword, account?.passwordHash ?? null)) || !account)
      return reject({ code: 'WrongPassword' });
    const judged = judgePassword(passwords.newPassword, account, this.common);
    if (!judged.accepted) return judged;
    await this.accounts.setPassword(account.userId, await this.hasher.hash(passwords.newPassword));
    await this.sessions.endAll(account.userId, { exceptSessionId: caller.sessionId });
    await this.mails.send(account, { letter: 'password-changed' });
    return accept();
  }
}
