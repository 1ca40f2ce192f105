import type { Updateable } from 'kysely';
import type { ApprovalEvent } from '../../domain/approvals/approval.js';
import {
  asApprovalEvent,
  OLD_ADJUSTMENT_TYPES,
  type OldAdjustmentEvent,
} from '../../domain/approvals/old-adjustment.js';
import { byType } from '../../domain/shared/by-type.js';
import type { Queries } from '../platform/database/database.js';
import { readReason } from '../platform/database/reason-text.js';
import type { Approval } from '../platform/database/schema.js';
import { oneByOne } from '../platform/projections/one-by-one.js';
import type { InlineProjection } from '../platform/projections/projection.js';

type Changing = Exclude<ApprovalEvent, { type: 'ApprovalRequested' }>;

const changes = byType<Changing, [db: Queries], Updateable<Approval> | Promise<Updateable<Approval>>>({
  ApprovalNotNeeded: () => ({ status: 'approved' }),
  ApprovalGiven: ({ data }) => ({ status: 'approved', decided_by: data.by, decided_at: data.at }),
  ApprovalDeclined: async ({ data }, db) => {
    const asked = db
      .selectFrom('approval')
      .select('beneficiary_id')
      .where('approval_id', '=', data.approvalId);
    const about = (await asked.executeTakeFirst())?.beneficiary_id ?? undefined;
    const note = await readReason(db, data, about);
    return { status: 'declined', decided_by: data.by, decided_at: data.at, note };
  },
  ApprovalWithdrawn: ({ data }) => ({ status: 'withdrawn', decided_by: data.by, decided_at: data.at }),
  ApprovalLapsed: ({ data }) => ({ status: 'lapsed', decided_at: data.at }),
  ApprovalCarriedOut: () => ({ status: 'carried out' }),
  ApprovalNotCarriedOut: ({ data }) => ({ status: 'not carried out', note: data.obstacle }),
});

export const approvals: InlineProjection<ApprovalEvent | OldAdjustmentEvent> = {
  name: 'approvals',
  version: 2, // 2: with adjustments
  lifecycle: 'inline', // The second person should see a request at once.
  types: ['ApprovalRequested', ...changes.types, ...OLD_ADJUSTMENT_TYPES],
  tables: ['approval'],
  ...oneByOne<ApprovalEvent | OldAdjustmentEvent>(async (stored, db) => {
    const event = asApprovalEvent(stored);
    if (event.type === 'ApprovalRequested') {
      const { data } = event;
      return db
        .insertInto('approval')
        .values({
          approval_id: data.approvalId,
          work: JSON.stringify(data.work),
          reason: (await readReason(db, data, data.beneficiary)) ?? '',
          status: 'waiting',
          requested_by: data.by,
          requested_at: data.at,
          beneficiary_id: data.beneficiary ?? null,
          lapses_at: data.lapsesAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    const change = await changes.of(event, db);
    // Older adjustments have no event that says that the credits moved, so an approved one counts as carried out.
    if (stored.type === 'AdjustmentMadeAlone' || stored.type === 'AdjustmentApproved')
      change.status = 'carried out';
    return db.updateTable('approval').set(change).where('approval_id', '=', event.data.approvalId).execute();
  }),
};
