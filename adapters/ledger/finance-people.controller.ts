import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import { PeopleAnswer, PeopleQuery } from '../../application/administration/contract.js';
import { AdminLists } from '../../application/administration/readers.js';
import {
  CreatorAccountByState,
  CreatorAccounts,
  CreatorAccountsQuery,
  PayClaimBody,
  Payout,
  PayoutClaims,
  Statement,
  Statements,
  StatementsQuery,
} from '../../application/payouts/contract.js';
import { RedeemPayoutClaim } from '../../application/payouts/commands.js';
import { CreatorAccountReader, PayoutClaimReader, PayoutReader } from '../../application/payouts/readers.js';
import { Withdrawals } from '../../application/payouts/withdrawals.js';
import { Posting } from '../../application/ledger/posting.js';
import { Id } from '../../application/shared/contract.js';
import { AccessFor, CurrentActor, IdempotencyKey, type Actor } from '../platform/http/access.js';
import { laterWhereNotCounted } from '../platform/http/not-counted.js';
import { Idempotent } from '../platform/http/idempotency.js';
import { ProblemException, refuse } from '../platform/http/problems.js';

/** Whose money and credits the books are about: users, and what creators are owed and were paid. */
@ApiTags('Finance')
@Controller('api/finance')
@AccessFor('finance')
export class FinancePeopleController {
  constructor(
    private readonly lists: AdminLists,
    private readonly accounts: CreatorAccountReader,
    private readonly withdrawals: Withdrawals,
    private readonly payouts: PayoutReader,
    private readonly posting: Posting,
    private readonly claimed: PayoutClaimReader,
    private readonly commands: CommandBus,
  ) {}

  /** Who is meant by an e-mail address, a name or a handle. */
  @Get('people')
  @ApiResponse({ status: 200, standardSchema: PeopleAnswer })
  async people(@Query({ schema: PeopleQuery }) { q }: z.infer<typeof PeopleQuery>): Promise<PeopleAnswer> {
    return this.lists.people(q);
  }

  @Get('creators')
  @ApiResponse({ status: 200, standardSchema: CreatorAccounts })
  async list(
    @Query({ schema: CreatorAccountsQuery }) query: z.infer<typeof CreatorAccountsQuery>,
  ): Promise<CreatorAccounts> {
    await this.posting.allPosted();
    return this.accounts.list(query);
  }

  @Get('creators/:creatorId')
  @ApiResponse({ status: 200, standardSchema: CreatorAccountByState })
  async account(@Param('creatorId', { schema: Id }) creatorId: string): Promise<CreatorAccountByState> {
    await this.posting.allPosted();
    const account = await this.accounts.find(creatorId);
    if (!account) throw new ProblemException('NotFound');
    const { heldMicroUsd, heldUntil } = await this.withdrawals.balance(creatorId);
    return {
      ...account,
      heldMicroUsd,
      heldUntil,
      availableMicroUsd: account.balanceMicroUsd - heldMicroUsd,
    };
  }

  @Get('creators/:creatorId/statements')
  @ApiResponse({ status: 200, standardSchema: Statements })
  statements(
    @Param('creatorId', { schema: Id }) creatorId: string,
    @Query({ schema: StatementsQuery }) query: z.infer<typeof StatementsQuery>,
  ): Promise<Statements> {
    return this.payouts.list(creatorId, query);
  }

  /** What deleted accounts are owed. */
  @Get('claims')
  @ApiResponse({ status: 200, standardSchema: PayoutClaims })
  async claims(): Promise<PayoutClaims> {
    await this.posting.allPosted();
    return { items: await this.claimed.list() };
  }

  /** Pays a claim to the connected account of who shows its code. */
  @Post('claims/payouts')
  @Idempotent()
  @ApiResponse({ status: 201, standardSchema: Payout })
  async payClaim(
    @CurrentActor() { userId: actor }: Actor,
    @IdempotencyKey() key: string,
    @Body({ schema: PayClaimBody }) { code, userId }: z.infer<typeof PayClaimBody>,
  ): Promise<Payout> {
    const outcome = await this.commands
      .execute(new RedeemPayoutClaim({ code, userId, key, actor }))
      .catch(laterWhereNotCounted);
    if (outcome.accepted) return outcome.payout;
    if (outcome.rejection.code === 'TransferContradicts') throw new Error(outcome.rejection.detail);
    return refuse(outcome.rejection);
  }

  /** A payout and the sales it pays; none for one that failed. */
  @Get('creators/:creatorId/statements/:id')
  @ApiResponse({ status: 200, standardSchema: Statement })
  async statement(
    @Param('creatorId', { schema: Id }) creatorId: string,
    @Param('id', { schema: Id }) id: string,
  ): Promise<Statement> {
    const statement = await this.payouts.statement(creatorId, id);
    if (!statement) throw new ProblemException('NotFound');
    return statement;
  }
}
