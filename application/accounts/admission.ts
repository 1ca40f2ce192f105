import { Injectable } from '@nestjs/common';
import { deviceName } from '../../domain/accounts/device-name.js';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { WallClock } from '../shared/clock.js';
import { AccountMails } from './account-mails.js';
import type { Account } from './account-store.js';
import { placeOf } from './own-sessions.js';
import { SessionStore, type Device } from './session-store.js';
import { Sessions, type IssuedToken } from './sessions.js';

/** What follows once somebody has proved to be the owner of an account. */
@Injectable()
export class Admission {
  constructor(
    private readonly sessions: Sessions,
    private readonly store: SessionStore,
    private readonly mails: AccountMails,
    private readonly clock: WallClock,
  ) {}

  /** Begins a session, and tells the owner where the browser is a new one. */
  async admit(
    account: Pick<Account, 'userId' | 'email' | 'displayName'>,
    device: Device,
    authenticatedAt?: Date,
  ): Promise<IssuedToken> {
    const token = await this.sessions.start(account.userId, device, authenticatedAt);
    const browser = deviceName(device.userAgent);
    const now = this.clock.now();
    const since = new Date(now.getTime() - accountPolicy.knownBrowserMs);
    if (await this.store.isNewBrowser(account.userId, browser, now, since))
      await this.mails.sendNewBrowser(account, browser, placeOf(device));
    return token;
  }
}
