import { Injectable } from '@nestjs/common';
import type { ScheduleChoice } from '../../application/payouts/contract.js';
import { PayoutScheduleStore } from '../../application/payouts/payout-schedules.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresPayoutSchedules extends PayoutScheduleStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(creatorId: string): Promise<ScheduleChoice> {
    const { rows } = await this.database.pool.query<{ schedule: ScheduleChoice }>(
      `select schedule from payout_schedule where creator_id = $1`,
      [creatorId],
    );
    return rows[0]?.schedule ?? 'on_demand';
  }

  override async choose(creatorId: string, schedule: ScheduleChoice, month: string): Promise<void> {
    await this.database.pool.query(
      `insert into payout_schedule (creator_id, schedule, done_month) values ($1, $2, $3)
       on conflict (creator_id) do update
          set schedule = excluded.schedule, done_month = greatest(payout_schedule.done_month, excluded.done_month)`,
      [creatorId, schedule, month],
    );
  }

  override async due(month: string, limit: number): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ creatorId: string }>(
      `select s.creator_id as "creatorId" from payout_schedule s
         join creator_standing c on c.user_id = s.creator_id and c.status = 'approved'
        where s.schedule = 'monthly' and s.done_month < $1 order by s.creator_id limit $2`,
      [month, limit],
    );
    return rows.map(({ creatorId }) => creatorId);
  }

  override async markDone(creatorId: string, month: string): Promise<void> {
    await this.database.pool.query(
      `update payout_schedule set done_month = $2 where creator_id = $1 and done_month < $2`,
      [creatorId, month],
    );
  }
}
