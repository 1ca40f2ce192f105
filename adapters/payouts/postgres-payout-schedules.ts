import { Injectable } from '@nestjs/common';
import type { ScheduleChoice } from '../../application/payouts/contract.js';
import { PayoutScheduleStore } from '../../application/payouts/payout-schedules.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresPayoutSchedules implements PayoutScheduleStore {
  constructor(private readonly database: Database) {}

  async find(creatorId: string): Promise<ScheduleChoice> {
    const found = await this.database.db
      .selectFrom('payout_schedule')
      .select('schedule')
      .where('creator_id', '=', creatorId)
      .executeTakeFirst();
    return found?.schedule ?? 'on_demand';
  }

  async choose(creatorId: string, schedule: ScheduleChoice, month: string): Promise<void> {
    await this.database.db
      .insertInto('payout_schedule')
      .values({ creator_id: creatorId, schedule, done_month: month })
      .onConflict((conflict) =>
        conflict.column('creator_id').doUpdateSet(({ fn }) => ({
          schedule,
          done_month: fn<string>('greatest', ['payout_schedule.done_month', 'excluded.done_month']),
        })),
      )
      .execute();
  }

  async due(month: string, limit: number): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('payout_schedule as s')
      .innerJoin('creator_standing as c', 'c.user_id', 's.creator_id')
      .select('s.creator_id')
      .where('c.status', '=', 'approved')
      .where('s.schedule', '=', 'monthly')
      .where('s.done_month', '<', month)
      .orderBy('s.creator_id')
      .limit(limit)
      .execute();
    return rows.map((row) => row.creator_id);
  }

  async markDone(creatorId: string, month: string): Promise<void> {
    await this.database.db
      .updateTable('payout_schedule')
      .set({ done_month: month })
      .where('creator_id', '=', creatorId)
      .where('done_month', '<', month)
      .execute();
  }
}
