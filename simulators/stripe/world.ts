import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import { noSuch } from './faults.js';
import type { Kind, Objects, State } from './state.js';

const NAMES: Record<Kind, string> = {
  customers: 'customer',
  products: 'product',
  prices: 'price',
  checkoutSessions: 'checkout.session',
  paymentMethods: 'PaymentMethod',
  subscriptions: 'subscription',
  subscriptionSchedules: 'subscription_schedule',
  invoices: 'invoice',
  taxRates: 'tax_rate',
  taxIds: 'tax_id',
  creditNotes: 'credit_note',
  invoicePayments: 'invoice_payment',
  paymentIntents: 'payment_intent',
  charges: 'charge',
  balanceTransactions: 'balance_transaction',
  portalConfigurations: 'billing_portal.configuration',
  portalSessions: 'billing_portal.session',
  accounts: 'account',
  transfers: 'transfer',
  payouts: 'payout',
  refunds: 'refund',
  disputes: 'dispute',
  webhookEndpoints: 'webhook_endpoint',
  events: 'event',
};

/** The state that resources use: the objects, the clock and the events. */
export class World {
  /** The simulated time of the due event that is running. Undefined: the clock runs. */
  heldAt: number | undefined;
  /** The request that causes the current events. */
  request: { id: string; idempotency_key: string | null } | undefined;

  constructor(
    readonly state: State,
    private readonly realNow: () => Date,
    /** Returns the address of its pages, without a trailing slash. */
    readonly base: () => string,
    private readonly onEvent: (event: Stripe.Event) => void,
  ) {}

  get objects(): Objects {
    return this.state.objects;
  }

  /** Simulated time in seconds since 1970. */
  now(): number {
    return this.heldAt ?? Math.floor(this.realNow().getTime() / 1000) + this.state.clockOffsetSeconds;
  }

  id(prefix: string): string {
    // Letters and digits only, as in Stripe's ids.
    return `${prefix}_${randomBytes(24).toString('base64').replace(/[+/=]/g, '').slice(0, 24)}`;
  }

  find<K extends Kind>(kind: K, id: string, param = 'id'): Objects[K][string] {
    const found = Object.hasOwn(this.objects[kind], id) ? this.objects[kind][id] : undefined;
    if (!found) throw noSuch(NAMES[kind], id, param);
    return found as Objects[K][string];
  }

  lookup(id: string): object | undefined {
    for (const kind of Object.keys(this.objects) as Kind[])
      if (Object.hasOwn(this.objects[kind], id)) return this.objects[kind][id];
    return undefined;
  }

  /** Newest first, as Stripe lists. */
  all<K extends Kind>(kind: K): Array<Objects[K][string]> {
    return Object.values(this.objects[kind]).reverse() as Array<Objects[K][string]>;
  }

  /**
   * Records an event with a copy of the object, and queues its webhook.
   * @param account the connected account that the event is about; absent: our own
   */
  emit(type: string, object: object, previous?: Record<string, unknown>, account?: string): void {
    const event = {
      id: this.id('evt'),
      object: 'event',
      ...(account ? { account } : {}),
      api_version: Stripe.API_VERSION,
      created: this.now(),
      data: {
        object: structuredClone(object),
        ...(previous ? { previous_attributes: structuredClone(previous) } : {}),
      },
      livemode: false,
      pending_webhooks: 1,
      request: this.request ?? { id: null, idempotency_key: null },
      type,
    } as Stripe.Event;
    this.objects.events[event.id] = event;
    this.onEvent(event);
  }
}

/** Stripe's API writes a decimal as text. */
export const decimal = (value: number): Stripe.Decimal => String(value) as unknown as Stripe.Decimal;

export const listOf = <Item>(data: Item[], url: string): Stripe.ApiList<Item> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});

/** Returns the id of a reference that may be expanded. */
export const idOf = (reference: string | { id: string } | null | undefined): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');

/** Returns the time `count` months later. The 31st becomes the last day of a shorter month, as in Stripe. */
export function monthsAfter(anchorSeconds: number, count: number): number {
  const anchor = new Date(anchorSeconds * 1000);
  const target = new Date(anchor);
  target.setUTCDate(1);
  target.setUTCMonth(anchor.getUTCMonth() + count);
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return Math.floor(target.getTime() / 1000);
}
