import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { WallClock } from '../../../application/shared/clock.js';
import { Remarks } from '../../../application/shared/remarks.js';
import type { Remark } from '../../../domain/shared/remark.js';
import { Database } from './database.js';

const DAY_MS = 86_400_000;
/** Recording the event takes moments, so a remark without an event after this time is abandoned. */
const UNNAMED_FOR_MS = DAY_MS;

@Injectable()
export class PostgresRemarks implements Remarks {
  constructor(
    private readonly database: Database,
    private readonly clock: WallClock,
  ) {}

  async keep(
    text: string,
    { stream, about }: { stream?: string; about: readonly string[] },
  ): Promise<Remark> {
    const [remarkId, salt] = [randomUUID(), randomBytes(16)];
    await this.database.db
      .insertInto('remark')
      .values({
        remark_id: remarkId,
        salt,
        text,
        about: [...about],
        said_at: this.clock.now(),
        stream: stream ?? '',
        named: stream === undefined,
      })
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
    const before = new Date(this.clock.now().getTime() - UNNAMED_FOR_MS);
    const { db, pool } = this.database;
    // Raw SQL: it searches the text of events, in one stream per remark. Ids of remarks are random, so no other
    // data contains them.
    await pool.query(
      `update remark set named = true where not named and said_at < $1
          and exists (select 1 from event e where e.stream = remark.stream and strpos(e.data::text, remark_id) > 0)`,
      [before],
    );
    const gone = await db
      .deleteFrom('remark')
      .where('named', '=', false)
      .where('said_at', '<', before)
      .executeTakeFirst();
    return Number(gone.numDeletedRows);
  }
}
