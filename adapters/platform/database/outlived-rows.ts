/** Raw SQL: one statement for several tables, and rows by where they lie. */
import { Injectable } from '@nestjs/common';
import { WallClock } from '../../../application/shared/clock.js';
import { Database } from './database.js';

const DAY_MS = 86_400_000;
/** So that nobody waits long for the locks of one statement. */
const BATCH_ROWS = 5_000;

/** What is kept beside the log for a while only: by which time, and for how many days. Each has an index on it. */
export const OUTLIVED = [
  // Answers to purchases: a key that is sent again later counts as a new one.
  { table: 'purchase_request', time: 'created_at', days: 90 },
  // That a mail about a fact was sent: nobody is told of such a fact so late.
  { table: 'receipt', time: 'begun_at', days: 365 },
  // Mails that were shown instead of sent.
  { table: 'mailbox', time: 'sent_at', days: 90 },
  // How far uploads had come.
  { table: 'upload_progress', time: 'changed_at', days: 1 },
  // Unfinished uploads; the sweep of stored objects removes what the bucket has of them.
  { table: 'direct_upload', time: 'begun_at', days: 7 },
  // What became of uploads: who asks again later begins anew.
  { table: 'sample_encoding', time: 'ordered_at', days: 7 },
] as const;

@Injectable()
export class OutlivedRows {
  constructor(
    private readonly database: Database,
    private readonly clock: WallClock,
  ) {}

  /** Removes what is past its time. @returns how many rows */
  async sweep(batchRows = BATCH_ROWS): Promise<number> {
    const now = this.clock.now().getTime();
    let removed = 0;
    for (const { table, time, days } of OUTLIVED) {
      const before = new Date(now - days * DAY_MS);
      for (let rows = batchRows; rows === batchRows; removed += rows) {
        const gone = await this.database.pool.query(
          `delete from ${table} where ctid = any(array(
             select ctid from ${table} where ${time} < $1 order by ${time} limit $2))`,
          [before, batchRows],
        );
        rows = gone.rowCount ?? 0;
      }
    }
    return removed;
  }
}
