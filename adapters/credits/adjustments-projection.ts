import type { AdjustmentEvent } from '../../domain/credits/adjustment.js';
import type { InlineProjection } from '../platform/projections/projection.js';

/** What administrators gave and took, what waits for a second person, and what became of it. */
export const adjustments: InlineProjection<AdjustmentEvent> = {
  name: 'adjustments',
  version: 1,
  lifecycle: 'inline', // The second person should find what the first just asked for.
  types: [
    'AdjustmentRequested',
    'AdjustmentMadeAlone',
    'AdjustmentApproved',
    'AdjustmentDeclined',
    'AdjustmentFailed',
  ],
  tables: ['adjustment'],
  async apply(client, events) {
    for (const event of events) {
      switch (event.type) {
        case 'AdjustmentRequested': {
          const { adjustmentId, userId, credits, valueMicroUsd, explanation, by, at } = event.data;
          await client.query(
            `insert into adjustment (adjustment_id, user_id, credits, value_micro_usd, explanation, status, requested_by, requested_at)
             values ($1, $2, $3, $4, $5, 'waiting', $6, $7) on conflict do nothing`,
            [adjustmentId, userId, credits, valueMicroUsd, explanation, by, at],
          );
          break;
        }
        case 'AdjustmentMadeAlone':
          await client.query(
            `update adjustment set status = 'approved' where adjustment_id = $1 and status = 'waiting'`,
            [event.data.adjustmentId],
          );
          break;
        case 'AdjustmentApproved':
        case 'AdjustmentDeclined':
          await client.query(
            `update adjustment set status = $2, decided_by = $3, decided_at = $4 where adjustment_id = $1 and status = 'waiting'`,
            [
              event.data.adjustmentId,
              event.type === 'AdjustmentApproved' ? 'approved' : 'declined',
              event.data.by,
              event.data.at,
            ],
          );
          break;
        case 'AdjustmentFailed':
          await client.query(`update adjustment set status = 'failed' where adjustment_id = $1`, [
            event.data.adjustmentId,
          ]);
          break;
      }
    }
  },
};
