import { AlertQueries } from '../../application/ledger/queries.js';
import type {
  AlertCause,
  AlertList,
  AlertsQuery,
  SeenCause,
} from '../../application/ledger/alert-contract.js';
import type { AlertEvent } from '../../domain/alerts/alert.js';
import { byType } from '../../domain/shared/by-type.js';
import { type Dated, withIsoTimes } from '../../application/shared/iso-times.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter, prepared, type Queries } from '../platform/database/database.js';
import { oneByOne } from '../platform/projections/one-by-one.js';
import type { InlineProjection, Projected } from '../platform/projections/projection.js';

/** The events that change a row. `AlertRetried` changes none, because the alert stays open. */
type Shown = Exclude<AlertEvent, { type: 'AlertRetried' }>;

const rows = byType<Projected<Shown>, [db: Queries], Promise<unknown>>({
  AlertRaised({ data: { key, kind, text, item = '', at: raised_at }, position }, db) {
    return (
      db
        .insertInto('alert')
        .values({ key, kind, text, item, position, raised_at })
        // A failed retry raises the alert again, so its row already exists.
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ text, position, raised_at, seen_at: null }),
        )
        .execute()
    );
  },
  AlertSeen: ({ data, position }, db) =>
    db
      .updateTable('alert')
      .set({ seen_at: data.at })
      .where('key', '=', data.key)
      .where('position', '<', position)
      .execute(),
  AlertSettled: ({ data, position }, db) =>
    db.deleteFrom('alert').where('key', '=', data.key).where('position', '<', position).execute(),
});

export const alerts: InlineProjection<Shown> = {
  name: 'alerts',
  version: 1,
  lifecycle: 'inline', // A person who has seen an alert should not find it again.
  types: rows.types,
  tables: ['alert'],
  ...oneByOne(rows.of),
};

/** Raw SQL: amounts are in the JSON of the events. */
const AMOUNT = `(e.data->>'amountMicroUsd')::bigint`;
const MONTH = `to_char(a.raised_at at time zone 'UTC', 'YYYY-MM')`;
const UNSEEN = `from alert a join event e on e.position = a.position where a.seen_at is null`;

export class PostgresAlerts extends DatabaseAdapter implements AlertQueries {
  async lasting(kind: string): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('alert')
      .select('key')
      .where('kind', '=', kind)
      .orderBy('position')
      .execute();
    return rows.map(({ key }) => key);
  }

  async list({ kind, month, limit = 100, cursor }: Partial<AlertsQuery> = {}): Promise<AlertList> {
    const [after] = decodeCursor(cursor, ['integer']) ?? [null];
    const { rows: items } = await this.database.pool.query(
      prepared(
        'alerts',
        `select a.key, a.kind, a.text, a.item, ${AMOUNT} as "amountMicroUsd", a.raised_at as "raisedAt", a.position
           ${UNSEEN} and ($1::text is null or a.kind = $1) and ($2::text is null or ${MONTH} = $2)
             and ($3::bigint is null or a.position > $3)
          order by a.position limit $4`,
        [kind ?? null, month ?? null, after, limit + 1],
      ),
    );
    const { rows: causes } = await this.database.pool.query<AlertCause>(
      prepared(
        'causes-of-alerts',
        `select a.kind, ${MONTH} as month, count(*)::int as count,
                case when count(${AMOUNT}) = count(*) then sum(${AMOUNT})::bigint end as "amountMicroUsd",
                (array_agg(a.text order by a.position))[1] as text, (array_agg(a.item order by a.position))[1] as item,
                min(a.position) as position, max(a.position) as "lastPosition"
           ${UNSEEN} group by 1, 2 order by min(a.position)`,
      ),
    );
    const found = items as Dated<AlertList['items'][number]>[];
    const { shown, nextCursor } = pageOf(found, limit, ({ position }) => [position]);
    return { items: shown.map(withIsoTimes), nextCursor, causes };
  }

  async unseen({ kind, month, lastPosition }: SeenCause): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ key: string }>(
      prepared(
        'alerts-of-a-cause',
        `select a.key ${UNSEEN} and a.kind = $1 and ${MONTH} = $2 and a.position <= $3 order by a.position`,
        [kind, month, lastPosition],
      ),
    );
    return rows.map(({ key }) => key);
  }
}
