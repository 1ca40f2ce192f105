import type { EventPage, EventsQuery } from '../../application/ledger/contract.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { auditedEvent } from './postgres-books.js';

export class EventQueries extends DatabaseAdapter {
  async list({ stream, type, from, order, limit, cursor }: EventsQuery): Promise<EventPage> {
    const oldest = order === 'oldest';
    const [seen] = decodeCursor(cursor, ['integer']) ?? [];
    const rows = await this.database.db
      .selectFrom('event')
      .select(['position', 'stream', 'version', 'type', 'data', 'metadata', 'recorded_at'])
      .select(({ fn, val }) => fn<string>('encode', ['hash', val('hex')]).as('hash'))
      .where(({ and, eb }) =>
        and([
          ...(seen === undefined ? [] : [eb('position', oldest ? '>' : '<', seen)]),
          ...(typeof from === 'number' ? [eb('position', '>=', from)] : []),
          ...(from instanceof Date ? [eb('recorded_at', '>=', from)] : []),
          ...(type === undefined ? [] : [eb('type', '=', type)]),
          // All streams of a category, such as `credits-`, are one index range: '.' follows '-' in byte order.
          ...(stream?.endsWith('-')
            ? [eb('stream', '>=', stream), eb('stream', '<', `${stream.slice(0, -1)}.`)]
            : []),
          ...(stream === undefined || stream.endsWith('-') ? [] : [eb('stream', '=', stream)]),
        ]),
      )
      .orderBy('position', oldest ? 'asc' : 'desc')
      .limit(limit + 1)
      .execute();
    const { shown, nextCursor } = pageOf(rows, limit, ({ position }) => [position]);
    return { items: shown.map(auditedEvent), nextCursor };
  }
}
