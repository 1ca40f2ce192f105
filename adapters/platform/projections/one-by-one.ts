import type { NewEvent } from '../../../application/shared/event-store.js';
import { queries, type Queries } from '../database/database.js';
import type { InlineProjection, Projected } from './projection.js';

/** Returns an `apply` that calls `write` for one event after the other. */
export const oneByOne = <Event extends NewEvent>(
  write: (event: Projected<Event>, db: Queries) => Promise<unknown>,
): Pick<InlineProjection<Event>, 'apply'> => ({
  async apply(client, events) {
    const db = queries(client);
    for (const event of events) await write(event, db);
  },
});
