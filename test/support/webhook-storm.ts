import type Stripe from 'stripe';
import type { PaymentEvents } from '../../application/payments/payment-events.js';
import type { Random } from '../../domain/shared/seeded-random.js';
import { WEBHOOK_SECRET } from './stripe.js';

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const copy = [...items];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [copy[at], copy[other]] = [copy[other] as Item, copy[at] as Item];
  }
  return copy;
}

/** Each event up to three times, in random order. `lossy`: some events never arrive. */
export const stormOf = (
  events: readonly Stripe.Event[],
  random: Random,
  { lossy = false } = {},
): Stripe.Event[] =>
  shuffled(
    events.flatMap((event) => {
      const times = lossy ? Math.floor(random() * 4) : 1 + Math.floor(random() * 3);
      return Array.from({ length: times }, () => event);
    }),
    random,
  );

const isConflict = (error: unknown): boolean => (error as Error).name === 'StreamVersionConflict';

export class StormDispatcher {
  private readonly signatures = new Map<string, [Buffer, string]>();

  constructor(private readonly stripe: Stripe) {}

  /**
   * Returns body and signature of an event. Each event is signed once, because a run ends before a signature
   * expires.
   */
  signed(event: Stripe.Event): [Buffer, string] {
    const known = this.signatures.get(event.id);
    if (known) return known;
    const payload = JSON.stringify(event);
    const signature = this.stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
    const fresh: [Buffer, string] = [Buffer.from(payload), signature];
    this.signatures.set(event.id, fresh);
    return fresh;
  }

  /**
   * Delivers in the given order, `atOnce` concurrently. Failed deliveries are repeated at the end, as Stripe
   * does.
   */
  async deliver(
    webhooks: Pick<PaymentEvents, 'receive'>,
    deliveries: readonly Stripe.Event[],
    atOnce = 1,
  ): Promise<void> {
    const waiting = [...deliveries];
    while (waiting.length > 0) {
      const now = waiting.splice(0, atOnce);
      const outcomes = await Promise.allSettled(now.map((event) => webhooks.receive(...this.signed(event))));
      outcomes.forEach((outcome, index) => {
        if (outcome.status === 'rejected' && !isConflict(outcome.reason)) throw outcome.reason;
        if (outcome.status === 'rejected') waiting.push(now[index] as Stripe.Event);
      });
    }
  }
}
