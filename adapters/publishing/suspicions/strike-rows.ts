import type { StrikeEvent } from '../../../domain/publishing/strikes.js';
import { queries } from '../../platform/database/database.js';
import type { InlineProjection } from '../../platform/projections/projection.js';

/** Strikes of creators whose recordings were taken down because they belonged to others. */
export const strikes: InlineProjection<StrikeEvent> = {
  name: 'strikes',
  version: 1,
  // The next decision about the creator must see the strike.
  lifecycle: 'inline',
  types: ['StrikeRecorded', 'StrikeLifted'],
  tables: ['strike'],
  async apply(client, events) {
    const db = queries(client);
    for (const { type, data } of events) {
      const strike = { user_id: data.userId, kind: data.because.kind, id: data.because.id };
      await (
        type === 'StrikeLifted'
          ? db.deleteFrom('strike').where(({ and }) => and(strike))
          : db
              .insertInto('strike')
              .values({ ...strike, at: data.at })
              .onConflict((conflict) => conflict.doNothing())
      ).execute();
    }
  },
};
