import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { WallClock, Pause } from '../shared/clock.js';
import { AccountSettings } from './account-settings.js';
import { Lane } from '../shared/lanes.js';

/** Counts attempts by key in fixed windows of time. All nodes share the counters and use the database's clock. */
export abstract class AttemptCounter {
  /** Does not count an attempt beyond `atMost`, but returns `atMost + 1` hits for it. */
  abstract count(key: string, windowMs: number, atMost?: number): Promise<{ hits: number; resetsAt: Date }>;
  /** Subtracts an attempt that should not count, such as a successful one. */
  abstract forgive(key: string): Promise<void>;
  abstract reset(key: string): Promise<void>;
}

export const secondsUntil = (resetsAt: Date, now: Date): number =>
  Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1_000));

/** Returns a hash of the e-mail address, because the counters must contain no personal data. */
const keyOf = (email: string): string => hash('sha256', email.toLowerCase(), 'base64url').slice(0, 22);

/** Limits the mails that strangers can cause to an address, and the address changes of an account. */
@Injectable()
export class MailLimits {
  constructor(
    private readonly counter: AttemptCounter,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
  ) {}

  /** Counts a mail of this kind to this address. @returns false if the limit is reached */
  async mayReceive(email: string, kind: string): Promise<boolean> {
    return (await this.count(`mail:${kind}:${keyOf(email)}`)).within;
  }

  /** Counts an address change of this account. @returns the seconds to wait if the limit is reached */
  async waitBeforeChange(userId: string): Promise<number | undefined> {
    const { within, resetsAt } = await this.count(`email-change:${userId}`);
    if (within) return undefined;
    return secondsUntil(resetsAt, this.clock.now());
  }

  private async count(key: string): Promise<{ within: boolean; resetsAt: Date }> {
    const { hits, resetsAt } = await this.counter.count(key, accountPolicy.mailWindowMs);
    return { within: hits <= accountPolicy.mailsPerWindow * this.settings.rateLimitScale, resetsAt };
  }
}

const WORK = 'this account';

/**
 * Delays sign-ins after wrong passwords for an address, even if the address has no
 * account. Never locks an owner out.
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
   * @param goesAhead skips the delay @returns the account, or the number of wrong passwords in the current
   * window @throws TooBusy
   */
  async run<Account>(
    email: string,
    goesAhead: boolean,
    look: () => Promise<Account | undefined>,
  ): Promise<{ account: Account } | { wrong: number }> {
    const name = keyOf(email);
    const tries = `sign-in-pace:${name}`;
    // Counts the attempt before the password is checked, so that the delay of each attempt also counts concurrent
    // attempts.
    const { hits } = await this.counter.count(tries, accountPolicy.paceWindowMs);
    const wait = goesAhead ? 0 : this.waitBefore(hits);
    let counts = false;
    try {
      const found = await (wait === 0 ? look() : this.inTurn(name, wait, look));
      if (found !== undefined) return { account: found };
      counts = true;
    } finally {
      // An attempt with the right password, or whose password was not checked, does not count.
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

  /** Runs one attempt of an account at a time. Waiting attempts use no connection and no thread. */
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
