import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { Pause } from '../shared/clock.js';
import { Lane } from '../shared/lanes.js';
import { AccountSettings } from './account-settings.js';
import { AttemptCounter } from './attempt-counter.js';

const WORK = 'this account';

/**
 * Delays sign-in attempts after wrong passwords for an address, from any number of networks. It never locks the owner
 * out. The delay is the same for addresses without an account, so it reveals nothing.
 */
@Injectable()
export class SignInPace {
  private readonly lanes = new Map<string, { lane: Lane; users: number }>();

  constructor(
    private readonly counter: AttemptCounter,
    private readonly pause: Pause,
    private readonly settings: AccountSettings,
  ) {}

  /**
   * Checks a password when it is its turn.
   * @param goesAhead the browser is known, so attempts of strangers do not delay it
   * @param look finds the account that the password opens
   * @returns that account, or the number of wrong passwords today, including this one
   * @throws TooBusy if too many attempts already wait
   */
  async run<Account>(
    email: string,
    goesAhead: boolean,
    look: () => Promise<Account | undefined>,
  ): Promise<{ account: Account } | { wrong: number }> {
    // Hashed, because the table must not hold e-mail addresses.
    const name = hash('sha256', email.toLowerCase(), 'base64url').slice(0, 22);
    const tries = `sign-in-pace:${name}`;
    // Counted before the check, so that concurrent attempts see each other.
    const { hits } = await this.counter.count(tries, accountPolicy.paceWindowMs);
    const wait = goesAhead ? 0 : this.waitBefore(hits);
    let counts = false;
    try {
      const found = await (wait === 0 ? look() : this.inTurn(name, wait, look));
      if (found !== undefined) return { account: found };
      counts = true;
    } finally {
      // The attempt does not count if the password was right, or was not checked.
      if (!counts) await this.counter.forgive(tries);
    }
    const wrong = await this.counter.count(`wrong-passwords:${name}`, accountPolicy.paceWindowMs);
    return { wrong: wrong.hits };
  }

  private waitBefore(tries: number): number {
    const beyond = tries - accountPolicy.unpacedTries * this.settings.rateLimitScale;
    if (beyond <= 0) return 0;
    return Math.min(accountPolicy.firstPaceMs * 2 ** (beyond - 1), accountPolicy.slowestPaceMs);
  }

  /** Runs one attempt at a time per account. Waiting clients take turns, and use no connection or thread. */
  private async inTurn<Found>(name: string, wait: number, look: () => Promise<Found>): Promise<Found> {
    const paced = this.lanes.get(name) ?? {
      lane: new Lane({ work: WORK, atOnce: 1, waiting: accountPolicy.waitingTries }),
      users: 0,
    };
    this.lanes.set(name, paced);
    paced.users += 1;
    try {
      return await paced.lane.run(async () => {
        await this.pause.for(wait);
        return look();
      });
    } finally {
      paced.users -= 1;
      if (paced.users === 0) this.lanes.delete(name);
    }
  }
}
