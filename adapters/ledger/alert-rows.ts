import { Injectable } from '@nestjs/common';
import { AlertQueries } from '../../application/ledger/queries.js';
import type { AlertList } from '../../application/ledger/alert-contract.js';
import type { AlertEvent } from '../../domain/ledger/alert.js';
import { Database, queries } from '../platform/database/database.js';
import type { InlineProjection } from '../platform/projections/projection.js';

/** Alerts that last, a row each. */
export const alerts: InlineProjection<AlertEvent> = {
  name: 'alerts',
  version: 1,
  lifecycle: 'inline', // Who has seen one should not find it again.
  types: ['AlertRaised', 'AlertSeen', 'AlertSettled'], // While it is tried again, it lasts.
  tables: ['alert'],
  async apply(client, events) {
    const db = queries(client);
    for (const { type, data, position } of events) {
      if (type === 'AlertRaised') {
        const { key, kind, text, item = '', at: raised_at } = data;
        await db
          .insertInto('alert')
          .values({ key, kind, text, item, position, raised_at })
          .onConflict((conflict) =>
            // It was tried again in vain.
            conflict.column('key').doUpdateSet({ text, position, raised_at, seen_at: null }),
          )
          .execute();
      } else if (type === 'AlertSeen')
        await db
          .updateTable('alert')
          .set({ seen_at: data.at })
          .where('key', '=', data.key)
          .where('position', '<', position)
          .execute();
      else
        await db.deleteFrom('alert').where('key', '=', data.key).where('position', '<', position).execute();
    }
  },
};

@Injectable()
export class PostgresAlerts implements AlertQueries {
  constructor(private readonly database: Database) {}

  async lasting(kind: string): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('alert')
      .select('key')
      .where('kind', '=', kind)
      .orderBy('position')
      .execute();
    return rows.map(({ key }) => key);
  }

  async list(): Promise<AlertList> {
    const rows = await this.database.db
      .selectFrom('alert')
      .select(['key', 'kind', 'text', 'item', 'raised_at', 'position'])
      .where('seen_at', 'is', null)
      .orderBy('position')
      .execute();
    return { items: rows.map(({ raised_at, ...row }) => ({ ...row, raisedAt: raised_at.toISOString() })) };
  }
}
