import { Injectable } from '@nestjs/common';
import type { Updateable } from 'kysely';
import type * as z from 'zod';
import type { ApprovalPage, ApprovalsQuery } from '../../application/administration/approval-contract.js';
import { ApprovalQueries } from '../../application/administration/queries.js';
import type { ApprovalEvent } from '../../domain/administration/approval.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { Database, queries } from '../platform/database/database.js';
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

const FORMER_MEMBER = 'Former member';
const nameOf = (id: string, name: string | null) =>
  id.startsWith('system:') ? 'The house' : (name ?? FORMER_MEMBER);

@Injectable()
export class PostgresApprovalQueries implements ApprovalQueries {
  constructor(private readonly database: Database) {}

  async list({ state, limit, cursor }: z.infer<typeof ApprovalsQuery>): Promise<ApprovalPage> {
    const seen = decodeCursor(cursor, ['time', 'text']);
    const found = await this.database.db
      .selectFrom('approval as a')
      .leftJoin('user_account as r', 'r.user_id', 'a.requested_by')
      .leftJoin('user_account as b', 'b.user_id', 'a.beneficiary_id')
      .leftJoin('user_account as d', 'd.user_id', 'a.decided_by')
      .select(['a.approval_id as id', 'a.work', 'a.reason', 'a.status', 'a.note', 'a.lapses_at as lapsesAt'])
      .select([
        'a.requested_by as requestedBy',
        'r.display_name as requestedByName',
        'a.requested_at as requestedAt',
      ])
      .select(['a.beneficiary_id as beneficiary', 'b.display_name as beneficiaryName'])
      .select(['a.decided_by as decidedBy', 'd.display_name as decidedByName', 'a.decided_at as decidedAt'])
      .where('a.status', state === 'waiting' ? '=' : '<>', 'waiting')
      .where(({ eb, lit, refTuple, tuple }) =>
        seen
          ? eb(refTuple('a.requested_at', 'a.approval_id'), '<', tuple(new Date(seen[0]), seen[1]))
          : lit(true),
      )
      .orderBy('a.requested_at', 'desc')
      .orderBy('a.approval_id', 'desc')
      .limit(limit + 1)
      .execute();
    const { shown, nextCursor } = pageOf(found, limit, (last) => [last.requestedAt.toISOString(), last.id]);
    return {
      items: shown.map((row) => ({
        ...row,
        requestedByName: nameOf(row.requestedBy, row.requestedByName),
        requestedAt: row.requestedAt.toISOString(),
        beneficiaryName: row.beneficiary === null ? null : nameOf(row.beneficiary, row.beneficiaryName),
        lapsesAt: row.lapsesAt.toISOString(),
        decidedByName: row.decidedBy === null ? null : nameOf(row.decidedBy, row.decidedByName),
        decidedAt: row.decidedAt?.toISOString() ?? null,
      })),
      nextCursor,
    };
  }

  async overdue(now: Date): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('approval')
      .select('approval_id as id')
      .where('status', '=', 'waiting')
      .where('lapses_at', '<=', now)
      .execute();
    return rows.map(({ id }) => id);
  }
}
