/** Raw SQL: the log and the journal at a position. */
import { Injectable } from '@nestjs/common';
import type { EarlierEvent, EarlierEvents } from '../../../application/ledger/earlier-events.js';
import { creatorAccount } from '../../../domain/ledger/accounts.js';
import { Database } from '../../platform/database/database.js';

const STREAMS_AT_ONCE = 100;

@Injectable()
export class PostgresEarlierEvents implements EarlierEvents {
  constructor(private readonly database: Database) {}

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
