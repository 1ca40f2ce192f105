import Stripe from 'stripe';
import type { Delivery, State } from './state.js';

/** Takes a signed event in this process. @returns whether it accepted the event */
export type Receiver = (payload: string, signature: string) => Promise<boolean>;

const MAX_ATTEMPTS = 16;
const LONGEST_PAUSE_MS = 10 * 60_000;
const ANSWER_WITHIN_MS = 10_000;
const AT_ONCE = 4;
/** How long to wait for a receiver in this process. */
const RECEIVER_PATIENCE_MS = 60_000;

/** Resolves when the condition is fulfilled, or after a time limit. Checks whenever the added listener is called. */
export const changeOf = (listeners: Set<() => void>, isFulfilled: () => boolean, limitMs: number) =>
  new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      listeners.delete(check);
      resolve();
    };
    const check = (): void => {
      if (isFulfilled()) finish();
    };
    const timer = setTimeout(finish, limitMs);
    timer.unref();
    listeners.add(check);
  });

const nameOf = ({ eventId, endpointId = '' }: Delivery): string => `${eventId} ${endpointId}`;

/**
 * Sends signed events to the configured address and to the endpoints that want their type. Retries after growing
 * pauses until the receiver answers 2xx.
 */
export class WebhookDispatcher {
  private readonly signer = new Stripe('sk_test_simulator');
  private readonly inFlight = new Set<string>();
  private readonly waiters = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  /** How many webhooks to drop on purpose, to test that the product finds missed events. */
  dropNext = 0;

  constructor(
    private readonly state: State,
    private readonly options: {
      /** Where events go. If undefined, no webhooks are sent, and events are only listed. */
      webhookUrl: string | undefined;
      webhookSecret: string;
      realNow: () => Date;
      /** Pause after the first failure; each further failure doubles the pause. */
      retryBaseMs: number;
      /** How long a page or `advance` waits for the first answers to its webhooks. */
      patienceMs: number;
      onChange: () => void;
    },
  ) {}

  private receiver: Receiver | undefined;

  direct(webhookUrl: string, webhookSecret: string): void {
    this.options.webhookUrl = webhookUrl;
    this.options.webhookSecret = webhookSecret;
    this.pump();
  }

  enqueue(event: Stripe.Event): void {
    if (this.dropNext > 0) return void (this.dropNext -= 1);
    const { id: eventId, type, account } = event;
    const dueAtMs = this.options.realNow().getTime();
    const queue = (to: { endpointId?: string }): void =>
      void this.state.deliveries.push({ eventId, ...to, attempts: 0, dueAtMs });
    queue({});
    for (const { id: endpointId, enabled_events: wanted } of this.endpoints())
      if (
        this.state.endpoints[endpointId]?.connect === (account !== undefined) &&
        (wanted.includes(type) || wanted.includes('*'))
      )
        queue({ endpointId });
  }

  private endpoints(): Stripe.WebhookEndpoint[] {
    return Object.values(this.state.objects.webhookEndpoints).filter(({ status }) => status === 'enabled');
  }

  /** Returns the address and the signing secret of a delivery; undefined if the address was removed. */
  private target({ endpointId }: Delivery): { url: string; secret: string } | undefined {
    const { webhookUrl, webhookSecret } = this.options;
    if (endpointId === undefined) return webhookUrl ? { url: webhookUrl, secret: webhookSecret } : undefined;
    const endpoint = this.endpoints().find(({ id }) => id === endpointId);
    const signed = this.state.endpoints[endpointId];
    return endpoint && signed && { url: endpoint.url, secret: signed.secret };
  }

  private going(): Delivery[] {
    return this.state.deliveries.filter((delivery) => this.target(delivery));
  }

  /** Sends deliveries that are due. Call after events were enqueued and committed. */
  pump(): void {
    if (this.closed) return this.wake();
    const now = this.options.realNow().getTime();
    const going = this.going();
    for (const delivery of going) {
      if (this.inFlight.size >= AT_ONCE) break;
      if (delivery.dueAtMs <= now && !this.inFlight.has(nameOf(delivery))) void this.deliver(delivery);
    }
    clearTimeout(this.timer);
    const waiting = going.filter((delivery) => !this.inFlight.has(nameOf(delivery)));
    if (waiting.length > 0 && this.inFlight.size < AT_ONCE) {
      const next = Math.min(...waiting.map(({ dueAtMs }) => dueAtMs));
      this.timer = setTimeout(() => this.pump(), Math.max(5, next - now));
      this.timer.unref();
    }
    this.wake();
  }

  private async deliver(begun: Delivery): Promise<void> {
    const name = nameOf(begun);
    this.inFlight.add(name);
    const accepted = await this.post(begun);
    this.inFlight.delete(name);
    // A change that was rolled back in the meantime replaces the list, so the delivery is looked up again.
    const delivery = this.state.deliveries.find((waiting) => nameOf(waiting) === name);
    if (delivery) {
      delivery.attempts += 1;
      const pause = Math.min(LONGEST_PAUSE_MS, this.options.retryBaseMs * 2 ** (delivery.attempts - 1));
      delivery.dueAtMs = this.options.realNow().getTime() + pause;
      if (accepted || delivery.attempts >= MAX_ATTEMPTS)
        this.state.deliveries.splice(this.state.deliveries.indexOf(delivery), 1);
    }
    const event = this.state.objects.events[begun.eventId];
    if (event && accepted)
      event.pending_webhooks = this.going().some(({ eventId }) => eventId === event.id) ? 1 : 0;
    this.options.onChange();
    this.pump();
  }

  private async post(delivery: Delivery): Promise<boolean> {
    const event = this.state.objects.events[delivery.eventId];
    const target = this.target(delivery);
    if (!event || !target) return true;
    const payload = JSON.stringify(event);
    const signature = this.signer.webhooks.generateTestHeaderString({
      payload,
      secret: target.secret,
      // The real time of sending, because the receiver uses the real clock too.
      timestamp: Math.floor(this.options.realNow().getTime() / 1000),
    });
    try {
      if (this.receiver) return await this.receiver(payload, signature);
      const response = await fetch(target.url, {
        method: 'POST',
        body: payload,
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  }

  /** Resolves when every event had its first attempt, or after the timeout. */
  firstAttempts(): Promise<void> {
    return this.until(() => this.inFlight.size === 0 && this.going().every(({ attempts }) => attempts > 0));
  }

  /** Sends all events to a receiver in this process from now on, instead of the configured addresses. */
  divert(receiver: Receiver): void {
    this.receiver = receiver;
  }

  /** Sends events to the configured addresses again, once the receiver has accepted all events, or after the timeout. */
  async endDiversion(): Promise<void> {
    await this.until(() => this.going().length === 0);
    this.receiver = undefined;
  }

  private async until(done: () => boolean): Promise<void> {
    const limitMs = this.receiver ? RECEIVER_PATIENCE_MS : this.options.patienceMs;
    if (!done()) await changeOf(this.waiters, () => done() || this.closed, limitMs);
  }

  private wake(): void {
    for (const waiter of this.waiters) waiter();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.wake();
  }
}
