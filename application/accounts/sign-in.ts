import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { AccountStore, type Account } from './account-store.js';
import { AttemptCounter } from './attempt-counter.js';
import { PasswordHasher } from './password-hasher.js';
import { AccountMails } from './account-mails.js';
import { Admission, type Admitted } from './admission.js';
import { KnownBrowsers } from './sessions/known-browsers.js';
import { RememberedBrowsers } from './sessions/remembered-browsers.js';
import type { Device } from './sessions/session-store.js';
import { hashToken } from './sessions/sessions.js';
import { AccountSettings } from './account-settings.js';
import { SignInPace } from './sign-in-pace.js';

export type SignInOutcome = Outcome<Admitted, { code: 'InvalidCredentials' | 'EmailNotConfirmed' }>;

/** @param browser token of the browser's cookie, present if it has signed in to any account before */
interface Credentials {
  email: string;
  password: string;
  browser?: string | undefined;
}

@Injectable()
export class SignIn {
  constructor(
    private readonly accounts: AccountStore,
    private readonly hasher: PasswordHasher,
    private readonly pace: SignInPace,
    private readonly known: KnownBrowsers,
    private readonly browsers: RememberedBrowsers,
    private readonly counter: AttemptCounter,
    private readonly admission: Admission,
    private readonly mails: AccountMails,
    private readonly settings: AccountSettings,
  ) {}

  /** Gives an unknown address and a wrong password the same answer after the same time. */
  async run({ email, password, browser }: Credentials, device: Device): Promise<SignInOutcome> {
    const isKnown = await this.known.isKnownTo(email, browser);
    const outcome = await this.pace.run(email, isKnown, () => this.opened(email, password));
    if ('wrong' in outcome) {
      const owner = await this.accounts.findByEmail(email);
      if (owner && outcome.wrong === accountPolicy.toldWrongPasswords * this.settings.rateLimitScale)
        await this.mails.sendWrongPasswords(owner, outcome.wrong);
      if (owner && isKnown && browser) await this.doubt(owner.userId, hashToken(browser));
      return reject({ code: 'InvalidCredentials' });
    }
    const { account } = outcome;
    if (this.settings.confirmationRequired && !account.emailVerifiedAt) {
      // The user knows the password, but may have lost the first mail.
      await this.mails.sendConfirmation(account);
      return reject({ code: 'EmailNotConfirmed' });
    }
    return { accepted: true, ...(await this.admission.admit(account, device)) };
  }

  private async opened(email: string, password: string): Promise<Account | undefined> {
    const account = await this.accounts.findByEmail(email);
    const matches = await this.hasher.verify(password, account?.passwordHash ?? null);
    return matches ? account : undefined;
  }

  /** Forgets a known browser after some wrong passwords, so that a thief with its cookie cannot guess for longer. */
  private async doubt(userId: string, cookieHash: string): Promise<void> {
    const tries = `known-browser:${hashToken(userId + cookieHash)}`;
    const { hits } = await this.counter.count(tries, accountPolicy.paceWindowMs);
    if (hits >= accountPolicy.rememberedBrowserTries * this.settings.rateLimitScale)
      await this.browsers.forget(userId, cookieHash);
  }
}
