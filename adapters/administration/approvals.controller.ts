import { Controller, Header } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import * as endpoints from '../../application/administration/approval-endpoints.js';
import {
  ApproveRequest,
  DeclineRequest,
  WithdrawRequest,
} from '../../application/approvals/decide-on-request.js';
import { RequestApproval } from '../../application/approvals/request-approval.js';
import { type ApprovalResult } from '../../application/approvals/approvals.js';
import { StaffActQueries } from './staff-act-queries.js';
import { ApprovalQueries } from '../../application/approvals/queries.js';
import { staffActsCsv } from '../../application/administration/staff-acts-csv.js';
import { RevokeStaffRole } from '../../application/accounts/staff/revoke-staff-role.js';
import { StaffQueries } from '../../application/accounts/staff/staff-queries.js';
import { PeopleQueries } from '../../application/accounts/staff/people-queries.js';
import { Clock } from '../../application/shared/clock.js';
import { idOfRequest } from '../platform/http/idempotency.js';
import { refuse as refuseAny } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { nameOf } from '../platform/database/json-shapes.js';

const MOST_EXPORTED = 10_000;

/** Approvals, staff roles and the audit of staff acts. */
@Controller()
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalQueries,
    private readonly people: PeopleQueries,
    private readonly staff: StaffQueries,
    private readonly acts: StaffActQueries,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  @Route(endpoints.listApprovals)
  list({ query }: Call<typeof endpoints.listApprovals>) {
    return this.approvals.list(query);
  }

  @Route(endpoints.readApproval)
  async read({ params, refuse }: Call<typeof endpoints.readApproval>) {
    return (await this.approvals.find(params.id, this.clock.now())) ?? refuse({ code: 'NotFound' });
  }

  @Route(endpoints.approveRequest)
  async approve({ actor, params: { id } }: Call<typeof endpoints.approveRequest>) {
    return answerOf(await this.commands.execute(new ApproveRequest(id, actor.userId)));
  }

  @Route(endpoints.declineRequest)
  async decline({ actor, params: { id }, body }: Call<typeof endpoints.declineRequest>) {
    return answerOf(await this.commands.execute(new DeclineRequest(id, actor.userId, body.reason)));
  }

  @Route(endpoints.withdrawRequest)
  async withdraw({ actor, params: { id } }: Call<typeof endpoints.withdrawRequest>) {
    return answerOf(await this.commands.execute(new WithdrawRequest(id, actor.userId)));
  }

  @Route(endpoints.listFinanceApprovals)
  listForFinance({ query }: Call<typeof endpoints.listFinanceApprovals>) {
    return this.approvals.list(query, 'finance');
  }

  @Route(endpoints.readFinanceApproval)
  async readForFinance({ params, refuse }: Call<typeof endpoints.readFinanceApproval>) {
    const found = await this.approvals.find(params.id, this.clock.now(), 'finance');
    return found ?? refuse({ code: 'NotFound' });
  }

  @Route(endpoints.approveFinanceRequest)
  async approveAsFinance({ actor, params }: Call<typeof endpoints.approveFinanceRequest>) {
    return answerOf(await this.commands.execute(new ApproveRequest(params.id, actor.userId)));
  }

  @Route(endpoints.declineFinanceRequest)
  async declineAsFinance({ actor, params, body }: Call<typeof endpoints.declineFinanceRequest>) {
    return answerOf(await this.commands.execute(new DeclineRequest(params.id, actor.userId, body.reason)));
  }

  @Route(endpoints.withdrawFinanceRequest)
  async withdrawAsFinance({ actor, params }: Call<typeof endpoints.withdrawFinanceRequest>) {
    return answerOf(await this.commands.execute(new WithdrawRequest(params.id, actor.userId)));
  }

  @Route(endpoints.listStaff)
  async members() {
    const members = await this.staff.members();
    const names = new Map(members.map(({ userId, displayName }) => [userId, displayName]));
    return {
      items: members.map((member) => ({
        ...member,
        grantedByName: nameOf(member.grantedBy, names.get(member.grantedBy) ?? null),
        grantedAt: member.grantedAt.toISOString(),
      })),
    };
  }

  @Route(endpoints.requestStaffRole)
  async requestRole(call: Call<typeof endpoints.requestStaffRole>) {
    if (!(await this.people.exists(call.params.userId))) return call.refuse({ code: 'NotFound' });
    return this.askAboutRole('grant-role', call);
  }

  @Route(endpoints.revokeStaffRole)
  async revokeRole(call: Call<typeof endpoints.revokeStaffRole>) {
    const { actor, params, body, response, refuse } = call;
    const { userId, role } = params;
    const members = (await this.staff.members()).filter((member) => member.role === role);
    const isHeld = members.some((member) => member.userId === userId);
    if (isHeld && role === 'admin' && members.length === 1) return refuse({ code: 'LastAdministrator' });
    if (isHeld && userId !== actor.userId) {
      response.statusCode = 202;
      return this.askAboutRole('revoke-role', call);
    }
    const { reason } = body;
    const result = await this.commands.execute(new RevokeStaffRole(userId, role, actor.userId, { reason }));
    return result.accepted ? { userId, role, revoked: result.changed } : refuse(result.rejection);
  }

  private async askAboutRole(
    kind: 'grant-role' | 'revoke-role',
    { actor, idempotencyKey, params, body }: Omit<Call<typeof endpoints.requestStaffRole>, 'refuse'>,
  ) {
    const { userId, role } = params;
    const approvalId = idOfRequest(actor, idempotencyKey);
    const work = { kind, userId, role };
    const requested = { approvalId, work, by: actor.userId, beneficiary: userId, reason: body.reason };
    const result = await this.commands.execute(new RequestApproval(requested));
    return result.accepted ? { id: approvalId, status: 'waiting' as const } : refuseAny(result.rejection);
  }

  @Route(endpoints.readLimits)
  readLimits() {
    return this.approvals.limits();
  }

  @Route(endpoints.requestLimits)
  async requestLimits({ actor, idempotencyKey, body }: Call<typeof endpoints.requestLimits>) {
    const { reason, ...limits } = body;
    const approvalId = idOfRequest(actor, idempotencyKey);
    const work = { kind: 'limits' as const, ...limits };
    const asked = new RequestApproval({ approvalId, work, by: actor.userId, reason });
    const result = await this.commands.execute(asked);
    return result.accepted ? { id: approvalId, status: 'waiting' as const } : refuseAny(result.rejection);
  }

  @Route(endpoints.listStaffActs)
  audit({ query }: Call<typeof endpoints.listStaffActs>) {
    return this.acts.list(query);
  }

  @Route(endpoints.exportStaffActs)
  @Header('Content-Disposition', 'attachment; filename="staff-audit.csv"')
  @Header('Cache-Control', 'private, no-store')
  async exportAudit({ query }: Call<typeof endpoints.exportStaffActs>) {
    return staffActsCsv(await this.acts.newest(query, MOST_EXPORTED));
  }
}

function answerOf(result: ApprovalResult) {
  return result.accepted ? { id: result.id, status: result.status } : refuseAny(result.rejection);
}
