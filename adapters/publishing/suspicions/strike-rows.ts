import type { StrikeRecorded } from '../../../domain/publishing/strikes.js';
import { queries } from '../../platform/database/database.js';
import type { InlineProjection } from '../../platform/projections/projection.js';

/** What was taken down of creators because it was another's. */
export const strikes: InlineProjection<StrikeRecorded> = {
  name: 'strikes',
  version: 1,
  // Whoever decides about the next suspicion sees it.
  lifecycle: 'inline',
  types: ['StrikeRecorded'],
  tables: ['strike'],
  async apply(client, events) {
    for (const { data } of events)
      await queries(client)
        .insertInto('strike')
        .values({ user_id: data.userId, kind: data.because.kind, id: data.because.id, at: data.at })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  },
};
