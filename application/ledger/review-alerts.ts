import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { inExactUsd, inUsd } from '../../domain/shared/micro-usd.js';
import { SalesUnderReviewQueries } from '../payouts/queries.js';
import { AlertQueries } from './queries.js';
import { renewAlerts } from './renew-alerts.js';
import { SALE_UNDER_REVIEW } from './values.js';

const PAGE = 100;

@Injectable()
export class ReviewAlerts {
  constructor(
    private readonly sales: SalesUnderReviewQueries,
    private readonly alerts: AlertQueries,
    private readonly commands: CommandBus,
  ) {}

  async run(): Promise<void> {
    const lasting = await this.alerts.lasting(SALE_UNDER_REVIEW);
    const alerts = (await this.all()).map((sale) => ({
      key: `${SALE_UNDER_REVIEW}-${sale.purchaseId}`,
      kind: SALE_UNDER_REVIEW,
      item: sale.purchaseId,
      text: `Under review: a sale brought ${inExactUsd(sale.perCreditMicroUsd)} a credit, and no plan costs more than ${inExactUsd(sale.dearestMicroUsd)}. No one can withdraw its ${inUsd(sale.shareMicroUsd)}.`,
      amountMicroUsd: sale.shareMicroUsd,
    }));
    await renewAlerts(this.commands, 'system:reviews', lasting, alerts);
  }

  private async all() {
    const sales = [];
    let cursor: string | undefined;
    do {
      const page = await this.sales.list({ limit: PAGE, ...(cursor && { cursor }) });
      sales.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return sales;
  }
}
