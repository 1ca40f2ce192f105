import { Injectable } from '@nestjs/common';
import { deviceName } from '../../domain/accounts/device-name.js';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { WallClock } from '../shared/clock.js';
import { AccountMails } from './account-mails.js';
import type { Account } from './account-store.js';
import { SecondStep, type WaitingSignIn } from './factors/second-step.js';
import { placeOf } from './sessions/own-sessions.js';
import { SessionStore, type Device } from './sessions/session-store.js';
import { Sessions, type IssuedToken, type Proved } from './sessions/sessions.js';

export type Admitted =
  | { kind: 'signed in'; token: IssuedToken }
  | { kind: 'second factor'; waiting: WaitingSignIn };

/** Starts a session after a user proved to own an account, or asks for a second factor. */
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

  /** Starts a session, and mails the owner if the browser is new. */
  async begin(account: Account, device: Device, proved: Proved = {}): Promise<IssuedToken> {
    const token = await this.sessions.start(account.userId, device, proved);
    const browser = deviceName(device.userAgent);
    const now = this.clock.now();
    const since = new Date(now.getTime() - accountPolicy.knownBrowserMs);
    if (await this.store.isNewBrowser(account.userId, browser, now, since))
      await this.mails.sendNewBrowser(account, browser, placeOf(device));
    return token;
  }
}
