import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { inExactUsd, inUsd } from '../../domain/shared/micro-usd.js';
import { SalesUnderReviewQueries } from '../payouts/queries.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { DecideAlert } from '../alerts/decide-alert.js';
import { AlertQueries } from './queries.js';
import { SALE_UNDER_REVIEW } from './values.js';

const ACTOR = 'system:reviews';
const PAGE = 100;
const keyOf = ({ purchaseId }: { purchaseId: string }): string => `${SALE_UNDER_REVIEW}-${purchaseId}`;

/** Raises one alert for each sale under review, and settles it when the review ends. */
@Injectable()
export class ReviewAlerts {
  constructor(
    private readonly sales: SalesUnderReviewQueries,
    private readonly alerts: AlertQueries,
    private readonly commands: CommandBus,
  ) {}

  async run(): Promise<void> {
    const told = new Set(await this.alerts.lasting(SALE_UNDER_REVIEW));
    const sales = await this.all();
    await forEachCollectingErrors(
      sales.filter((sale) => !told.has(keyOf(sale))),
      (sale) => {
        const text = `Under review: a sale brought ${inExactUsd(sale.perCreditMicroUsd)} a credit, and no plan costs more than ${inExactUsd(sale.dearestMicroUsd)}. No one can withdraw its ${inUsd(sale.shareMicroUsd)}.`;
        const alert = {
          key: keyOf(sale),
          kind: SALE_UNDER_REVIEW,
          item: sale.purchaseId,
          text,
          amountMicroUsd: sale.shareMicroUsd,
        };
        return this.commands.execute(new DecideAlert({ type: 'RaiseAlert', alert }, ACTOR));
      },
    );
    const keys = new Set(sales.map(keyOf));
    await forEachCollectingErrors(
      [...told].filter((key) => !keys.has(key)),
      (key) => this.commands.execute(new DecideAlert({ type: 'SettleAlert', key }, ACTOR)),
    );
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
