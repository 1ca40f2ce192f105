import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { AttemptCounter, secondsUntil } from './attempt-counter.js';
import { WallClock } from '../shared/clock.js';
import { AccountSettings } from './account-settings.js';

/** Limits the mails that strangers can cause, per recipient address and per account that changes its address. */
@Injectable()
export class MailLimits {
  constructor(
    private readonly counter: AttemptCounter,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
  ) {}

  /** Counts a mail of this kind. @returns false if the address has reached the limit */
  async mayReceive(email: string, kind: string): Promise<boolean> {
    // Hashed, because the table must not hold e-mail addresses.
    const recipient = createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, 22);
    return (await this.count(`mail:${kind}:${recipient}`)).within;
  }

  /** Counts an address change of this account. @returns seconds to wait if the limit is reached */
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
