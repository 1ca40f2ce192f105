import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import {
  CreatorAccountByState,
  CreatorAccounts,
  CreatorAccountsQuery,
  Statement,
  Statements,
  StatementsQuery,
} from '../../application/earnings/contract.js';
import { CreatorAccountReader, PayoutReader } from '../../application/earnings/readers.js';
import { Withdrawals } from '../../application/earnings/withdrawals.js';
import { Posting } from '../../application/finance/posting.js';
import { Id } from '../../application/shared/contract.js';
import { AccessFor } from './access.js';
import { ProblemException } from './problems.js';

/** What creators are owed and were paid, for people who check the books. */
@ApiTags('Finance')
@Controller('api/finance/creators')
@AccessFor('finance')
export class FinanceCreatorsController {
  constructor(
    private readonly accounts: CreatorAccountReader,
    private readonly withdrawals: Withdrawals,
    private readonly payouts: PayoutReader,
    private readonly posting: Posting,
  ) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: CreatorAccounts })
  async list(
    @Query({ schema: CreatorAccountsQuery }) query: z.infer<typeof CreatorAccountsQuery>,
  ): Promise<CreatorAccounts> {
    await this.posting.allPosted();
    return this.accounts.list(query);
  }

  @Get(':creatorId')
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

  @Get(':creatorId/statements')
  @ApiResponse({ status: 200, standardSchema: Statements })
  statements(
    @Param('creatorId', { schema: Id }) creatorId: string,
    @Query({ schema: StatementsQuery }) query: z.infer<typeof StatementsQuery>,
  ): Promise<Statements> {
    return this.payouts.list(creatorId, query);
  }

  /** A payout and the sales it pays; none for one that failed. */
  @Get(':creatorId/statements/:id')
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
