import { Injectable } from '@nestjs/common';
import type { EventPage, EventsQuery } from '../../application/ledger/contract.js';
import { EventQueries } from '../../application/ledger/queries.js';
import { decodeCursor, encodeCursor } from '../platform/database/cursor.js';
import { Database } from '../platform/database/database.js';
import { COLUMNS } from '../platform/event-log/postgres-event-store.js';
import { auditedEvent } from './books.js';

@Injectable()
export class PostgresEventQueries extends EventQueries {
  constructor(private readonly database: Database) {
    super();
  }

  override async list({ stream, type, from, order, limit, cursor }: EventsQuery): Promise<EventPage> {
    const oldest = order === 'oldest';
    const conditions: string[] = [];
    const values: unknown[] = [limit + 1];
    const [seen] = (decodeCursor(cursor, ['integer']) ?? []) as [number?];
    if (seen !== undefined) conditions.push(`position ${oldest ? '>' : '<'} $${values.push(seen)}`);
    if (typeof from === 'number') conditions.push(`position >= $${values.push(from)}`);
    if (from instanceof Date) conditions.push(`recorded_at >= $${values.push(from)}`);
    if (type !== undefined) conditions.push(`type = $${values.push(type)}`);
    if (stream?.endsWith('-')) {
      // A category is a range of the index by stream: everything that starts with it.
      conditions.push(
        `stream >= $${values.push(stream)} and stream < $${values.push(`${stream.slice(0, -1)}.`)}`,
      );
    } else if (stream !== undefined) conditions.push(`stream = $${values.push(stream)}`);
    const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
    const { rows } = await this.database.pool.query(
      `select ${COLUMNS} from event ${where} order by position ${oldest ? 'asc' : 'desc'} limit $1`,
      values,
    );
    const items = rows.slice(0, limit).map(auditedEvent);
    return { items, nextCursor: rows.length > limit ? encodeCursor([items.at(-1)?.position]) : null };
  }
}
