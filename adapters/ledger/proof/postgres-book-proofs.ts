import type { NotNull } from 'kysely';
import type { BookProof, BookProofs } from '../../../application/ledger/book-proofs.js';
import type { BookCheck } from '../../../application/ledger/contract.js';
import type { EarlierEvent, EarlierEvents } from '../../../application/ledger/earlier-events.js';
import { BookChecks } from '../../../application/ledger/nightly-check.js';
import { withIsoTimes } from '../../../application/shared/iso-times.js';
import { creatorAccount } from '../../../domain/ledger/accounts.js';
import { DatabaseAdapter } from '../../platform/database/database.js';

export class PostgresBookChecks extends DatabaseAdapter implements BookChecks {
  async claim(night: string, now: Date, abandonedBefore: Date): Promise<boolean> {
    const claimed = await this.database.db
      .insertInto('book_check')
      .values({ night, started_at: now })
      .onConflict((conflict) =>
        conflict
          .column('night')
          .doUpdateSet({ started_at: now })
          .where('book_check.checked_at', 'is', null)
          .where('book_check.started_at', '<', abandonedBefore),
      )
      .returning('night')
      .executeTakeFirst();
    return claimed !== undefined;
  }

  async keep({ night, checkedAt, position, broken }: BookCheck): Promise<void> {
    await this.database.db
      .updateTable('book_check')
      .set({ checked_at: checkedAt, position, broken: JSON.stringify(broken) })
      .where('night', '=', night)
      .execute();
  }

  async release(night: string): Promise<void> {
    await this.database.db
      .deleteFrom('book_check')
      .where('night', '=', night)
      .where('checked_at', 'is', null)
      .execute();
  }

  async list(limit: number): Promise<BookCheck[]> {
    const rows = await this.database.db
      .selectFrom('book_check')
      .select(['night', 'checked_at as checkedAt', 'position', 'broken'])
      .where('checked_at', 'is not', null)
      .$narrowType<{ checkedAt: NotNull; position: NotNull; broken: NotNull }>()
      .orderBy('night', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...withIsoTimes(row), holds: row.broken.length === 0 }));
  }
}

export class PostgresBookProofs extends DatabaseAdapter implements BookProofs {
  async list(): Promise<Map<string, BookProof>> {
    const rows = await this.database.db
      .selectFrom('book_proof')
      .select(['part', 'position', 'hash', 'began_at as beganAt', 'finished_at as finishedAt', 'faults'])
      .execute();
    return new Map(rows.map((row) => [row.part, row]));
  }

  async keep({ part, position, hash, beganAt, finishedAt, faults }: BookProof): Promise<void> {
    const proof = {
      position,
      hash,
      began_at: beganAt,
      finished_at: finishedAt,
      faults: JSON.stringify(faults),
    };
    await this.database.db
      .insertInto('book_proof')
      .values({ part, ...proof })
      .onConflict((conflict) => conflict.column('part').doUpdateSet(proof))
      .execute();
  }
}

const STREAMS_AT_ONCE = 100;

/** Raw SQL: reads the JSON of the log, and sums over the journal, up to a position. */
export class PostgresEarlierEvents extends DatabaseAdapter implements EarlierEvents {
  async *ofStreams(streams: readonly string[], until: number): AsyncGenerator<EarlierEvent[]> {
    for (let at = 0; at < streams.length; at += STREAMS_AT_ONCE) {
      const found = await this.database.long.query({
        name: 'earlier-events',
        text: `select position, stream, type, data from event where stream = any($1) and position <= $2 order by position`,
        values: [streams.slice(at, at + STREAMS_AT_ONCE), until],
      });
      yield found.rows as EarlierEvent[];
    }
  }

  async earnedBy(creatorIds: readonly string[], until: number): Promise<Map<string, number>> {
    if (creatorIds.length === 0) return new Map();
    const found = await this.database.long.query({
      name: 'earned-earlier',
      text: `select account, -sum(delta)::bigint as earned from journal_line
              where account = any($1) and position <= $2 group by account`,
      values: [creatorIds.map(creatorAccount), until],
    });
    const rows = found.rows as { account: string; earned: number }[];
    const earned = new Map(rows.map((row) => [row.account, row.earned]));
    return new Map(creatorIds.map((creatorId) => [creatorId, earned.get(creatorAccount(creatorId)) ?? 0]));
  }
}
