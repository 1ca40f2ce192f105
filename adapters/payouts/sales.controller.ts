import { Controller, Get, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import { CreatorDashboard, PERIOD_DAYS, Sales, SalesQuery } from '../../application/payouts/contract.js';
import { CreatorSales } from '../../application/payouts/readers.js';
import { Withdrawals } from '../../application/payouts/withdrawals.js';
import { Clock } from '../../application/shared/clock.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';

const DASHBOARD_DAYS = 30;
const ACTIVITIES = 10;

/** What one's own samples sold. */
@ApiTags('Creators')
@Controller('api/creator')
export class SalesController {
  constructor(
    private readonly sales: CreatorSales,
    private readonly withdrawals: Withdrawals,
    private readonly clock: Clock,
  ) {}

  @Get('sales')
  @AccessFor('payee')
  @ApiResponse({ status: 200, standardSchema: Sales })
  async list(
    @CurrentActor() { userId }: Actor,
    @Query({ schema: SalesQuery }) { period, ...page }: z.infer<typeof SalesQuery>,
  ): Promise<Sales> {
    const [balance, points, list] = await Promise.all([
      this.withdrawals.balance(userId),
      this.sales.points(userId, PERIOD_DAYS[period], this.clock.now()),
      this.sales.list(userId, page, this.clock.now()),
    ]);
    const { totalEarningsMicroUsd, availableMicroUsd, heldMicroUsd } = balance;
    return { totalEarningsMicroUsd, availableMicroUsd, heldMicroUsd, points, ...list };
  }

  /** Open to whoever drafts packs: without sales it is all zero. */
  @Get('dashboard')
  @AccessFor('user')
  @ApiResponse({ status: 200, standardSchema: CreatorDashboard })
  async dashboard(@CurrentActor() { userId }: Actor): Promise<CreatorDashboard> {
    const now = this.clock.now();
    const [{ availableMicroUsd }, points, { items: activity }, compared] = await Promise.all([
      this.withdrawals.balance(userId),
      this.sales.points(userId, DASHBOARD_DAYS, now),
      this.sales.list(userId, { limit: ACTIVITIES }, this.clock.now()),
      this.sales.compared(userId, DASHBOARD_DAYS, now),
    ]);
    return { ...compared, availableMicroUsd, points, activity };
  }
}
