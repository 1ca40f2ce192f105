import type { CommandBus } from '@nestjs/cqrs';
import type { PayoutAccounts } from '../../application/payouts/payout-accounts.js';
import type { Clock } from '../../application/shared/clock.js';
import type { PlanId } from '../../application/subscriptions/contract.js';
import type { PaymentEvents } from '../../application/payments/payment-events.js';
import { StartCheckout } from '../../application/subscriptions/change-subscription.js';
import type { StripeSimulator } from '../../simulators/stripe/server.js';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Makes the payments of the demo's past on the pages of the Stripe simulator. The simulator's clock follows the demo's
 * clock, so that plans renew every month. The product receives the simulator's signed webhooks.
 */
export class DemoCheckout {
  constructor(
    private readonly tools: {
      simulator: StripeSimulator;
      clock: Clock;
      commands: CommandBus;
      events: PaymentEvents;
      payoutAccounts: PayoutAccounts;
    },
  ) {}

  /** @param from the first day of the demo; ignored if an interrupted seeding has already created customers */
  open(from: Date): void {
    const { simulator, events } = this.tools;
    simulator.divert(async (payload, signature) => {
      await events.receive(Buffer.from(payload), signature);
      return true;
    });
    simulator.backdate(from);
  }

  /** Sets the simulator's clock to the present. From now on, it sends webhooks to the configured address again. */
  async close(now: Date): Promise<void> {
    await this.advanceTo(now);
    // A webhook that the product handled itself would be recorded at the product's time.
    await this.tools.simulator.endDiversion();
  }

  /** Moves the simulator's clock to the demo's, in steps of at least a day. */
  async follow(): Promise<void> {
    const now = this.tools.clock.now();
    if (now.getTime() - this.tools.simulator.now().getTime() >= DAY_MS) await this.advanceTo(now);
  }

  /** Buys a plan, unless the listener has one. */
  async subscribe(listener: { userId: string; email: string; plan: PlanId }): Promise<void> {
    await this.advanceTo(this.tools.clock.now());
    const { plan: product, ...buyer } = listener;
    const order = { ...buyer, product, requestKey: `demo-${product}` };
    const checkout = await this.tools.commands.execute(new StartCheckout(order));
    if (checkout.accepted) await press(checkout.url, { outcome: 'paid' });
  }

  /** Completes the creator's onboarding on the simulator's page, so that the creator can be paid. */
  async connect(creator: { creatorId: string; email: string }): Promise<void> {
    const { payoutAccounts } = this.tools;
    if ((await payoutAccounts.current(creator.creatorId))?.payoutsEnabled) return;
    const page = await payoutAccounts.startOnboarding({ ...creator, country: 'US' });
    if (page) await press(page.url, { outcome: 'completed' });
    await payoutAccounts.current(creator.creatorId);
  }

  private async advanceTo(at: Date): Promise<void> {
    const { simulator } = this.tools;
    const aheadMs = at.getTime() - simulator.now().getTime();
    if (aheadMs > 0) await simulator.advance(aheadMs / DAY_MS);
  }
}

/** Submits the form of one of the simulator's pages. */
async function press(url: string, fields: Record<string, string>): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  if (answer.status !== 303) throw new Error(`the simulator answered ${answer.status} at ${url}`);
}
