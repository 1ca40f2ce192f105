import { Injectable } from '@nestjs/common';
import { Clock } from '../shared/clock.js';
import { EventStore } from '../shared/event-store.js';
import type { BookCheck } from './contract.js';
import { Reconcile } from './reconcile.js';
import { RuleMails } from './rule-mails.js';

/** The nightly check is due at this hour (UTC), when few people buy. */
const HOUR = 3;
const DAY_MS = 86_400_000;
/** A check that takes longer than this counts as crashed, and another worker repeats the check. */
const PATIENCE_MS = 3_600_000;

export abstract class BookChecks {
  /** Claims the check of a night. Returns false if it is done, or if a worker claimed it after `abandonedBefore`. */
  abstract claim(night: string, now: Date, abandonedBefore: Date): Promise<boolean>;
  abstract keep(check: BookCheck): Promise<void>;
  abstract release(night: string): Promise<void>;
  /** Lists the results of checks, newest night first. */
  abstract list(limit: number): Promise<BookCheck[]>;
}

@Injectable()
export class NightlyCheck {
  constructor(
    private readonly reconcile: Reconcile,
    private readonly checks: BookChecks,
    private readonly log: EventStore,
    private readonly clock: Clock,
    private readonly news: RuleMails,
  ) {}

  /**
   * Runs tonight's check once for all workers. @returns undefined if the log is empty, or if the check is in
   * progress or done
   */
  async run(signal?: AbortSignal): Promise<BookCheck | undefined> {
    const check = await this.check(signal);
    // Every run requests the mails about the newest check, because a worker may have crashed before sending them.
    // Each mail is sent once.
    await this.news.tell(await this.checks.list(2));
    return check;
  }

  private async check(signal?: AbortSignal): Promise<BookCheck | undefined> {
    const now = this.clock.now();
    const night = nightOf(now).toISOString().slice(0, 10);
    if ((await this.log.head()).position === 0) return undefined;
    if (!(await this.checks.claim(night, now, new Date(now.getTime() - PATIENCE_MS)))) return undefined;
    try {
      const { checkedAt, invariants, chain } = await this.reconcile.run({ scope: 'new', signal });
      const broken = invariants
        .filter(({ holds }) => !holds)
        .map(({ number, name, detail = '' }) => ({ number, name, detail }));
      const check = { night, checkedAt, position: chain.position, holds: broken.length === 0, broken };
      await this.checks.keep(check);
      return check;
    } catch (error) {
      await this.checks.release(night);
      throw error;
    }
  }
}

/** Returns when the nightly work was last due: 03:00 UTC today or yesterday. */
export const nightOf = (now: Date): Date => {
  const sinceMs = now.getTime() - HOUR * 3_600_000;
  return new Date(sinceMs - (sinceMs % DAY_MS) + HOUR * 3_600_000);
};
