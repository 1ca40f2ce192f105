import { Controller } from '@nestjs/common';
import { CommandBus, type Command } from '@nestjs/cqrs';
import * as endpoints from '../../application/administration/endpoints.js';
import { microUsdFromCents } from '../../domain/shared/micro-usd.js';
import {
  ReturnDefectiveSample,
  TakeDownSample,
  TakeDownPack,
} from '../../application/publishing/takedowns.js';
import { PeopleQueries } from '../../application/accounts/staff/staff-queries.js';
import { AdminQueries } from '../../application/administration/queries.js';
import { RequestAdjustment, RequestRefund } from '../../application/administration/request-money.js';
import {
  ApproveCreator,
  AskApplicant,
  DeclineCreator,
  ReinstateCreator,
  SuspendCreator,
  VerifyCreator,
} from '../../application/publishing/creators/decide-on-creator.js';
import { type CreatorOutcome } from '../../application/publishing/creators/creators.js';
import { EndVerification, type VerificationOutcome } from '../../application/profiles/profiles.js';
import { idOfRequest } from '../platform/http/idempotency.js';
import { refuse } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { LostPurchases } from '../../application/administration/lost-purchases.js';
import { FindMissingFacts } from '../../application/administration/missing-facts.js';
import { DecideOnJob, type JobDecision } from '../../application/administration/decide-on-job.js';
import { StoredJobs } from '../platform/jobs/stored-jobs.js';

/** Decisions of administrators. Each decision becomes an event that names the administrator. */
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
  approve({ actor: admin, params: { userId } }: Call<typeof endpoints.approveCreator>) {
    return this.decide(userId, new ApproveCreator(userId, admin.userId));
  }

  @Route(endpoints.askApplicant)
  ask({ actor: admin, params: { userId }, body }: Call<typeof endpoints.askApplicant>) {
    return this.decide(userId, new AskApplicant(userId, admin.userId, body.reason));
  }

  @Route(endpoints.readApplicationHistory)
  applicationHistory({ params }: Call<typeof endpoints.readApplicationHistory>) {
    return this.lists.applicationHistory(params.userId);
  }

  @Route(endpoints.declineCreator)
  decline({ actor: admin, params: { userId }, body }: Call<typeof endpoints.declineCreator>) {
    return this.decide(userId, new DeclineCreator(userId, admin.userId, body.reason));
  }

  @Route(endpoints.suspendCreator)
  suspend({ actor: admin, params: { userId }, body }: Call<typeof endpoints.suspendCreator>) {
    return this.decide(userId, new SuspendCreator(userId, admin.userId, body.reason));
  }

  @Route(endpoints.reinstateCreator)
  reinstate({ actor: admin, params: { userId } }: Call<typeof endpoints.reinstateCreator>) {
    return this.decide(userId, new ReinstateCreator(userId, admin.userId));
  }

  private async decide(id: string, command: Command<CreatorOutcome>) {
    const outcome = await this.commands.execute(command);
    return outcome.accepted ? { id, status: outcome.status } : refuse(outcome.rejection);
  }

  @Route(endpoints.verifyCreator)
  verify({ actor: admin, params: { userId }, body }: Call<typeof endpoints.verifyCreator>) {
    return this.verified(userId, new VerifyCreator(userId, body.displayName, admin.userId));
  }

  @Route(endpoints.endVerification)
  endVerification({ actor: admin, params: { userId } }: Call<typeof endpoints.endVerification>) {
    return this.verified(userId, new EndVerification(userId, admin.userId));
  }

  private async verified(id: string, command: Command<VerificationOutcome>) {
    const outcome = await this.commands.execute(command);
    return outcome.accepted ? { id, verified: outcome.verified } : refuse(outcome.rejection);
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

const JOBS_SHOWN = 100;

@Controller()
export class JobsController {
  constructor(
    private readonly jobs: StoredJobs,
    private readonly commands: CommandBus,
  ) {}

  @Route(endpoints.listJobs)
  list() {
    return this.jobs.list(JOBS_SHOWN);
  }

  @Route(endpoints.retryJob)
  retry(call: Call<typeof endpoints.retryJob>): Promise<void> {
    return this.decide(call, 'retry');
  }

  @Route(endpoints.discardJob)
  discard(call: Call<typeof endpoints.discardJob>): Promise<void> {
    return this.decide(call, 'discard');
  }

  @Route(endpoints.cancelJob)
  cancel(call: Call<typeof endpoints.cancelJob>): Promise<void> {
    return this.decide(call, 'cancel');
  }

  private async decide({ actor, params, refuse }: Call<typeof endpoints.cancelJob>, decision: JobDecision) {
    const outcome = await this.commands.execute(new DecideOnJob(params.id, decision, actor.userId));
    if (!outcome.accepted) return refuse(outcome.rejection);
  }
}

@Controller()
export class MissingFactsController {
  constructor(
    private readonly find: FindMissingFacts,
    private readonly lost: LostPurchases,
  ) {}

  @Route(endpoints.listMissingFacts)
  list({ query }: Call<typeof endpoints.listMissingFacts>) {
    return this.find.since(new Date(query.since));
  }

  @Route(endpoints.checkCertificate)
  check({ body }: Call<typeof endpoints.checkCertificate>) {
    return this.find.stateOf(body);
  }

  @Route(endpoints.requestPurchaseRecord)
  async record({ actor, idempotencyKey, body }: Call<typeof endpoints.requestPurchaseRecord>) {
    const id = idOfRequest(actor, idempotencyKey);
    const asked = await this.lost.request({ approvalId: id, by: actor.userId, ...body });
    if (asked.accepted) return { id, status: 'waiting' as const };
    return refuse(asked.rejection);
  }
}
