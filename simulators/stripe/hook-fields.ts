import type Stripe from 'stripe';
import type { Kind, Kinds } from './state.js';
import { idOf, type World } from './world.js';

export const MAX_DAYS = 3660;

export class Refusal extends Error {
  constructor(
    readonly status: 400 | 404,
    message: string,
  ) {
    super(message);
  }
}

export class Fields {
  constructor(private readonly given: Record<string, unknown>) {}

  text = (name: string, otherwise = ''): string => String(this.given[name] ?? otherwise);

  number(
    name: string,
    limits: { from: number; to: number; otherwise?: number | undefined; whole?: boolean },
  ): number {
    const value = this.given[name] ?? limits.otherwise ?? '';
    const number = typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
    if (!(number >= limits.from && number <= limits.to) || (limits.whole && !Number.isInteger(number)))
      throw new Refusal(400, `${name} must be ${limits.from} to ${limits.to}`);
    return number;
  }

  /** Returns a positive amount. */
  amount(limits: { to?: number; otherwise?: number } = {}): number {
    return this.number('amountUsdCents', { from: 1, to: Number.MAX_SAFE_INTEGER, whole: true, ...limits });
  }

  /** Returns an amount of either sign. */
  signedAmount(name = 'amountUsdCents', otherwise?: number): number {
    const limits = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER, whole: true };
    return this.number(name, { ...limits, otherwise });
  }

  days(): number {
    const days = this.number('days', { from: 0, to: MAX_DAYS });
    if (days === 0) throw new Refusal(400, 'days must be above 0');
    return days;
  }

  /** Returns how often a failure should happen; once by default. */
  times = (): number => this.number('times', { from: 0, to: 1000, otherwise: 1, whole: true });

  oneOf<Value extends string>(name: string, values: readonly Value[], otherwise?: Value): Value {
    const value = values.find((known) => known === (this.given[name] ?? otherwise));
    if (!value) throw new Refusal(400, `${name} must be one of ${values.join(', ')}`);
    return value;
  }

  flag = (name: string, otherwise: boolean): boolean => this.text(name, String(otherwise)) === 'true';

  find<K extends Kind>(world: World, kind: K, name: string): Kinds[K] {
    const found = world.objects[kind][this.text(name)];
    if (!found) throw new Refusal(404, `no such ${name}`);
    return found;
  }

  /** Returns the charge that the fields name, or the charge that paid the invoice that they name. */
  charge(world: World): Stripe.Charge {
    if (this.given['charge']) return this.find(world, 'charges', 'charge');
    const payment = world
      .all('invoicePayments')
      .find(({ invoice, status }) => invoice === this.given['invoice'] && status === 'paid');
    const intent = world.objects.paymentIntents[idOf(payment?.payment.payment_intent)];
    const charge = world.objects.charges[idOf(intent?.latest_charge)];
    if (!charge) throw new Refusal(404, 'no such charge');
    return charge;
  }
}
