import { Readable } from 'node:stream';
import { Controller, Header, StreamableFile } from '@nestjs/common';
import { PERIOD_DAYS, type Sale } from '../../application/payouts/contract.js';
import { listSales, listSalesAsCsv, readDashboard } from '../../application/payouts/endpoints.js';
import { CreatorSalesQueries } from './creator-sales.js';
import { salesCsv } from '../../application/payouts/statement-csv.js';
import { DASHBOARD_DAYS } from '../../application/payouts/values.js';
import { Withdrawals } from '../../application/payouts/withdrawals.js';
import { Clock } from '../../application/shared/clock.js';
import { Route, type Call } from '../platform/http/route.js';

const ACTIVITIES = 10;
const PAGE_OF_TABLE = 1_000;

@Controller()
export class SalesController {
  constructor(
    private readonly sales: CreatorSalesQueries,
    private readonly withdrawals: Withdrawals,
    private readonly clock: Clock,
  ) {}

  @Route(listSales)
  async list({ actor: { userId }, query: { period, ...page } }: Call<typeof listSales>) {
    const [balance, points, list] = await Promise.all([
      this.withdrawals.balance(userId),
      this.sales.points(userId, PERIOD_DAYS[period], this.clock.now()),
      this.sales.list(userId, page, this.clock.now()),
    ]);
    const { totalEarningsMicroUsd, availableMicroUsd, heldMicroUsd } = balance;
    return { totalEarningsMicroUsd, availableMicroUsd, heldMicroUsd, points, ...list };
  }

  @Route(listSalesAsCsv)
  @Header('Cache-Control', 'private, no-store')
  listAsCsv({ actor }: Call<typeof listSalesAsCsv>) {
    return new StreamableFile(Readable.from(salesCsv(this.all(actor.userId))), {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="sales.csv"',
    });
  }

  private async *all(creatorId: string): AsyncGenerator<readonly Sale[]> {
    const now = this.clock.now();
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = { limit: PAGE_OF_TABLE, ...(cursor && { cursor }) };
      const { items, nextCursor } = await this.sales.list(creatorId, page, now);
      yield items;
      cursor = nextCursor;
    }
  }

  @Route(readDashboard)
  async dashboard({ actor: { userId } }: Call<typeof readDashboard>) {
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
