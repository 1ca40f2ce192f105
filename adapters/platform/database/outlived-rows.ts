/** Raw SQL: one statement serves several tables, and rows are selected by `ctid`. */
import { Injectable } from '@nestjs/common';
import { WallClock } from '../../../application/shared/clock.js';
import { Database } from './database.js';

const DAY_MS = 86_400_000;
/** One statement deletes this many rows. More rows would make other queries wait longer for its locks. */
const BATCH_ROWS = 5_000;

/** Tables outside the log whose rows are deleted after some days. Each time column has an index. */
export const OUTLIVED = [
  // Answers to purchases. An idempotency key that is sent again after this time counts as new.
  { table: 'purchase_request', time: 'created_at', days: 90 },
  // A row prevents a second mail about the same event. No event causes a mail after this many days, so older rows can
  // be deleted.
  { table: 'receipt', time: 'begun_at', days: 365 },
  // Notices in the inbox.
  { table: 'notice', time: 'at', days: 365 },
  // Mails that the node keeps for its mailbox page instead of sending them.
  { table: 'mailbox', time: 'sent_at', days: 90 },
  // Progress of uploads.
  { table: 'upload_progress', time: 'changed_at', days: 1 },
  // Unfinished uploads. The sweep of stored objects removes their parts from the bucket.
  { table: 'direct_upload', time: 'begun_at', days: 7 },
  // Outcomes of encoding uploads. A request that repeats the upload after this time must send the file again.
  { table: 'sample_encoding', time: 'ordered_at', days: 7 },
  // Counts of views, plays and saves, and searches that found samples.
  { table: 'sample_reach', time: 'day', days: 62 },
  { table: 'creator_find', time: 'day', days: 62 },
  // Tax details of deleted accounts. DAC7 asks for five years after the last reported year, and sales can add to the
  // claim of a deleted account for three years.
  { table: 'tax_detail', time: 'closed_at', days: 9 * 365 + 3 },
] as const;

@Injectable()
export class OutlivedRows {
  constructor(
    private readonly database: Database,
    private readonly clock: WallClock,
  ) {}

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
