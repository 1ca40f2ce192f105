import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApproveRequest,
  DeclineRequest,
  RequestApproval,
  WithdrawRequest,
  type ApprovalResult,
} from '../../application/administration/approval-commands.js';
import * as endpoints from '../../application/administration/endpoints.js';
import { AdminQueries, ApprovalQueries } from '../../application/administration/queries.js';
import { idOfRequest } from '../platform/http/idempotency.js';
import { refuse } from '../platform/http/problem-exception.js';
import { Route, type Call } from '../platform/http/route.js';

/** What needs a second person. */
@Controller()
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalQueries,
    private readonly people: AdminQueries,
    private readonly commands: CommandBus,
  ) {}

  @Route(endpoints.listApprovals)
  list({ query }: Call<typeof endpoints.listApprovals>) {
    return this.approvals.list(query);
  }

  @Route(endpoints.requestStaffRole)
  async requestRole({
    actor,
    idempotencyKey,
    params,
    body,
    refuse,
  }: Call<typeof endpoints.requestStaffRole>) {
    const { userId, role } = params;
    if (!(await this.people.userExists(userId))) return refuse({ code: 'NotFound' });
    const requested = {
      approvalId: idOfRequest(actor, idempotencyKey),
      work: { kind: 'grant-role' as const, userId, role },
      by: actor.userId,
      beneficiary: userId,
      reason: body.reason,
    };
    return answerOf(await this.commands.execute(new RequestApproval(requested)));
  }

  @Route(endpoints.approveRequest)
  async approve({ actor, params }: Call<typeof endpoints.approveRequest>) {
    return answerOf(await this.commands.execute(new ApproveRequest(params.id, actor.userId)));
  }

  @Route(endpoints.declineRequest)
  async decline({ actor, params, body }: Call<typeof endpoints.declineRequest>) {
    return answerOf(await this.commands.execute(new DeclineRequest(params.id, actor.userId, body.reason)));
  }

  @Route(endpoints.withdrawRequest)
  async withdraw({ actor, params }: Call<typeof endpoints.withdrawRequest>) {
    return answerOf(await this.commands.execute(new WithdrawRequest(params.id, actor.userId)));
  }
}

function answerOf(result: ApprovalResult) {
  return result.accepted ? { id: result.id, status: result.status } : refuse(result.rejection);
}
