/** Raw SQL: sums journal lines with `gains`, the SQL query of the margin report. */
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { Clock } from '../../../application/shared/clock.js';
import { Database } from '../../platform/database/database.js';
import { journal } from '../journal.js';
import { MONTH } from '../month-terms.js';
import { gains, MARGIN_ACCOUNTS } from './margin.js';

/** Entries younger than this are not summed up yet: the invoice behind a fee, and so the plan, may still be unknown. */
const SETTLED_AFTER_MS = 7 * 86_400_000;
/** The number of events per transaction. */
const SLICE = 100_000;

/** Stores the monthly margin of each plan, so that a report computes only the newest entries. */
@Injectable()
export class MarginMonths {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Sums up entries older than a week. If the sums contradict the journal, deletes them and starts again. */
  async settle(slice = SLICE): Promise<void> {
    while (await this.database.longTransaction((client) => this.step(client, slice)));
  }

  /** @returns whether entries older than a week are left */
  private async step(client: PoolClient, slice: number): Promise<boolean> {
    const { rows } = await client.query('select upto from margin_progress for update');
    let { upto } = rows[0] as { upto: number };
    if (!(await this.hold(client, upto))) {
      await client.query('delete from margin_month');
      upto = 0;
    }
    const end = await this.lastBefore(client, new Date(this.clock.now().getTime() - SETTLED_AFTER_MS));
    const next = Math.max(upto, Math.min(end, upto + slice));
    await client.query(
      `insert into margin_month (month, plan, account, gain) ${gains('$4', '$5')}
       on conflict (month, plan, account) do update set gain = margin_month.gain + excluded.gain`,
      [MARGIN_ACCOUNTS, new Date(0), new Date('2100-01-01'), upto, next],
    );
    await client.query('update margin_progress set upto = $1', [next]);
    return next < end;
  }

  /** Returns whether the sums still match the journal, which may have been rebuilt. */
  private async hold(client: PoolClient, upto: number): Promise<boolean> {
    const { rowCount } = await client.query(
      `select from (select month, account, -sum(gain) as sum from margin_month group by 1, 2) kept
         full join (select to_char(month, 'YYYY-MM') as month, account, sum
                      from (select ${MONTH} as month, account, sum(delta) as sum from journal_line
                             where account = any($1::text[]) and commodity = 'usd' and position <= $2 group by 1, 2) lines) posted
        using (month, account)
        where coalesce(kept.sum, 0) <> coalesce(posted.sum, 0) limit 1`,
      [MARGIN_ACCOUNTS, upto],
    );
    return rowCount === 0;
  }

  /** Returns the position of the last event before a time. Binary search: positions have no gaps and grow with time. */
  private async lastBefore(client: PoolClient, moment: Date): Promise<number> {
    const { rows } = await client.query('select position from checkpoint where name = $1', [journal.name]);
    let [first, last] = [0, (rows[0] as { position: number } | undefined)?.position ?? 0];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      const found = await client.query('select recorded_at < $2 as before from event where position = $1', [
        middle,
        moment,
      ]);
      if ((found.rows[0] as { before: boolean } | undefined)?.before) first = middle;
      else last = middle - 1;
    }
    return first;
  }
}
