import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../shared/clock.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { RequestWithdrawal } from './request-withdrawal.js';
import type { PayoutSchedule, ScheduleChoice } from './contract.js';

const CREATORS_A_RUN = 500;

export abstract class PayoutScheduleStore {
  abstract find(creatorId: string): Promise<ScheduleChoice>;
  /** @param month the present one, such as `2026-11`; counts as done, so that the first payout is in the next month */
  abstract choose(creatorId: string, schedule: ScheduleChoice, month: string): Promise<void>;
  /** Lists approved creators with monthly payouts whose payout of `month` is not marked as done. */
  abstract due(month: string, limit: number): Promise<string[]>;
  abstract markDone(creatorId: string, month: string): Promise<void>;
}

/** Withdraws on the first of each month (UTC) for creators who chose monthly payouts. */
@Injectable()
export class PayoutSchedules {
  constructor(
    private readonly store: PayoutScheduleStore,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async of(creatorId: string): Promise<PayoutSchedule> {
    const schedule = await this.store.find(creatorId);
    return { schedule, nextAt: schedule === 'monthly' ? nextFirst(this.clock.now()) : null };
  }

  /** Monthly payouts begin on the first of the next month, never at once. */
  async choose(creatorId: string, schedule: ScheduleChoice): Promise<PayoutSchedule> {
    if ((await this.store.find(creatorId)) !== schedule)
      await this.store.choose(creatorId, schedule, monthOf(this.clock.now()));
    return this.of(creatorId);
  }

  /**
   * The month is the key of the withdrawal, so repeated runs withdraw once. A later run of the month catches up.
   * @throws the last failure, after every creator had a turn
   */
  async run(): Promise<void> {
    const month = monthOf(this.clock.now());
    await forEachCollectingErrors(await this.store.due(month, CREATORS_A_RUN), async (creatorId) => {
      const outcome = await this.commands.execute(
        new RequestWithdrawal({ creatorId, key: `monthly-${month}`, actor: 'system:payout-schedule' }),
      );
      // Retries only while another withdrawal is in transit. With too little money, the creator waits a month.
      if (outcome.accepted || outcome.rejection.code !== 'WithdrawalInFlight')
        await this.store.markDone(creatorId, month);
    });
  }
}

const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

const nextFirst = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
