import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import {
  ApproveAdjustment,
  DeclineAdjustment,
  RequestAdjustment,
  type AdjustmentResult,
} from '../../application/credits/commands.js';
import {
  AdjustmentAnswer,
  AdjustmentBody,
  AdjustmentPage,
  AdjustmentsQuery,
  ApplicationsQuery,
  CreatorApplicationPage,
  DefectAnswer,
  DefectBody,
  DeferredReturnPage,
  DeferredReturnsQuery,
  LoggedMailPage,
  MailsQuery,
  PaidInvoices,
  PeopleAnswer,
  PeopleQuery,
  ReasonBody,
  RefundAnswer,
  RefundBody,
  StandingAnswer,
  TakedownAnswer,
  TakedownBody,
} from '../../application/administration/contract.js';
import { AdminLists } from '../../application/administration/readers.js';
import { ReturnDefectiveSample, TakeDownPack } from '../../application/administration/commands.js';
import {
  ApproveCreator,
  DeclineCreator,
  ReinstateCreator,
  SuspendCreator,
  type StandingOutcome,
} from '../../application/publishing/creator-commands.js';
import { RefundInvoice } from '../../application/payments/commands.js';
import { Id } from '../../application/shared/contract.js';
import { microUsdFromCents } from '../../domain/shared/micro-usd.js';
import { AccessFor, CurrentActor, IdempotencyKey, type Actor } from '../platform/http/access.js';
import { Idempotent, idOfRequest } from '../platform/http/idempotency.js';
import { ProblemException, refuse } from '../platform/http/problems.js';
import type { HttpResponse } from '../platform/http/request.js';

/** What administrators decide. Every decision is an event that names them. */
@ApiTags('Administration')
@Controller('api/admin')
@AccessFor('admin')
export class AdminController {
  constructor(
    private readonly lists: AdminLists,
    private readonly commands: CommandBus,
  ) {}

  @Get('creator-applications')
  @ApiResponse({ status: 200, standardSchema: CreatorApplicationPage })
  async applications(
    @Query({ schema: ApplicationsQuery }) query: z.infer<typeof ApplicationsQuery>,
  ): Promise<CreatorApplicationPage> {
    return this.lists.applications(query);
  }

  @Post('creator-applications/:userId/approve')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: StandingAnswer })
  async approve(@CurrentActor() admin: Actor, @Param('userId', { schema: Id }) userId: string) {
    return standing(userId, await this.commands.execute(new ApproveCreator(userId, admin.userId)));
  }

  @Post('creator-applications/:userId/decline')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: StandingAnswer })
  async decline(
    @CurrentActor() admin: Actor,
    @Param('userId', { schema: Id }) userId: string,
    @Body({ schema: ReasonBody }) { reason }: z.infer<typeof ReasonBody>,
  ) {
    return standing(userId, await this.commands.execute(new DeclineCreator(userId, admin.userId, reason)));
  }

  @Post('creators/:userId/suspend')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: StandingAnswer })
  async suspend(
    @CurrentActor() admin: Actor,
    @Param('userId', { schema: Id }) userId: string,
    @Body({ schema: ReasonBody }) { reason }: z.infer<typeof ReasonBody>,
  ) {
    return standing(userId, await this.commands.execute(new SuspendCreator(userId, admin.userId, reason)));
  }

  @Post('creators/:userId/reinstate')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: StandingAnswer })
  async reinstate(@CurrentActor() admin: Actor, @Param('userId', { schema: Id }) userId: string) {
    return standing(userId, await this.commands.execute(new ReinstateCreator(userId, admin.userId)));
  }

  @Post('takedowns')
  @ApiResponse({ status: 201, standardSchema: TakedownAnswer })
  async takeDown(
    @CurrentActor() admin: Actor,
    @Body({ schema: TakedownBody }) { packId, reason }: z.infer<typeof TakedownBody>,
  ): Promise<z.infer<typeof TakedownAnswer>> {
    const purchases = await this.commands.execute(new TakeDownPack(packId, reason, admin.userId));
    if (!purchases) throw new ProblemException('NotFound');
    const { returned: purchasesReturned, waiting: purchasesWaiting } = purchases;
    return { packId, status: 'taken_down', purchasesReturned, purchasesWaiting };
  }

  @Post('defects')
  @ApiResponse({ status: 201, standardSchema: DefectAnswer })
  async returnDefective(
    @CurrentActor() admin: Actor,
    @Body({ schema: DefectBody }) { sampleId, reason }: z.infer<typeof DefectBody>,
  ): Promise<z.infer<typeof DefectAnswer>> {
    const { returned: purchasesReturned, waiting: purchasesWaiting } = await this.commands.execute(
      new ReturnDefectiveSample(sampleId, reason, admin.userId),
    );
    return { sampleId, purchasesReturned, purchasesWaiting };
  }

  /** Returns that a bank had to decide about first, newest first. */
  @Get('deferred-returns')
  @ApiResponse({ status: 200, standardSchema: DeferredReturnPage })
  async deferredReturns(
    @Query({ schema: DeferredReturnsQuery }) query: z.infer<typeof DeferredReturnsQuery>,
  ): Promise<DeferredReturnPage> {
    return this.lists.deferredReturns(query);
  }

  /** What became of the mails of the last 90 days, newest first. */
  @Get('mails')
  @ApiResponse({ status: 200, standardSchema: LoggedMailPage })
  async mails(@Query({ schema: MailsQuery }) query: z.infer<typeof MailsQuery>): Promise<LoggedMailPage> {
    return this.lists.mails(query);
  }

  @Get('adjustments')
  @ApiResponse({ status: 200, standardSchema: AdjustmentPage })
  async waiting(
    @Query({ schema: AdjustmentsQuery }) query: z.infer<typeof AdjustmentsQuery>,
  ): Promise<AdjustmentPage> {
    return this.lists.adjustments(query);
  }

  /** 201 when it is done, 202 when it waits for a second person. */
  @Post('adjustments')
  @Idempotent()
  @ApiResponse({ status: 201, standardSchema: AdjustmentAnswer })
  @ApiResponse({ status: 202, standardSchema: AdjustmentAnswer })
  async adjust(
    @CurrentActor() admin: Actor,
    @IdempotencyKey() key: string,
    @Body({ schema: AdjustmentBody }) { reason, valueUsdCents, ...body }: AdjustmentBody,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<AdjustmentAnswer> {
    if (!(await this.lists.userExists(body.userId))) throw new ProblemException('NotFound');
    const answer = answerOf(
      await this.commands.execute(
        new RequestAdjustment({
          ...body,
          adjustmentId: idOfRequest(admin, key),
          valueMicroUsd: microUsdFromCents(body.credits > 0 ? valueUsdCents : 0),
          explanation: reason,
          by: admin.userId,
        }),
      ),
    );
    if (answer.status === 'waiting') response.statusCode = 202;
    return answer;
  }

  /** Who is meant by an e-mail address, a name or a handle. */
  @Get('people')
  @ApiResponse({ status: 200, standardSchema: PeopleAnswer })
  async people(@Query({ schema: PeopleQuery }) { q }: z.infer<typeof PeopleQuery>): Promise<PeopleAnswer> {
    return this.lists.people(q);
  }

  @Get('people/:userId/invoices')
  @ApiResponse({ status: 200, standardSchema: PaidInvoices })
  async paidInvoices(@Param('userId', { schema: Id }) userId: string): Promise<PaidInvoices> {
    return this.lists.paidInvoices(userId);
  }

  @Post('refunds')
  @Idempotent()
  @ApiResponse({ status: 201, standardSchema: RefundAnswer })
  async refund(
    @CurrentActor() admin: Actor,
    @IdempotencyKey() key: string,
    @Body({ schema: RefundBody }) { reason, ...of }: z.infer<typeof RefundBody>,
  ): Promise<RefundAnswer> {
    const result = await this.commands.execute(
      new RefundInvoice({
        refundId: idOfRequest(admin, key),
        of,
        by: admin.userId,
        explanation: reason,
      }),
    );
    if (!result.accepted) return refuse(result.rejection);
    const { status, amountUsdCents, balance, refund } = result;
    const { refundId: id, userId, invoiceId, lotId, credits: creditsRevoked } = refund;
    return { id, status, userId, invoiceId, lotId, amountUsdCents, creditsRevoked, balance };
  }

  @Post('adjustments/:id/approve')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: AdjustmentAnswer })
  async approveAdjustment(
    @CurrentActor() admin: Actor,
    @Param('id', { schema: Id }) id: string,
  ): Promise<AdjustmentAnswer> {
    return answerOf(await this.commands.execute(new ApproveAdjustment(id, admin.userId)));
  }

  @Post('adjustments/:id/decline')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: AdjustmentAnswer })
  async declineAdjustment(
    @CurrentActor() admin: Actor,
    @Param('id', { schema: Id }) id: string,
  ): Promise<AdjustmentAnswer> {
    return answerOf(await this.commands.execute(new DeclineAdjustment(id, admin.userId)));
  }
}

function standing(id: string, outcome: StandingOutcome): z.infer<typeof StandingAnswer> {
  return outcome.accepted ? { id, status: outcome.status } : refuse(outcome.rejection);
}

function answerOf(result: AdjustmentResult): AdjustmentAnswer {
  if (!result.accepted) {
    const { rejection } = result;
    // To a buyer it says what to buy; here it says that less can be taken.
    return refuse(
      rejection.code === 'InsufficientCredits' ? { ...rejection, code: 'RevocationTooLarge' } : rejection,
    );
  }
  const { accepted: _, ...answer } = result;
  return answer;
}
