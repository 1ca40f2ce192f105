import { Controller, Get, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import {
  BalancesOverTime,
  LateFacts,
  LateFactsQuery,
  MonthlyRollforward,
  MonthlyRollforwardQuery,
  OpenItems,
} from '../../application/ledger/contract.js';
import { Posting } from '../../application/ledger/posting.js';
import { MonthlyBooks, OpenBooks } from '../../application/ledger/readers.js';
import { Clock } from '../../application/shared/clock.js';
import { AccessFor } from '../platform/http/access.js';

/** The books over the months, and what is open in them. */
@ApiTags('Finance')
@Controller('api/finance')
@AccessFor('finance')
export class FinanceMonthsController {
  constructor(
    private readonly months: MonthlyBooks,
    private readonly open: OpenBooks,
    private readonly posting: Posting,
    private readonly clock: Clock,
  ) {}

  @Get('balances-over-time')
  @ApiResponse({ status: 200, standardSchema: BalancesOverTime })
  async balances(): Promise<BalancesOverTime> {
    await this.posting.allPosted();
    return this.months.balances(this.clock.now());
  }

  @Get('credit-rollforward/months')
  @ApiResponse({ status: 200, standardSchema: MonthlyRollforward })
  async rollforward(
    @Query({ schema: MonthlyRollforwardQuery }) { userId }: z.infer<typeof MonthlyRollforwardQuery>,
  ): Promise<MonthlyRollforward> {
    await this.posting.allPosted();
    return this.months.rollforward(this.clock.now(), userId);
  }

  @Get('open-items')
  @ApiResponse({ status: 200, standardSchema: OpenItems })
  async openItems(): Promise<OpenItems> {
    await this.posting.allPosted();
    return this.open.openItems(this.clock.now());
  }

  @Get('late-facts')
  @ApiResponse({ status: 200, standardSchema: LateFacts })
  async lateFacts(
    @Query({ schema: LateFactsQuery }) query: z.infer<typeof LateFactsQuery>,
  ): Promise<LateFacts> {
    await this.posting.allPosted();
    return this.open.lateFacts(query);
  }
}
