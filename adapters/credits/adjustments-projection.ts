import type { AdjustmentEvent } from '../../domain/credits/adjustment.js';
import type { Updateable } from 'kysely';
import { byType } from '../../domain/shared/by-type.js';
import { queries, type Queries } from '../platform/database/database.js';
import { readReason } from '../platform/database/reason-text.js';
import type { Adjustment } from '../platform/database/schema.js';
import type { InlineProjection } from '../platform/projections/projection.js';

const settle = (db: Queries, { adjustmentId }: { adjustmentId: string }, change: Updateable<Adjustment>) =>
  db.updateTable('adjustment').set(change).where('adjustment_id', '=', adjustmentId);

const decide = (
  db: Queries,
  data: { adjustmentId: string; by: string; at: string },
  status: 'approved' | 'declined',
) =>
  settle(db, data, { status, decided_by: data.by, decided_at: data.at })
    .where('status', '=', 'waiting')
    .execute();

const rows = byType<AdjustmentEvent, [db: Queries], Promise<unknown>>({
  AdjustmentRequested: async ({ data }, db) =>
    db
      .insertInto('adjustment')
      .values({
        adjustment_id: data.adjustmentId,
        user_id: data.userId,
        credits: data.credits,
        value_micro_usd: data.valueMicroUsd,
        makes_good: data.makesGood ?? null,
        explanation: (await readReason(db, { ...data, reason: data.explanation }, data.userId)) ?? '',
        status: 'waiting',
        requested_by: data.by,
        requested_at: data.at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  AdjustmentMadeAlone: ({ data }, db) =>
    settle(db, data, { status: 'approved' }).where('status', '=', 'waiting').execute(),
  AdjustmentApproved: ({ data }, db) => decide(db, data, 'approved'),
  AdjustmentDeclined: ({ data }, db) => decide(db, data, 'declined'),
  AdjustmentFailed: ({ data }, db) => settle(db, data, { status: 'failed' }).execute(),
});

/** Adjustments by administrators: waiting, approved, declined and failed. */
export const adjustments: InlineProjection<AdjustmentEvent> = {
  name: 'adjustments',
  version: 1,
  lifecycle: 'inline', // The second person should see a request at once.
  types: rows.types,
  tables: ['adjustment'],
  async apply(client, events) {
    const db = queries(client);
    for (const event of events) await rows.of(event, db);
  },
};
