import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Alert } from '../../domain/alerts/alert.js';
import { OWED } from '../../domain/ledger/accounts.js';
import { RESERVE } from '../../domain/shared/balance-movement.js';
import { inCurrency, inExactUsd, inUsd } from '../../domain/shared/micro-usd.js';
import { DecideAlert } from '../alerts/decide-alert.js';
import { SalesUnderReviewQueries } from '../payouts/queries.js';
import { Clock } from '../shared/clock.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { Materiality } from './materiality.js';
import { AlertQueries, OpenBookQueries } from './queries.js';
import { REFUND_ON_ITS_WAY, SALE_UNDER_REVIEW } from './values.js';

/**
 * Raises the new alerts of a kind, and settles raised alerts whose key is not in `subjects`.
 * @param lasting keys of the raised alerts of this kind
 * @param subjects keys of the alerts that stay raised, because their finding still exists and is material. Default:
 * the keys of `alerts`
 */
export async function renewAlerts(
  commands: CommandBus,
  actor: string,
  lasting: readonly string[],
  alerts: readonly Alert[],
  subjects = alerts.map(({ key }) => key),
): Promise<void> {
  const [lastingKeys, present] = [new Set(lasting), new Set(subjects)];
  await forEachCollectingErrors(
    alerts.filter(({ key }) => !lastingKeys.has(key)),
    (alert) => commands.execute(new DecideAlert({ type: 'RaiseAlert', alert }, actor)),
  );
  await forEachCollectingErrors(
    lasting.filter((key) => !present.has(key)),
    (key) => commands.execute(new DecideAlert({ type: 'SettleAlert', key }, actor)),
  );
}

const IN_SUSPENSE = 'suspense';
/** A pending refund becomes an alert after this time. The provider sends most of them earlier. */
const REFUND_PATIENCE_DAYS = 3;

const placeOf = (account: string): string =>
  account.startsWith(RESERVE)
    ? 'Held in reserve'
    : account.startsWith(OWED)
      ? 'Owed to a customer'
      : 'In suspense';

@Injectable()
export class SuspenseAlerts {
  constructor(
    private readonly open: OpenBookQueries,
    private readonly alerts: AlertQueries,
    private readonly materiality: Materiality,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const open = await this.open.clearable(this.clock.now());
    const items = await this.materiality.worthAlerting(open.items);
    const keyOf = ({ about }: { about: string }): string => `${IN_SUSPENSE}-${about}`;
    const alerts = items
      .filter(
        ({ reason, ageDays }) => !reason.startsWith(REFUND_ON_ITS_WAY) || ageDays >= REFUND_PATIENCE_DAYS,
      )
      .map((item) => {
        const { account, about, amountMicroUsd, amountMicro, currency, reason } = item;
        const amount = currency === 'usd' ? inUsd(amountMicroUsd) : inCurrency(amountMicro, currency);
        // The reason of an item in suspense in another currency begins with the amount.
        const text = `${placeOf(account)}: ${reason.startsWith(amount) ? '' : `${amount}, `}${reason}.`;
        return { key: keyOf(item), kind: IN_SUSPENSE, item: about, text, amountMicroUsd };
      });
    const lasting = await this.alerts.lasting(IN_SUSPENSE);
    await renewAlerts(this.commands, 'system:suspense', lasting, alerts, items.map(keyOf));
  }
}

const PAGE = 100;

@Injectable()
export class ReviewAlerts {
  constructor(
    private readonly sales: SalesUnderReviewQueries,
    private readonly alerts: AlertQueries,
    private readonly materiality: Materiality,
    private readonly commands: CommandBus,
  ) {}

  async run(): Promise<void> {
    const lasting = await this.alerts.lasting(SALE_UNDER_REVIEW);
    const alerts = (await this.all()).map((sale) => ({
      key: `${SALE_UNDER_REVIEW}-${sale.purchaseId}`,
      kind: SALE_UNDER_REVIEW,
      item: sale.purchaseId,
      text: `Under review: a sale brought ${inExactUsd(sale.perCreditMicroUsd)} a credit, and no product costs more than ${inExactUsd(sale.dearestMicroUsd)}. No one can withdraw its ${inUsd(sale.shareMicroUsd)}.`,
      amountMicroUsd: sale.shareMicroUsd,
    }));
    await renewAlerts(this.commands, 'system:reviews', lasting, await this.materiality.worthAlerting(alerts));
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
