import type { Updateable } from 'kysely';
import type { ApprovalEvent } from '../../domain/administration/approval.js';
import { queries } from '../platform/database/database.js';
import type { Approval } from '../platform/database/schema.js';
import type { InlineProjection } from '../platform/projections/projection.js';

/** What waits for a second person, and what became of it. */
export const approvals: InlineProjection<ApprovalEvent> = {
  name: 'approvals',
  version: 1,
  lifecycle: 'inline', // The second person should find what the first just asked for.
  types: [
    'ApprovalRequested',
    'ApprovalGiven',
    'ApprovalDeclined',
    'ApprovalWithdrawn',
    'ApprovalLapsed',
    'ApprovalCarriedOut',
    'ApprovalNotCarriedOut',
  ],
  tables: ['approval'],
  async apply(client, events) {
    const db = queries(client);
    for (const { type, data } of events) {
      if (type === 'ApprovalRequested') {
        await db
          .insertInto('approval')
          .values({
            approval_id: data.approvalId,
            work: JSON.stringify(data.work),
            reason: data.reason,
            status: 'waiting',
            requested_by: data.by,
            requested_at: data.at,
            beneficiary_id: data.beneficiary ?? null,
            lapses_at: data.lapsesAt,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        continue;
      }
      const change: Updateable<Approval> = ((): Updateable<Approval> => {
        switch (type) {
          case 'ApprovalGiven':
            return { status: 'approved', decided_by: data.by, decided_at: data.at };
          case 'ApprovalDeclined':
            return { status: 'declined', decided_by: data.by, decided_at: data.at, note: data.reason };
          case 'ApprovalWithdrawn':
            return { status: 'withdrawn', decided_by: data.by, decided_at: data.at };
          case 'ApprovalLapsed':
            return { status: 'lapsed', decided_at: data.at };
          case 'ApprovalCarriedOut':
            return { status: 'carried out' };
          case 'ApprovalNotCarriedOut':
            return { status: 'not carried out', note: data.obstacle };
        }
      })();
      await db.updateTable('approval').set(change).where('approval_id', '=', data.approvalId).execute();
    }
  },
};
