import {
  CREATOR_EVENT_TYPES,
  CREATOR_STATUS,
  type CreatorEvent,
} from '../../domain/publishing/creator-access.js';
import { readReason } from '../platform/database/reason-text.js';
import { notifyChange } from '../platform/http/session/session-changes.js';
import { oneByOne } from '../platform/projections/one-by-one.js';
import type { InlineProjection } from '../platform/projections/projection.js';
import type { AiPreferenceSet } from '../../domain/publishing/ai-preference.js';

/**
 * Stores which creators may upload and publish. A rebuild does not restore the reason for an erased creator's
 * status.
 */
export const creatorStatus: InlineProjection<CreatorEvent> = {
  name: 'creator-standing',
  version: 1,
  // A suspension must act on the next request.
  lifecycle: 'inline',
  types: CREATOR_EVENT_TYPES,
  tables: ['creator_standing'],
  ...oneByOne<CreatorEvent>(async ({ type, data }, db) => {
    const { userId, at } = data;
    await db.selectNoFrom(notifyChange(userId)).execute();
    // In `CreatorApplied`, `reason` is the text of the application, not a reason for the status.
    const said = type !== 'CreatorApplied' && 'reason' in data ? await readReason(db, data, userId) : null;
    const status = { status: CREATOR_STATUS[type], reason: said, updated_at: at };
    await db
      .insertInto('creator_standing')
      .values({ user_id: userId, applied_at: type === 'CreatorApplied' ? at : null, ...status })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(({ fn }) => ({
          ...status,
          applied_at: fn.coalesce('excluded.applied_at', 'creator_standing.applied_at'),
        })),
      )
      .execute();
  }),
};

export const aiPreferences: InlineProjection<AiPreferenceSet> = {
  name: 'ai-preferences',
  version: 1,
  // A creator's new choice about AI training must appear in response headers and pages from the next request on.
  lifecycle: 'inline',
  types: ['AiPreferenceSet'],
  tables: ['ai_preference'],
  ...oneByOne<AiPreferenceSet>(({ data: { userId, trains }, version }, db) =>
    db
      .insertInto('ai_preference')
      .values({ user_id: userId, trains, version })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ trains, version })
          .where('ai_preference.version', '<', version),
      )
      .execute(),
  ),
};
