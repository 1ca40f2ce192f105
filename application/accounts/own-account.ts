import { Inject, Injectable, Optional } from '@nestjs/common';
import { accept, reject, type Outcome } from '../../domain/shared/decision.js';
import { AccountStore } from './account-store.js';
import { WallClock } from '../shared/clock.js';
import { AccountMails } from './account-mails.js';
import { FirstCredits } from './first-credits.js';
import { CodeStore } from './factors/factor-stores.js';
import { MailLimits } from './attempt-limits.js';
import { hashToken, Sessions } from './sessions/sessions.js';
import type { ConfirmBody } from './contract.js';
import { FactorProofs, type NotProved } from './factors/second-step.js';
import { PasswordHasher } from './passwords.js';

@Injectable()
export class OwnAccount {
  constructor(
    private readonly accounts: AccountStore,
    private readonly mails: AccountMails,
    private readonly limits: MailLimits,
    private readonly sessions: Sessions,
    private readonly codes: CodeStore,
    private readonly clock: WallClock,
    @Optional() @Inject(FirstCredits) private readonly first?: FirstCredits,
  ) {}

  /**
   * Mails a link that changes the address, or confirms the present one. Answers the same if a new address already has
   * an account.
   */
  async changeEmail(
    userId: string,
    email: string,
  ): Promise<Outcome<{ isToConfirm: boolean }, { code: 'TooManyRequests'; retryAfterSeconds: number }>> {
    const account = await this.accounts.findById(userId);
    if (!account || (account.email === email && account.emailVerifiedAt))
      return { accepted: true, isToConfirm: false };
    const retryAfterSeconds = await this.limits.waitBeforeChange(userId);
    if (retryAfterSeconds !== undefined) return reject({ code: 'TooManyRequests', retryAfterSeconds });
    const owner = await this.accounts.findByEmail(email);
    if (owner && owner.userId !== userId)
      await this.mails.send({ ...owner, email }, { letter: 'known-address' });
    else await this.mails.send({ ...account, email }, { letter: 'confirmation' });
    return { accepted: true, isToConfirm: true };
  }

  async confirmEmail(
    token: string,
  ): Promise<Outcome<{ firstCredits: number }, { code: 'TokenInvalid' | 'EmailTaken' }>> {
    const now = this.clock.now();
    const owner = await this.accounts.useMailToken(hashToken(token), 'verify-email', now);
    const account = owner && (await this.accounts.findById(owner.userId));
    if (!owner || !account) return reject({ code: 'TokenInvalid' });
    const isFirst = !account.emailVerifiedAt;
    const firstCredits = (await this.first?.give({ ...owner, isFirst })) ?? 0;
    if (!(await this.accounts.setEmail(account.userId, owner.email, now, now)))
      return reject({ code: 'EmailTaken' });
    if (account.email !== owner.email)
      await this.mails.send(account, { letter: 'email-changed', newEmail: owner.email });
    return { accepted: true, firstCredits };
  }

  /** Restores the former address. Removes all ways to sign in, because a thief may have added some. */
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
    await this.mails.send(owner, {
      letter: 'security-changed',
      change:
        'Your account uses this address again. We ended every session and removed every passkey and access token, the authenticator app, the recovery codes and the link to Google, including yours. Set a new password, then set up your own again.',
    });
    await this.mails.send(owner, { letter: 'password-reset' });
    return accept();
  }
}

/** Checks the password or a second factor in a running session. The session then counts as freshly signed in. */
@Injectable()
export class ConfirmOwner {
  constructor(
    private readonly accounts: AccountStore,
    private readonly hasher: PasswordHasher,
    private readonly proofs: FactorProofs,
    private readonly sessions: Sessions,
  ) {}

  async run(
    { userId, sessionId }: { userId: string; sessionId: string },
    proof: ConfirmBody,
  ): Promise<Outcome<object, { code: 'WrongPassword' } | NotProved>> {
    const account = await this.accounts.findById(userId);
    if ('password' in proof) {
      if (!(await this.hasher.verify(proof.password, account?.passwordHash ?? null)))
        return reject({ code: 'WrongPassword' });
      await this.sessions.authenticated(sessionId, 'password');
      return accept();
    }
    if (!account) return reject({ code: 'WrongSecondFactor' });
    const session = { kind: 'own', name: sessionId } as const;
    const proved = await this.proofs.prove(account, `confirm:${sessionId}`, proof, session);
    if (proved.accepted) await this.sessions.authenticated(sessionId, 'second factor');
    return proved;
  }
}
