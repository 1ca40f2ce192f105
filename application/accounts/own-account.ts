import { Injectable } from '@nestjs/common';
import { accept, reject, type Outcome } from '../../domain/shared/decision.js';
import { AccountStore } from './account-store.js';
import { WallClock } from '../shared/clock.js';
import { AccountMails } from './account-mails.js';
import { CodeStore } from './factors/factor-stores.js';
import { MailLimits } from './mail-limits.js';
import { hashToken, Sessions } from './sessions/sessions.js';

/** Changes that users make to their own account. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly accounts: AccountStore,
    private readonly mails: AccountMails,
    private readonly limits: MailLimits,
    private readonly sessions: Sessions,
    private readonly codes: CodeStore,
    private readonly clock: WallClock,
  ) {}

  /**
   * Mails a confirmation link to the new address. The address changes once its owner follows the link. The answer does
   * not reveal whether the address already has an account; only its owner learns that, by mail.
   */
  async changeEmail(
    userId: string,
    email: string,
  ): Promise<Outcome<{ isToConfirm: boolean }, { code: 'TooManyRequests'; retryAfterSeconds: number }>> {
    const account = await this.accounts.findById(userId);
    if (!account || account.email === email) return { accepted: true, isToConfirm: false };
    const retryAfterSeconds = await this.limits.waitBeforeChange(userId);
    if (retryAfterSeconds !== undefined) return reject({ code: 'TooManyRequests', retryAfterSeconds });
    const owner = await this.accounts.findByEmail(email);
    if (owner && owner.userId !== userId) await this.mails.sendAlreadySignedUp({ ...owner, email });
    else await this.mails.sendConfirmation({ ...account, email });
    return { accepted: true, isToConfirm: true };
  }

  /** Sets the address of the account to the one that the mailed token proves. */
  async confirmEmail(token: string): Promise<Outcome<object, { code: 'TokenInvalid' | 'EmailTaken' }>> {
    const now = this.clock.now();
    const owner = await this.accounts.useMailToken(hashToken(token), 'verify-email', now);
    const account = owner && (await this.accounts.findById(owner.userId));
    if (!owner || !account) return reject({ code: 'TokenInvalid' });
    if (!(await this.accounts.setEmail(account.userId, owner.email, now, now)))
      return reject({ code: 'EmailTaken' });
    if (account.email !== owner.email) await this.mails.sendEmailChanged(account, owner.email);
    return accept();
  }

  /**
   * Gives an account back to its former address, and mails a link that sets a new password. Removes every way to sign
   * in: a thief may have added some before moving the address, and nothing proves which ones are the owner's.
   */
  async undoEmailChange(token: string): Promise<Outcome<object, { code: 'TokenInvalid' | 'EmailTaken' }>> {
    const now = this.clock.now();
    const former = await this.accounts.useMailToken(hashToken(token), 'undo-email', now);
    const account = former && (await this.accounts.findById(former.userId));
    if (!former || !account) return reject({ code: 'TokenInvalid' });
    if (!(await this.accounts.setEmail(account.userId, former.email, now, now)))
      return reject({ code: 'EmailTaken' });
    await this.accounts.setPassword(account.userId, null);
    await this.sessions.endAll(account.userId);
    await this.codes.removeAll(account.userId);
    await this.accounts.unlink(account.userId, former.createdAt);
    const owner = { ...account, email: former.email };
    await this.mails.sendSecurityChanged(
      owner,
      'Your account uses this address again. We ended every session and removed every passkey, the authenticator app, the recovery codes and the link to Google, including yours. Set a new password, then set up your own again.',
    );
    await this.mails.sendPasswordReset(owner);
    return accept();
  }
}
