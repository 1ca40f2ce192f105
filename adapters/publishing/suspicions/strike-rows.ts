import type { StrikeEvent } from '../../../domain/publishing/strikes.js';
import { byType } from '../../../domain/shared/by-type.js';
import { queries, type Queries } from '../../platform/database/database.js';
import type { InlineProjection } from '../../platform/projections/projection.js';

const keyOf = ({ userId, because }: StrikeEvent['data']) => ({
  user_id: userId,
  kind: because.kind,
  id: because.id,
});

const rows = byType<StrikeEvent, [db: Queries], Promise<unknown>>({
  StrikeRecorded: ({ data }, db) =>
    db
      .insertInto('strike')
      .values({ ...keyOf(data), at: data.at })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  StrikeLifted: ({ data }, db) =>
    db
      .deleteFrom('strike')
      .where(({ and }) => and(keyOf(data)))
      .execute(),
});

/** Strikes of creators whose recordings were taken down because they belonged to others. */
export const strikes: InlineProjection<StrikeEvent> = {
  name: 'strikes',
  version: 1,
  // The next decision about the creator must see the strike.
  lifecycle: 'inline',
  types: rows.types,
  tables: ['strike'],
  async apply(client, events) {
    const db = queries(client);
    for (const event of events) await rows.of(event, db);
  },
};
