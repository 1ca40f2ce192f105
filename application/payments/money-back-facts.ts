import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../shared/clock.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { RecordDispute, RecordRefund } from './commands.js';
import type { PaymentEvent } from './payment-gateway.js';
import { PaymentRecords } from './payment-records.js';
import { RefundGateway } from './refund-gateway.js';

const DAY_MS = 86_400_000;
/** Webhooks are repeated for three days; one day more, and nothing falls between. */
const LOOK_BACK_MS = 4 * DAY_MS;

/** What the provider tells of refunds and disputes; never believed, always read again, recorded once. */
@Injectable()
export class MoneyBackFacts {
  constructor(
    private readonly gateway: RefundGateway,
    private readonly commands: CommandBus,
    private readonly records: PaymentRecords,
    private readonly clock: Clock,
  ) {}

  /** @returns whether the event was about money that went back for an invoice of ours */
  async handle(event: PaymentEvent): Promise<boolean> {
    if (event.accountId) return false;
    const chargeId = await this.gateway.chargeBehind(event);
    if (chargeId === undefined) return false;
    let ours = false;
    // What went back first is recorded first, whatever is told first: what a refund takes, a dispute does not find.
    for (const fact of await this.gateway.moneyBackOf(chargeId))
      ours = await this.commands.execute(
        'refund' in fact
          ? new RecordRefund(fact.refund, event.id)
          : new RecordDispute(fact.dispute, event.id),
      );
    return ours;
  }

  /** Finds what no webhook told of. @returns how many events were taken up @throws the last failure, after all were tried */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    const since = new Date(now.getTime() - LOOK_BACK_MS);
    let taken = 0;
    await forEachCollectingErrors(await this.gateway.listEvents(since), async (event) => {
      if (await this.records.receive(event, now)) return;
      await this.handle(event);
      await this.records.markHandled(event.id, now);
      taken += 1;
    });
    return taken;
  }
}
