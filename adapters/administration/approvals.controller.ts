import { Controller, Header } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import * as endpoints from '../../application/administration/approval-endpoints.js';
import {
  DecideOnRequest,
  RequestApproval,
  type RequestDecision,
} from '../../application/approvals/decide-on-request.js';
import { StaffActQueries, staffActsCsv } from './staff-act-queries.js';
import { ApprovalQueries } from '../../application/approvals/queries.js';
import { RevokeStaffRole } from '../../application/accounts/staff/staff-roles.js';
import { StaffQueries, PeopleQueries } from '../../application/accounts/staff/staff-queries.js';
import type { ApprovalWork } from '../../domain/approvals/approval.js';
import { Clock } from '../../application/shared/clock.js';
import { withIsoTimes } from '../../application/shared/iso-times.js';
import { idOfRequest } from '../platform/http/idempotency.js';
import { refuse as refuseAny } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { nameOf } from '../platform/database/json-shapes.js';

const MOST_EXPORTED = 10_000;

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
  approve(call: Call<typeof endpoints.approveRequest>) {
    return this.decide(call, { type: 'Approve' });
  }

  @Route(endpoints.declineRequest)
  decline(call: Call<typeof endpoints.declineRequest>) {
    return this.decide(call, { type: 'Decline', reason: call.body.reason });
  }

  @Route(endpoints.withdrawRequest)
  withdraw(call: Call<typeof endpoints.withdrawRequest>) {
    return this.decide(call, { type: 'Withdraw' });
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
  approveAsFinance(call: Call<typeof endpoints.approveFinanceRequest>) {
    return this.decide(call, { type: 'Approve' });
  }

  @Route(endpoints.declineFinanceRequest)
  declineAsFinance(call: Call<typeof endpoints.declineFinanceRequest>) {
    return this.decide(call, { type: 'Decline', reason: call.body.reason });
  }

  @Route(endpoints.withdrawFinanceRequest)
  withdrawAsFinance(call: Call<typeof endpoints.withdrawFinanceRequest>) {
    return this.decide(call, { type: 'Withdraw' });
  }

  private async decide(
    { actor, params }: Pick<Call<typeof endpoints.approveRequest>, 'actor' | 'params'>,
    decision: RequestDecision,
  ) {
    const result = await this.commands.execute(new DecideOnRequest(params.id, actor.userId, decision));
    return result.accepted ? { id: result.id, status: result.status } : refuseAny(result.rejection);
  }

  @Route(endpoints.listStaff)
  async members() {
    const members = await this.staff.members();
    const names = new Map(members.map(({ userId, displayName }) => [userId, displayName]));
    return {
      items: members.map((member) => ({
        ...withIsoTimes(member),
        grantedByName: nameOf(member.grantedBy, names.get(member.grantedBy) ?? null),
      })),
    };
  }

  @Route(endpoints.requestStaffRole)
  async requestRole(call: Call<typeof endpoints.requestStaffRole>) {
    if (!(await this.people.exists(call.params.userId))) return call.refuse({ code: 'NotFound' });
    const { userId, role } = call.params;
    return this.request(call, { kind: 'grant-role', userId, role }, userId);
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
      return this.request(call, { kind: 'revoke-role', userId, role }, userId);
    }
    const { reason } = body;
    const result = await this.commands.execute(new RevokeStaffRole(userId, role, actor.userId, { reason }));
    return result.accepted ? { userId, role, revoked: result.changed } : refuse(result.rejection);
  }

  @Route(endpoints.readLimits)
  readLimits() {
    return this.approvals.limits();
  }

  @Route(endpoints.requestLimits)
  requestLimits(call: Call<typeof endpoints.requestLimits>) {
    const { reason: _, ...limits } = call.body;
    return this.request(call, { kind: 'limits', ...limits });
  }

  private async request(
    call: Pick<Call<typeof endpoints.requestLimits>, 'actor' | 'idempotencyKey'> & {
      body: { reason: string };
    },
    work: ApprovalWork,
    beneficiary?: string,
  ) {
    const { actor, idempotencyKey, body } = call;
    const id = idOfRequest(actor, idempotencyKey);
    const benefits = beneficiary === undefined ? {} : { beneficiary };
    const requested = { approvalId: id, work, by: actor.userId, ...benefits, reason: body.reason };
    const result = await this.commands.execute(new RequestApproval(requested));
    return result.accepted ? { id, status: 'waiting' as const } : refuseAny(result.rejection);
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
