import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { OWED } from '../../../domain/ledger/accounts.js';
import { RESERVE } from '../../../domain/shared/balance-movement.js';
import { inUsd } from '../../../domain/shared/micro-usd.js';
import { Clock } from '../../shared/clock.js';
import { AlertQueries, OpenBookQueries } from '../queries.js';
import { renewAlerts } from '../renew-alerts.js';
import { REFUND_ON_ITS_WAY } from '../values.js';

const KIND = 'suspense';
/** The provider sends most pending refunds within days. */
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
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const { items } = await this.open.clearable(this.clock.now());
    const keyOf = ({ about }: { about: string }): string => `${KIND}-${about}`;
    const alerts = items
      .filter(
        ({ reason, ageDays }) => !reason.startsWith(REFUND_ON_ITS_WAY) || ageDays >= REFUND_PATIENCE_DAYS,
      )
      .map((item) => {
        const { account, about, amountMicroUsd, reason } = item;
        // The reason of an item in another currency contains its amount.
        const amount = amountMicroUsd === 0 ? '' : `${inUsd(amountMicroUsd)}, `;
        const text = `${placeOf(account)}: ${amount}${reason}.`;
        return { key: keyOf(item), kind: KIND, item: about, text, amountMicroUsd };
      });
    const lasting = await this.alerts.lasting(KIND);
    await renewAlerts(this.commands, 'system:suspense', lasting, alerts, items.map(keyOf));
  }
}
