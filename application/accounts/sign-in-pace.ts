import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { Pause } from '../shared/clock.js';
import { Lane } from '../shared/lanes/lane.js';
import { AccountSettings } from './account-settings.js';
import { AttemptCounter } from './attempt-counter.js';

const WORK = 'this account';

/**
 * Wrong passwords for one account, from however many addresses, slow the next ones down, and never lock anybody out.
 * The pace is that of an e-mail address, whether or not it has an account: nothing can be told from it.
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
   * Looks at a password when its turn has come.
   * @param goesAhead the browser is known: whatever strangers do does not slow it down
   * @param look finds the account that the password opens
   * @returns that account, or how many passwords were wrong in the present day, this one included
   * @throws TooBusy when others wait already
   */
  async run<Account>(
    email: string,
    goesAhead: boolean,
    look: () => Promise<Account | undefined>,
  ): Promise<{ account: Account } | { wrong: number }> {
    // Hashed, because the table must not hold e-mail addresses.
    const name = hash('sha256', email.toLowerCase(), 'base64url').slice(0, 22);
    const tries = `sign-in-pace:${name}`;
    // Counted before it is looked at, so that those that come together see each other.
    const { hits } = await this.counter.count(tries, accountPolicy.paceWindowMs);
    const wait = goesAhead ? 0 : this.waitBefore(hits);
    let counts = false;
    try {
      const found = await (wait === 0 ? look() : this.inTurn(name, wait, look));
      if (found !== undefined) return { account: found };
      counts = true;
    } finally {
      // Right ones, and those that were sent away.
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

  /** One at a time of an account, addresses in turn; who waits holds neither a connection nor a thread. */
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
