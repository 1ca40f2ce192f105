import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../shared/clock.js';
import { PaymentGateway } from '../payments/payment-gateway.js';
import { PaymentRecords } from '../payments/payment-records.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { SettleInvoice } from '../payments/settle-invoice.js';
import { FollowSubscription } from './follow-subscription.js';

const DAY_MS = 86_400_000;
/** The provider repeats webhooks for three days. One day more avoids gaps. */
const LOOK_BACK_MS = 4 * DAY_MS;
const EVENTS_KEPT_MS = 60 * DAY_MS;
const SUBSCRIPTIONS_A_RUN = 50;
const ACTOR = 'system:payment-sweep';

/** Makes up for lost webhooks: settles paid invoices, and compares subscriptions with the provider. */
@Injectable()
export class PaymentSweep {
  constructor(
    private readonly gateway: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  /**
   * The worker runs it every few minutes. Concurrent runs do no harm.
   * @param lookBackMs how far back invoices are listed, by payment date
   * @returns how many unreported invoices were settled, and how many subscriptions were compared
   * @throws the last failure, after everything else was handled
   */
  async run(lookBackMs = LOOK_BACK_MS): Promise<{ settled: number; checked: number }> {
    const now = this.clock.now();
    const invoices = await this.gateway.listPaidInvoices(new Date(now.getTime() - lookBackMs));
    const known = await this.records.settledAmong(invoices.map(({ invoiceId }) => invoiceId));
    let settled = 0;
    const settleUnheard = () =>
      forEachCollectingErrors(invoices, async (invoice) => {
        if (known.has(invoice.invoiceId)) return;
        const cause = { actor: ACTOR, causationId: invoice.invoiceId };
        if ((await this.commands.execute(new SettleInvoice(invoice, cause))).accepted) settled += 1;
      });
    const due = await this.records.leastRecentlyChecked(SUBSCRIPTIONS_A_RUN, now);
    const compare = () =>
      forEachCollectingErrors(due, async ({ userId, subscriptionId }) => {
        const correlationId = `subscription-${subscriptionId}`;
        const metadata = { actor: ACTOR, correlationId };
        await this.commands.execute(new FollowSubscription(userId, subscriptionId, metadata));
        await this.records.markChecked(userId, now);
      });
    const forget = () => this.records.forgetEvents(new Date(now.getTime() - EVENTS_KEPT_MS));
    await forEachCollectingErrors([settleUnheard, compare, forget], (step) => step());
    return { settled, checked: due.length };
  }
}
