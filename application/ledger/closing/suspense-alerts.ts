import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { OWED } from '../../../domain/ledger/accounts.js';
import { RESERVE } from '../../../domain/shared/balance-movement.js';
import { inUsd } from '../../../domain/shared/micro-usd.js';
import { Clock } from '../../shared/clock.js';
import { forEachCollectingErrors } from '../../shared/for-each-collecting-errors.js';
import { DecideAlert } from '../../alerts/decide-alert.js';
import { AlertQueries, OpenBookQueries } from '../queries.js';
import { REFUND_ON_ITS_WAY } from '../values.js';

const KIND = 'suspense';
const ACTOR = 'system:suspense';
/** The provider sends most pending refunds within days. */
const REFUND_PATIENCE_DAYS = 3;

const placeOf = (account: string): string =>
  account.startsWith(RESERVE)
    ? 'Held in reserve'
    : account.startsWith(OWED)
      ? 'Owed to a customer'
      : 'In suspense';

/** Raises one alert for each item in suspense, owed or in reserve, and settles it when the item is gone. */
@Injectable()
export class SuspenseAlerts {
  constructor(
    private readonly open: OpenBookQueries,
    private readonly alerts: AlertQueries,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const { items } = await this.open.clearable(this.clock.now());
    const told = new Set(await this.alerts.lasting(KIND));
    const keys = new Set(items.map(({ about }) => `${KIND}-${about}`));
    const raised = items.filter(
      ({ about, reason, ageDays }) =>
        !told.has(`${KIND}-${about}`) &&
        (!reason.startsWith(REFUND_ON_ITS_WAY) || ageDays >= REFUND_PATIENCE_DAYS),
    );
    await forEachCollectingErrors(raised, ({ account, about: item, amountMicroUsd, reason }) => {
      // If no dollars moved, the reason contains the amount in the other currency.
      const amount = amountMicroUsd === 0 ? '' : `${inUsd(amountMicroUsd)}, `;
      const text = `${placeOf(account)}: ${amount}${reason}.`;
      const alert = { key: `${KIND}-${item}`, kind: KIND, item, text, amountMicroUsd };
      return this.commands.execute(new DecideAlert({ type: 'RaiseAlert', alert }, ACTOR));
    });
    await forEachCollectingErrors(
      [...told].filter((key) => !keys.has(key)),
      (key) => this.commands.execute(new DecideAlert({ type: 'SettleAlert', key }, ACTOR)),
    );
  }
}
