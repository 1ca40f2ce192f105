import { CREATOR_EVENT_TYPES, type CreatorEvent } from '../../domain/publishing/creator-access.js';
import type { InlineProjection } from '../platform/projections/projection.js';

const STATUS = {
  CreatorApplied: 'applied',
  CreatorApproved: 'approved',
  CreatorDeclined: 'declined',
  CreatorSuspended: 'suspended',
  CreatorReinstated: 'approved',
} as const satisfies Record<CreatorEvent['type'], string>;

/** Who may upload and publish. What was said about somebody erased is not read from the log again. */
export const creatorStatus: InlineProjection<CreatorEvent> = {
  name: 'creator-standing',
  version: 1,
  // A suspension acts on the very next request.
  lifecycle: 'inline',
  types: CREATOR_EVENT_TYPES,
  tables: ['creator_standing'],
  async apply(client, events) {
    for (const { type, data } of events) {
      const reason = 'reason' in data ? data.reason : null;
      await client.query(
        `insert into creator_standing (user_id, status, reason, applied_at, updated_at)
         values ($1, $2, case when exists (select 1 from user_account where user_id = $1 and erased_at is not null) then null else $3 end,
                 case when $2 = 'applied' then $4::timestamptz end, $4)
         on conflict (user_id) do update
           set status = excluded.status, reason = excluded.reason, updated_at = excluded.updated_at,
               applied_at = coalesce(excluded.applied_at, creator_standing.applied_at)`,
        [data.userId, STATUS[type], reason, data.at],
      );
    }
  },
};
