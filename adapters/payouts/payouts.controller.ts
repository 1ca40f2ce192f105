import { Body, Controller, Get, Header, HttpCode, Param, Post, Put, Query, UseFilters } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import {
  ConnectAnswer,
  ConnectBody,
  ConnectStatus,
  CreatorBalance,
  Payout,
  PayoutSchedule,
  PayoutScheduleBody,
  Statement,
  Statements,
  StatementsQuery,
  WithdrawalBody,
} from '../../application/payouts/contract.js';
import { RequestWithdrawal } from '../../application/payouts/commands.js';
import { PayoutAccounts } from '../../application/payouts/payout-accounts.js';
import { PayoutSchedules } from '../../application/payouts/payout-schedules.js';
import { PayoutReader } from '../../application/payouts/readers.js';
import { payoutsCsv, statementCsv } from '../../application/payouts/statement-csv.js';
import { Withdrawals } from '../../application/payouts/withdrawals.js';
import {
  AccessFor,
  CurrentActor,
  IdempotencyKey,
  NeedsFreshSignIn,
  type Actor,
} from '../platform/http/access.js';
import { CheckoutProblemFilter } from '../platform/http/checkout-problem.filter.js';
import { Idempotent } from '../platform/http/idempotency.js';
import { laterWhereNotCounted } from '../platform/http/not-counted.js';
import { ProblemException, refuse } from '../platform/http/problems.js';

const MOST_STATEMENTS = 1_000;

/** How creators are paid. */
@ApiTags('Creators')
@Controller('api')
@AccessFor('creator')
export class PayoutsController {
  constructor(
    private readonly accounts: PayoutAccounts,
    private readonly commands: CommandBus,
    private readonly withdrawals: Withdrawals,
    private readonly payouts: PayoutReader,
    private readonly schedules: PayoutSchedules,
  ) {}

  /** The address of a page where the payment provider's questions are answered. */
  @Post('stripe/connect/create-account')
  @HttpCode(200)
  @NeedsFreshSignIn()
  @UseFilters(CheckoutProblemFilter)
  @ApiResponse({ status: 200, standardSchema: ConnectAnswer })
  async connect(
    @CurrentActor() actor: Actor,
    @Body({ schema: ConnectBody }) body: z.infer<typeof ConnectBody>,
  ): Promise<z.infer<typeof ConnectAnswer>> {
    if (body.userId !== undefined && body.userId !== actor.userId)
      throw new ProblemException('NotAllowed', { detail: 'You can only connect your own account.' });
    const { userId: creatorId } = actor;
    return this.accounts.startOnboarding({
      creatorId,
      email: body.email ?? actor.email,
      country: body.country,
    });
  }

  @Get('stripe/connect/status/:userId')
  @AccessFor('payee')
  @UseFilters(CheckoutProblemFilter)
  @ApiResponse({ status: 200, standardSchema: ConnectStatus })
  status(@CurrentActor() actor: Actor, @Param('userId') userId: string): Promise<ConnectStatus> {
    if (userId !== actor.userId)
      throw new ProblemException('NotAllowed', { detail: 'You can only see your own account.' });
    return this.accounts.status(userId);
  }

  @Get('creator/balance')
  @AccessFor('payee')
  @ApiResponse({ status: 200, standardSchema: CreatorBalance })
  balance(@CurrentActor() actor: Actor): Promise<CreatorBalance> {
    return this.withdrawals.balance(actor.userId);
  }

  @Get('creator/payout-schedule')
  @AccessFor('payee')
  @ApiResponse({ status: 200, standardSchema: PayoutSchedule })
  schedule(@CurrentActor() actor: Actor): Promise<PayoutSchedule> {
    return this.schedules.of(actor.userId);
  }

  /** Takes effect on the next first of a month. */
  @Put('creator/payout-schedule')
  @ApiResponse({ status: 200, standardSchema: PayoutSchedule })
  chooseSchedule(
    @CurrentActor() actor: Actor,
    @Body({ schema: PayoutScheduleBody }) { schedule }: z.infer<typeof PayoutScheduleBody>,
  ): Promise<PayoutSchedule> {
    return this.schedules.choose(actor.userId, schedule);
  }

  /** Reserves the amount at once; the transfer follows within seconds. */
  @Post('creator/withdrawals')
  @Idempotent()
  @ApiResponse({ status: 201, standardSchema: Payout })
  async withdraw(
    @CurrentActor() actor: Actor,
    @IdempotencyKey() key: string,
    @Body({ schema: WithdrawalBody }) { amountUsdCents }: z.infer<typeof WithdrawalBody>,
  ): Promise<Payout> {
    const outcome = await this.commands
      .execute(new RequestWithdrawal({ creatorId: actor.userId, key, amountUsdCents }))
      .catch(laterWhereNotCounted);
    if (outcome.accepted) return outcome.payout;
    // What the provider tells is never the answer to a request.
    if (outcome.rejection.code === 'TransferContradicts') throw new Error(outcome.rejection.detail);
    return refuse(outcome.rejection);
  }

  @Get('creator/statements.csv')
  @AccessFor('payee')
  @Header('Content-Type', 'text/csv; charset=utf-8')
  @Header('Content-Disposition', 'attachment; filename="payouts.csv"')
  @Header('Cache-Control', 'private, no-store')
  @ApiProduces('text/csv')
  async listAsCsv(@CurrentActor() actor: Actor): Promise<string> {
    return payoutsCsv((await this.payouts.list(actor.userId, { limit: MOST_STATEMENTS })).items);
  }

  @Get('creator/statements/:id.csv')
  @AccessFor('payee')
  @Header('Content-Type', 'text/csv; charset=utf-8')
  @Header('Content-Disposition', 'attachment; filename="payout.csv"')
  @Header('Cache-Control', 'private, no-store')
  @ApiProduces('text/csv')
  async statementAsCsv(@CurrentActor() actor: Actor, @Param('id') id: string): Promise<string> {
    return statementCsv(await this.#statement(actor, id));
  }

  @Get('creator/statements')
  @AccessFor('payee')
  @ApiResponse({ status: 200, standardSchema: Statements })
  list(
    @CurrentActor() actor: Actor,
    @Query({ schema: StatementsQuery }) query: z.infer<typeof StatementsQuery>,
  ): Promise<Statements> {
    return this.payouts.list(actor.userId, query);
  }

  /** A payout and the sales it pays. */
  @Get('creator/statements/:id')
  @AccessFor('payee')
  @ApiResponse({ status: 200, standardSchema: Statement })
  statement(@CurrentActor() actor: Actor, @Param('id') id: string): Promise<Statement> {
    return this.#statement(actor, id);
  }

  async #statement(actor: Actor, id: string): Promise<Statement> {
    const statement = await this.payouts.statement(actor.userId, id);
    if (!statement) throw new ProblemException('NotFound');
    return statement;
  }
}
