import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../../domain/accounts/policy.js';
import { WallClock } from '../../shared/clock.js';
import { AccountStore } from '../account-store.js';
import { RememberedBrowsers } from './remembered-browsers.js';
import { hashToken } from './sessions.js';

/** Recognises browsers that signed in to an account before. Wrong guesses of strangers do not delay them. */
@Injectable()
export class KnownBrowsers {
  constructor(
    private readonly accounts: AccountStore,
    private readonly browsers: RememberedBrowsers,
    private readonly clock: WallClock,
  ) {}

  /** @param browser token of the browser's cookie */
  async isKnown(userId: string | undefined, browser: string | undefined): Promise<boolean> {
    if (browser === undefined) return false;
    const since = new Date(this.clock.now().getTime() - accountPolicy.rememberedBrowserMs);
    return this.browsers.includes(userId, hashToken(browser), since);
  }

  /** Takes the same time for an address without an account. */
  async isKnownTo(email: string, browser: string | undefined): Promise<boolean> {
    if (browser === undefined) return false;
    return this.isKnown((await this.accounts.findByEmail(email))?.userId, browser);
  }
}
