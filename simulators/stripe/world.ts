import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import { noSuch } from './faults.js';
import { NAMES, type Kind, type Kinds, type Objects, type State } from './state.js';

/** The state that resources use: the objects, the clock and the events. */
export class World {
  /** The simulated time while an action that fell due runs. Undefined if the clock runs. */
  heldAt: number | undefined;
  /** The API request that is being answered. The events that it causes name it. */
  request: { id: string; idempotency_key: string | null } | undefined;

  constructor(
    readonly state: State,
    private readonly realNow: () => Date,
    /** Returns the address of the simulator's pages, without a trailing slash. */
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
    // Stripe's ids have only letters and digits.
    return `${prefix}_${randomBytes(24).toString('base64').replace(/[+/=]/g, '').slice(0, 24)}`;
  }

  find<K extends Kind>(kind: K, id: string, param = 'id'): Kinds[K] {
    const found = Object.hasOwn(this.objects[kind], id) ? this.objects[kind][id] : undefined;
    if (!found) throw noSuch(NAMES[kind], id, param);
    return found;
  }

  lookup(id: string): object | undefined {
    for (const kind of Object.keys(this.objects) as Kind[])
      if (Object.hasOwn(this.objects[kind], id)) return this.objects[kind][id];
    return undefined;
  }

  /** Returns all objects of a kind, newest first, as Stripe lists them. */
  all<K extends Kind>(kind: K): Array<Kinds[K]> {
    return Object.values<Kinds[K]>(this.objects[kind]).reverse();
  }

  /** Stores a new object. @param event the type of the event that announces it */
  add<K extends Kind>(kind: K, object: Kinds[K], event?: string): Kinds[K] {
    const all: Record<string, Kinds[K]> = this.objects[kind];
    all[object.id as string] = object;
    return event ? this.emit(event, object) : object;
  }

  /**
   * Records an event with a copy of the object, and queues its webhook.
   * @param account the connected account that the event is about; absent: our own
   * @returns the object
   */
  emit<Changed extends object>(
    type: string,
    object: Changed,
    previous?: Record<string, unknown>,
    account?: string,
  ): Changed {
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
    return object;
  }
}

export const DAY_SECONDS = 86_400;

/** Stripe's API writes a decimal as text. */
export const decimal = (value: number): Stripe.Decimal => String(value) as unknown as Stripe.Decimal;

export const listOf = <Item>(data: Item[], url: string): Stripe.ApiList<Item> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});

export type Reference = string | { id: string } | null | undefined;

/** Returns the id of a reference that may be expanded. */
export const idOf = (reference: Reference): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');

/** Declares fields that are always null. */
export const nulls = <Name extends string>(...names: Name[]): Record<Name, null> =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;

/** Returns whether a test asked for a failure now, and counts this failure as used. */
export function countDown(failure: { times: number }): boolean {
  if (failure.times <= 0) return false;
  failure.times -= 1;
  return true;
}

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
