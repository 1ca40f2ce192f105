import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../../domain/accounts/policy.js';
import { WallClock } from '../../shared/clock.js';
import { AccountStore } from '../account-store.js';
import { RememberedBrowsers } from './remembered-browsers.js';
import { hashToken } from './sessions.js';

/** Recognises browsers in which an account was signed in to before. Strangers' guesses do not hold them up. */
@Injectable()
export class KnownBrowsers {
  constructor(
    private readonly accounts: AccountStore,
    private readonly browsers: RememberedBrowsers,
    private readonly clock: WallClock,
  ) {}

  /** @param browser the token in the browser's own cookie */
  async isKnown(userId: string | undefined, browser: string | undefined): Promise<boolean> {
    if (browser === undefined) return false;
    const since = new Date(this.clock.now().getTime() - accountPolicy.rememberedBrowserMs);
    return this.browsers.includes(userId, hashToken(browser), since);
  }

  /** Takes as long for an address without an account. */
  async isKnownTo(email: string, browser: string | undefined): Promise<boolean> {
    if (browser === undefined) return false;
    return this.isKnown((await this.accounts.findByEmail(email))?.userId, browser);
  }
}
