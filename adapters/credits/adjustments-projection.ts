import type { AdjustmentEvent } from '../../domain/credits/adjustment.js';
import type { Updateable } from 'kysely';
import { queries } from '../platform/database/database.js';
import { readReason } from '../platform/database/reason-text.js';
import type { Adjustment } from '../platform/database/schema.js';
import type { InlineProjection } from '../platform/projections/projection.js';

/** Adjustments by administrators: waiting, approved, declined and failed. */
export const adjustments: InlineProjection<AdjustmentEvent> = {
  name: 'adjustments',
  version: 1,
  lifecycle: 'inline', // The second person should see a request at once.
  types: [
    'AdjustmentRequested',
    'AdjustmentMadeAlone',
    'AdjustmentApproved',
    'AdjustmentDeclined',
    'AdjustmentFailed',
  ],
  tables: ['adjustment'],
  async apply(client, events) {
    const db = queries(client);
    for (const { type, data } of events) {
      const settled = (change: Updateable<Adjustment>) =>
        db.updateTable('adjustment').set(change).where('adjustment_id', '=', data.adjustmentId);
      switch (type) {
        case 'AdjustmentRequested':
          await db
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
            .execute();
          break;
        case 'AdjustmentMadeAlone':
          await settled({ status: 'approved' }).where('status', '=', 'waiting').execute();
          break;
        case 'AdjustmentApproved':
        case 'AdjustmentDeclined':
          await settled({
            status: type === 'AdjustmentApproved' ? 'approved' : 'declined',
            decided_by: data.by,
            decided_at: data.at,
          })
            .where('status', '=', 'waiting')
            .execute();
          break;
        case 'AdjustmentFailed':
          await settled({ status: 'failed' }).execute();
          break;
      }
    }
  },
};
