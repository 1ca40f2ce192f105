import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { WallClock } from '../../../application/shared/clock.js';
import { Remarks } from '../../../application/shared/remarks.js';
import type { Remark } from '../../../domain/shared/remark.js';
import { Database } from './database.js';

const DAY_MS = 86_400_000;
/** Recording the event takes moments. */
const UNNAMED_FOR_MS = DAY_MS;
/** Older ones were looked at before. */
const LOOKED_AT_FOR_MS = 30 * DAY_MS;

@Injectable()
export class PostgresRemarks implements Remarks {
  constructor(
    private readonly database: Database,
    private readonly clock: WallClock,
  ) {}

  async keep(text: string, { stream, about }: { stream: string; about: readonly string[] }): Promise<Remark> {
    const [remarkId, salt] = [randomUUID(), randomBytes(16)];
    await this.database.db
      .insertInto('remark')
      .values({ remark_id: remarkId, salt, text, about: [...about], stream, said_at: this.clock.now() })
      .execute();
    return { remarkId, remarkSha256: createHash('sha256').update(salt).update(text).digest('hex') };
  }

  async read(remarkIds: readonly string[]): Promise<Map<string, string>> {
    if (remarkIds.length === 0) return new Map();
    const rows = await this.database.db
      .selectFrom('remark')
      .select(['remark_id', 'text'])
      .where(({ eb, fn, val }) => eb('remark_id', '=', fn.any(val(remarkIds))))
      .execute();
    return new Map(rows.flatMap(({ remark_id: id, text }) => (text === null ? [] : [[id, text]])));
  }

  async sweep(): Promise<number> {
    const now = this.clock.now().getTime();
    // Raw SQL: it reads the JSON of events, of one stream each.
    const { rowCount } = await this.database.pool.query(
      `delete from remark r where said_at between $1 and $2
          and not exists (select 1 from readable_event e where e.stream = r.stream and e.data->>'remarkId' = r.remark_id)`,
      [new Date(now - LOOKED_AT_FOR_MS), new Date(now - UNNAMED_FOR_MS)],
    );
    return rowCount ?? 0;
  }
}
