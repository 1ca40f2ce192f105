import { Controller, Get, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import { CreditBalance, CreditLinePage, LedgerQuery } from '../../application/credits/contract.js';
import { CreditStatement } from '../../application/purchases/readers.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';

/** One's own credits. */
@ApiTags('Credits')
@Controller('api/credits')
@AccessFor('user')
export class CreditsController {
  constructor(private readonly statement: CreditStatement) {}

  @Get()
  @ApiResponse({ status: 200, standardSchema: CreditBalance })
  async balance(@CurrentActor() actor: Actor): Promise<CreditBalance> {
    return this.statement.balance(actor.userId);
  }

  @Get('ledger')
  @ApiResponse({ status: 200, standardSchema: CreditLinePage })
  async ledger(
    @CurrentActor() actor: Actor,
    @Query({ schema: LedgerQuery }) query: z.infer<typeof LedgerQuery>,
  ): Promise<CreditLinePage> {
    return this.statement.lines(actor.userId, query);
  }
}
