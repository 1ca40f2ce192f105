import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { deviceName } from '../../domain/accounts/device-name.js';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { isReservedName } from '../../domain/accounts/display-name.js';
import { judgePassword, type WeakPassword } from '../../domain/accounts/password.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import type { Acceptances } from '../../domain/legal/acceptance.js';
import { Acceptance, AcceptTexts } from '../legal/legal-texts.js';
import { WallClock } from '../shared/clock.js';
import { AccountMails } from './account-mails.js';
import {
  AccountStore,
  defaultDisplayName,
  newAccount,
  type Account,
  type NameTaken,
} from './account-store.js';
import { SecondStep, type WaitingSignIn } from './factors/second-step.js';
import {
  placeOf,
  Sessions,
  KnownBrowsers,
  hashToken,
  type IssuedToken,
  type Proved,
} from './sessions/sessions.js';
import { SessionStore, RememberedBrowsers, type Device } from './sessions/session-store.js';
import { CommonPasswords, PasswordHasher } from './passwords.js';
import { AccountSettings } from './account-settings.js';
import { AttemptCounter, SignInPace } from './attempt-limits.js';

export type Admitted =
  | { kind: 'signed in'; token: IssuedToken }
  | { kind: 'second factor'; waiting: WaitingSignIn };

/** Continues after a user has proved to own an account: starts a session, or requires a second factor. */
@Injectable()
export class Admission {
  constructor(
    private readonly steps: SecondStep,
    private readonly sessions: Sessions,
    private readonly store: SessionStore,
    private readonly mails: AccountMails,
    private readonly clock: WallClock,
  ) {}

  async admit(account: Account, device: Device, authenticatedAt?: Date): Promise<Admitted> {
    const waiting = await this.steps.begin(account.userId, authenticatedAt);
    if (waiting) return { kind: 'second factor', waiting };
    return { kind: 'signed in', token: await this.begin(account, device, { authenticatedAt }) };
  }

  async begin(account: Account, device: Device, proved: Proved = {}): Promise<IssuedToken> {
    const token = await this.sessions.start(account.userId, device, proved);
    const browser = deviceName(device.userAgent);
    const now = this.clock.now();
    const since = new Date(now.getTime() - accountPolicy.knownBrowserMs);
    if (await this.store.isNewBrowser(account.userId, browser, now, since)) {
      const place = placeOf(device);
      const signedInWith = `${browser}${place ? ` (${place})` : ''}`;
      await this.mails.send(account, { letter: 'new-browser', signedInWith });
    }
    return token;
  }
}

export interface SignUpRequest {
  email: string;
  password: string;
  displayName?: string;
  accepts?: Acceptances;
}

export type SignUpOutcome = Outcome<
  {
    /**
     * Null if the address must be confirmed. Also null if it has an account, so that strangers see no difference if
     * addresses must be confirmed.
     */
    token: IssuedToken | null;
  },
  WeakPassword | NameTaken | { code: 'LegalTextChanged' }
>;

@Injectable()
export class SignUp {
  constructor(
    private readonly accounts: AccountStore,
    private readonly hasher: PasswordHasher,
    private readonly common: CommonPasswords,
    private readonly admission: Admission,
    private readonly mails: AccountMails,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
    private readonly acceptance: Acceptance,
    private readonly commands: CommandBus,
  ) {}

  async run(
    { email, password, displayName, accepts = {} }: SignUpRequest,
    device: Device,
  ): Promise<SignUpOutcome> {
    const judged = judgePassword(password, { email, displayName }, this.common);
    if (!judged.accepted) return judged;
    const readable = this.acceptance.check(accepts);
    if (!readable.accepted) return readable;
    if (displayName !== undefined && isReservedName(displayName)) return reject({ code: 'DisplayNameTaken' });
    const account = await this.create(email, password, displayName ?? defaultDisplayName());
    if (!account) {
      const owner = await this.accounts.findByEmail(email);
      if (owner) await this.mails.send(owner, { letter: 'known-address' });
      return { accepted: true, token: null };
    }
    await this.commands.execute(new AcceptTexts(account.userId, accepts));
    await this.mails.send(account, { letter: 'confirmation' });
    if (this.settings.confirmationRequired) return { accepted: true, token: null };
    return { accepted: true, token: await this.admission.begin(account, device) };
  }

  /** Creates a confirmed account without mail, for the demo and the command line. Idempotent. @returns its id */
  async ensure(request: SignUpRequest & { displayName: string }): Promise<string> {
    const found = await this.accounts.findByEmail(request.email);
    const account = found ?? (await this.create(request.email, request.password, request.displayName));
    const userId = account?.userId ?? (await this.accounts.findByEmail(request.email))?.userId;
    if (!userId) throw new Error(`The account ${request.email} cannot be made`);
    if (!found) await this.accounts.setEmail(userId, request.email, this.clock.now(), this.clock.now());
    return userId;
  }

  private async create(email: string, password: string, displayName: string) {
    const passwordHash = await this.hasher.hash(password);
    const account = newAccount({ email, passwordHash, displayName, createdAt: this.clock.now() });
    return (await this.accounts.create(account)) ? account : undefined;
  }
}

export type SignInOutcome = Outcome<Admitted, { code: 'InvalidCredentials' | 'EmailNotConfirmed' }>;

/** @param browser the token in the cookie of the browser, set by an earlier sign-in to any account */
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

  /** An unknown address and a wrong password get the same answer, after the same time. */
  async run({ email, password, browser }: Credentials, device: Device): Promise<SignInOutcome> {
    const isKnown = await this.known.isKnownTo(email, browser);
    const outcome = await this.pace.run(email, isKnown, () => this.opened(email, password));
    if ('wrong' in outcome) {
      const owner = await this.accounts.findByEmail(email);
      if (owner && outcome.wrong === accountPolicy.noticedWrongPasswords * this.settings.rateLimitScale)
        await this.mails.send(owner, { letter: 'wrong-passwords', wrong: String(outcome.wrong) });
      if (owner && isKnown && browser) await this.doubt(owner.userId, hashToken(browser));
      return reject({ code: 'InvalidCredentials' });
    }
    const { account } = outcome;
    if (this.settings.confirmationRequired && !account.emailVerifiedAt) {
      // Mails the link again, because the user knows the password and may have lost the first mail.
      await this.mails.send(account, { letter: 'confirmation' });
      return reject({ code: 'EmailNotConfirmed' });
    }
    return { accepted: true, ...(await this.admission.admit(account, device)) };
  }

  private async opened(email: string, password: string): Promise<Account | undefined> {
    const account = await this.accounts.findByEmail(email);
    const matches = await this.hasher.verify(password, account?.passwordHash ?? null);
    return matches ? account : undefined;
  }

  /** Forgets a known browser after some wrong passwords, so that a thief who stole its cookie is delayed. */
  private async doubt(userId: string, cookieHash: string): Promise<void> {
    const tries = `known-browser:${hashToken(userId + cookieHash)}`;
    const { hits } = await this.counter.count(tries, accountPolicy.paceWindowMs);
    if (hits >= accountPolicy.rememberedBrowserTries * this.settings.rateLimitScale)
      await this.browsers.forget(userId, cookieHash);
  }
}
