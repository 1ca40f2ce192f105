import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { assert, unreachable, type Outcome } from '../../domain/shared/decision.js';
import { reasonIn } from '../../domain/shared/remark.js';
import { GrantStaffRole, RevokeStaffRole } from '../accounts/staff/staff-roles.js';
import { PeopleQueries } from '../accounts/staff/staff-queries.js';
import { ApprovedWork, ChangeLimits, type ApprovedRequest } from '../approvals/decide-on-request.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import { BeginBooks, ReopenPeriod } from '../ledger/closing/begin-and-reopen.js';
import { PostAdjustingEntry } from '../ledger/closing/adjusting-entries.js';
import { RefundInvoice } from '../payments/refund-invoice.js';
import { WriteOffDebts } from '../payouts/write-off-debt.js';
import { Clock } from '../shared/clock.js';
import { Remarks, textOf } from '../shared/remarks.js';
import { RecordRestore } from './log-commands.js';
import { LostPurchases } from './lost-purchases.js';

@Injectable()
export class ApprovedWorkOfContexts implements ApprovedWork {
  constructor(
    private readonly people: PeopleQueries,
    private readonly debts: WriteOffDebts,
    private readonly remarks: Remarks,
    private readonly executor: CreditExecutor,
    private readonly lost: LostPurchases,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async perform(request: ApprovedRequest): Promise<string | undefined> {
    const { approvalId, work, by, approvedBy } = request;
    const reason = reasonIn(request);
    if (work.kind === 'adjustment') {
      const { kind: _, ...adjustment } = work;
      const { reason: explanation, ...remark } = reason;
      const consent = { adjustmentId: approvalId, by, ...(approvedBy !== undefined && { approvedBy }) };
      const adjust = { ...adjustment, ...consent, explanation, ...remark, at: this.clock.now() };
      return obstacleOf(await this.executor.adjust(adjust, { correlationId: approvalId }));
    }
    assert(approvedBy !== undefined, 'the request must be approved');
    const consent = { approvalId, by, approvedBy, ...reason };
    switch (work.kind) {
      case 'grant-role':
        if (!(await this.people.exists(work.userId))) return 'NotFound';
        await this.commands.execute(new GrantStaffRole(work.userId, work.role, by, approvedBy));
        return undefined;
      case 'revoke-role': {
        const revoke = new RevokeStaffRole(work.userId, work.role, by, { reason, approvedBy });
        return obstacleOf(await this.commands.execute(revoke));
      }
      case 'refund': {
        const { of, amountMicroUsd: mostMicroUsd } = work;
        const explanation = await textOf(this.remarks, request);
        const refund = { refundId: approvalId, of, by, approvedBy, explanation, mostMicroUsd };
        return obstacleOf(await this.commands.execute(new RefundInvoice(refund)));
      }
      case 'write-off': {
        const { creatorId, amountMicroUsd: mostMicroUsd } = work;
        await this.debts.writeOff(creatorId, { approvalId, approvedBy, mostMicroUsd });
        return undefined;
      }
      case 'adjusting-entry': {
        const { kind: _, ...entry } = work;
        const post = { ...entry, entryId: approvalId, requestedBy: by, approvedBy, ...reason };
        return obstacleOf(await this.commands.execute(new PostAdjustingEntry(post)));
      }
      case 'limits': {
        const { kind: _, ...limits } = work;
        await this.commands.execute(new ChangeLimits({ limits, ...consent }));
        return undefined;
      }
      case 'reopen-month':
        return obstacleOf(await this.commands.execute(new ReopenPeriod({ month: work.month, ...consent })));
      case 'begin-books':
        return obstacleOf(await this.commands.execute(new BeginBooks({ month: work.month, ...consent })));
      case 'record-restore': {
        const { position, heads } = work;
        await this.commands.execute(new RecordRestore({ position, heads, ...consent }));
        return undefined;
      }
      case 'record-purchase': {
        const { kind: _, sharedBy: _sharedBy, ...purchase } = work;
        return obstacleOf(await this.lost.record({ ...purchase, ...consent }));
      }
      case 'release-sale':
        return undefined; // The approval itself releases the sale.
      default:
        return unreachable(work);
    }
  }
}

const obstacleOf = (outcome: Outcome<object, { code: string }>): string | undefined =>
  outcome.accepted ? undefined : outcome.rejection.code;
