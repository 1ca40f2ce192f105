import type { Updateable } from 'kysely';
import type { ApprovalEvent } from '../../domain/approvals/approval.js';
import { queries, type Queries } from '../platform/database/database.js';
import { readReason } from '../platform/database/reason-text.js';
import type { Approval } from '../platform/database/schema.js';
import type { InlineProjection } from '../platform/projections/projection.js';

type Changing = Exclude<ApprovalEvent, { type: 'ApprovalRequested' }>;

async function changeBy(db: Queries, { type, data }: Changing): Promise<Updateable<Approval>> {
  switch (type) {
    case 'ApprovalGiven':
      return { status: 'approved', decided_by: data.by, decided_at: data.at };
    case 'ApprovalDeclined': {
      const asked = db
        .selectFrom('approval')
        .select('beneficiary_id')
        .where('approval_id', '=', data.approvalId);
      const about = (await asked.executeTakeFirst())?.beneficiary_id ?? undefined;
      const note = await readReason(db, data, about);
      return { status: 'declined', decided_by: data.by, decided_at: data.at, note };
    }
    case 'ApprovalWithdrawn':
      return { status: 'withdrawn', decided_by: data.by, decided_at: data.at };
    case 'ApprovalLapsed':
      return { status: 'lapsed', decided_at: data.at };
    case 'ApprovalCarriedOut':
      return { status: 'carried out' };
    case 'ApprovalNotCarriedOut':
      return { status: 'not carried out', note: data.obstacle };
  }
}

/** Approval requests and their outcomes. */
export const approvals: InlineProjection<ApprovalEvent> = {
  name: 'approvals',
  version: 1,
  lifecycle: 'inline', // The second person should see a request at once.
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
    for (const event of events) {
      if (event.type === 'ApprovalRequested') {
        const { data } = event;
        await db
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
        continue;
      }
      await db
        .updateTable('approval')
        .set(await changeBy(db, event))
        .where('approval_id', '=', event.data.approvalId)
        .execute();
    }
  },
};
