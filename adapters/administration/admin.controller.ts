import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ReturnDefectiveSample,
  TakeDownSample,
  TakeDownPack,
} from '../../application/publishing/takedowns.js';
import * as endpoints from '../../application/administration/endpoints.js';
import { PeopleQueries } from '../../application/accounts/staff/people-queries.js';
import { AdminQueries } from '../../application/administration/queries.js';
import { RequestAdjustment } from '../../application/administration/request-adjustment.js';
import { RequestRefund } from '../../application/administration/request-refund.js';
import {
  ApproveCreator,
  DeclineCreator,
  ReinstateCreator,
  SuspendCreator,
  VerifyCreator,
} from '../../application/publishing/creators/creator-access.js';
import { type CreatorOutcome } from '../../application/publishing/creators/creators.js';
import { type VerificationOutcome, EndVerification } from '../../application/profiles/end-verification.js';
import { microUsdFromCents } from '../../domain/shared/micro-usd.js';
import { idOfRequest } from '../platform/http/idempotency.js';
import { refuse } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';

/** Decisions of administrators. Every decision is an event that names its administrator. */
@Controller()
export class AdminController {
  constructor(
    private readonly lists: AdminQueries,
    private readonly accounts: PeopleQueries,
    private readonly commands: CommandBus,
  ) {}

  @Route(endpoints.listApplications)
  applications({ query }: Call<typeof endpoints.listApplications>) {
    return this.lists.applications(query);
  }

  @Route(endpoints.approveCreator)
  async approve({ actor: admin, params: { userId } }: Call<typeof endpoints.approveCreator>) {
    return answerStatus(userId, await this.commands.execute(new ApproveCreator(userId, admin.userId)));
  }

  @Route(endpoints.declineCreator)
  async decline({ actor: admin, params: { userId }, body }: Call<typeof endpoints.declineCreator>) {
    return answerStatus(
      userId,
      await this.commands.execute(new DeclineCreator(userId, admin.userId, body.reason)),
    );
  }

  @Route(endpoints.suspendCreator)
  async suspend({ actor: admin, params: { userId }, body }: Call<typeof endpoints.suspendCreator>) {
    return answerStatus(
      userId,
      await this.commands.execute(new SuspendCreator(userId, admin.userId, body.reason)),
    );
  }

  @Route(endpoints.reinstateCreator)
  async reinstate({ actor: admin, params: { userId } }: Call<typeof endpoints.reinstateCreator>) {
    return answerStatus(userId, await this.commands.execute(new ReinstateCreator(userId, admin.userId)));
  }

  @Route(endpoints.verifyCreator)
  async verify({ actor: admin, params: { userId }, body }: Call<typeof endpoints.verifyCreator>) {
    const command = new VerifyCreator(userId, body.displayName, admin.userId);
    return answerVerification(userId, await this.commands.execute(command));
  }

  @Route(endpoints.endVerification)
  async endVerification({ actor: admin, params: { userId } }: Call<typeof endpoints.endVerification>) {
    return answerVerification(userId, await this.commands.execute(new EndVerification(userId, admin.userId)));
  }

  @Route(endpoints.takeDown)
  async takeDown({ actor: admin, body, refuse }: Call<typeof endpoints.takeDown>) {
    const { reason, ...subject } = body;
    const outcome = await this.commands.execute(
      'packId' in subject
        ? new TakeDownPack(subject.packId, reason, admin.userId)
        : new TakeDownSample(subject.sampleId, reason, admin.userId),
    );
    if (!outcome.accepted) return refuse(outcome.rejection);
    const { returned: purchasesReturned, waiting: purchasesWaiting } = outcome;
    return { ...subject, status: 'taken_down' as const, purchasesReturned, purchasesWaiting };
  }

  @Route(endpoints.returnDefective)
  async returnDefective({ actor: admin, body, refuse }: Call<typeof endpoints.returnDefective>) {
    const { sampleId, reason } = body;
    const done = await this.commands.execute(new ReturnDefectiveSample(sampleId, reason, admin.userId));
    if (!done.accepted) return refuse(done.rejection);
    return { sampleId, purchasesReturned: done.returned, purchasesWaiting: done.waiting };
  }

  @Route(endpoints.listDeferredReturns)
  deferredReturns({ query }: Call<typeof endpoints.listDeferredReturns>) {
    return this.lists.deferredReturns(query);
  }

  @Route(endpoints.listMails)
  mails({ query }: Call<typeof endpoints.listMails>) {
    return this.lists.mails(query);
  }

  @Route(endpoints.requestAdjustment)
  async adjust(call: Call<typeof endpoints.requestAdjustment>) {
    const { actor: admin, idempotencyKey, response } = call;
    const { reason, valueUsdCents, ...body } = call.body;
    if (!(await this.accounts.exists(body.userId))) return call.refuse({ code: 'NotFound' });
    const result = await this.commands.execute(
      new RequestAdjustment({
        ...body,
        approvalId: idOfRequest(admin, idempotencyKey),
        valueMicroUsd: microUsdFromCents(body.credits > 0 ? valueUsdCents : 0),
        reason,
        by: admin.userId,
      }),
    );
    if (!result.accepted) return refuse(result.rejection);
    const { accepted: _, ...answer } = result;
    if (answer.status === 'waiting') response.statusCode = 202;
    return answer;
  }

  @Route(endpoints.findPeople)
  people({ query }: Call<typeof endpoints.findPeople>) {
    return this.accounts.people(query.q);
  }

  @Route(endpoints.listPaidInvoices)
  paidInvoices({ params }: Call<typeof endpoints.listPaidInvoices>) {
    return this.lists.paidInvoices(params.userId);
  }

  @Route(endpoints.refundInvoice)
  async refund(call: Call<typeof endpoints.refundInvoice>) {
    const { actor: admin, idempotencyKey, response } = call;
    const { reason: explanation, ...of } = call.body;
    const refundId = idOfRequest(admin, idempotencyKey);
    const result = await this.commands.execute(
      new RequestRefund({ refundId, of, by: admin.userId, explanation }),
    );
    if (!result.accepted) return refuse(result.rejection);
    if (!('refund' in result)) {
      response.statusCode = 202;
      return { id: refundId, status: 'waiting' as const };
    }
    const { status, amountUsdCents, balance, refund } = result;
    const { refundId: id, userId, invoiceId, lotId, credits: creditsRevoked } = refund;
    return { id, status, userId, invoiceId, lotId, amountUsdCents, creditsRevoked, balance };
  }
}

function answerStatus(id: string, outcome: CreatorOutcome) {
  return outcome.accepted ? { id, status: outcome.status } : refuse(outcome.rejection);
}

function answerVerification(id: string, outcome: VerificationOutcome) {
  return outcome.accepted ? { id, verified: outcome.verified } : refuse(outcome.rejection);
}
