import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { assert, unreachable } from '../../domain/shared/decision.js';
import { reasonIn } from '../../domain/shared/remark.js';
import { GrantStaffRole } from '../accounts/staff/grant-staff-role.js';
import { RevokeStaffRole } from '../accounts/staff/revoke-staff-role.js';
import { PeopleQueries } from '../accounts/staff/people-queries.js';
import { ApprovedWork, type ApprovedRequest } from '../approvals/carry-out-request.js';
import { ChangeLimits } from '../approvals/change-limits.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import { BeginBooks, ReopenPeriod } from '../ledger/closing/begin-and-reopen.js';
import { PostAdjustingEntry } from '../ledger/closing/adjusting-entries.js';
import { RefundInvoice } from '../payments/refund-invoice.js';
import { WriteOffDebts } from '../payouts/write-off-debt.js';
import { Clock } from '../shared/clock.js';
import { Remarks, textOf } from '../shared/remarks.js';
import { RecordRestore } from './record-restore.js';

@Injectable()
export class ApprovedWorkOfContexts implements ApprovedWork {
  constructor(
    private readonly people: PeopleQueries,
    private readonly debts: WriteOffDebts,
    private readonly remarks: Remarks,
    private readonly executor: CreditExecutor,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async perform(request: ApprovedRequest): Promise<string | undefined> {
    const { approvalId, work, by, approvedBy } = request;
    if (work.kind === 'adjustment') {
      const { kind: _, ...adjustment } = work;
      const { reason: explanation, ...remark } = reasonIn(request);
      const consent = { adjustmentId: approvalId, by, ...(approvedBy !== undefined && { approvedBy }) };
      const adjusted = await this.executor.adjust(
        { ...adjustment, ...consent, explanation, ...remark, at: this.clock.now() },
        { correlationId: approvalId },
      );
      return adjusted.accepted ? undefined : adjusted.rejection.code;
    }
    assert(approvedBy !== undefined, 'the request must be approved');
    switch (work.kind) {
      case 'grant-role':
        if (!(await this.people.exists(work.userId))) return 'NotFound';
        await this.commands.execute(new GrantStaffRole(work.userId, work.role, by, approvedBy));
        return undefined;
      case 'revoke-role': {
        const consent = { reason: reasonIn(request), approvedBy };
        const revoke = new RevokeStaffRole(work.userId, work.role, by, consent);
        const revoked = await this.commands.execute(revoke);
        return revoked.accepted ? undefined : revoked.rejection.code;
      }
      case 'refund': {
        const { of, amountMicroUsd: mostMicroUsd } = work;
        const explanation = await textOf(this.remarks, request);
        const consent = { refundId: approvalId, of, by, approvedBy, explanation, mostMicroUsd };
        const refunded = await this.commands.execute(new RefundInvoice(consent));
        return refunded.accepted ? undefined : refunded.rejection.code;
      }
      case 'write-off':
        await this.debts.writeOff(work.creatorId, {
          approvalId,
          approvedBy,
          mostMicroUsd: work.amountMicroUsd,
        });
        return undefined;
      case 'adjusting-entry': {
        const { kind: _, ...entry } = work;
        const consent = { entryId: approvalId, requestedBy: by, approvedBy, ...reasonIn(request) };
        const posted = await this.commands.execute(new PostAdjustingEntry({ ...entry, ...consent }));
        return posted.accepted ? undefined : posted.rejection.code;
      }
      case 'limits': {
        const { kind: _, ...limits } = work;
        const consent = { approvalId, by, approvedBy, ...reasonIn(request) };
        await this.commands.execute(new ChangeLimits({ limits, ...consent }));
        return undefined;
      }
      case 'reopen-month': {
        const consent = { approvalId, by, approvedBy, ...reasonIn(request) };
        const reopened = await this.commands.execute(new ReopenPeriod({ month: work.month, ...consent }));
        return reopened.accepted ? undefined : reopened.rejection.code;
      }
      case 'begin-books': {
        const consent = { approvalId, by, approvedBy, ...reasonIn(request) };
        const begun = await this.commands.execute(new BeginBooks({ month: work.month, ...consent }));
        return begun.accepted ? undefined : begun.rejection.code;
      }
      case 'record-restore': {
        const { position, heads } = work;
        const consent = { approvalId, by, approvedBy, ...reasonIn(request) };
        await this.commands.execute(new RecordRestore({ position, heads, ...consent }));
        return undefined;
      }
      case 'release-sale':
        return undefined; // The approval itself releases it.
      default:
        return unreachable(work);
    }
  }
}
