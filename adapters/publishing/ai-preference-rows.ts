import type { AiPreferenceSet } from '../../domain/publishing/ai-preference.js';
import { queries } from '../platform/database/database.js';
import type { InlineProjection } from '../platform/projections/projection.js';

/** The training preferences of creators. A creator who never answered has no row. */
export const aiPreferences: InlineProjection<AiPreferenceSet> = {
  name: 'ai-preferences',
  version: 1,
  // Headers and pages must show it from the next request on.
  lifecycle: 'inline',
  types: ['AiPreferenceSet'],
  tables: ['ai_preference'],
  async apply(client, events) {
    for (const { data, version } of events)
      await queries(client)
        .insertInto('ai_preference')
        .values({ user_id: data.userId, trains: data.trains, version })
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet({ trains: data.trains, version })
            .where('ai_preference.version', '<', version),
        )
        .execute();
  },
};
