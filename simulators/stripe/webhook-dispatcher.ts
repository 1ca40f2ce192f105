import Stripe from 'stripe';
import type { State } from './state.js';

export interface WebhookDispatcherOptions {
  /** Where events go; absent: nowhere, they are only listed. */
  webhookUrl: string | undefined;
  webhookSecret: string;
  realNow: () => Date;
  /** Pause after the first failure; doubles with each further one. */
  retryBaseMs: number;
  onChange: () => void;
}

/** Takes a signed event in this process. @returns whether it was accepted */
export type Receiver = (payload: string, signature: string) => Promise<boolean>;

const MAX_ATTEMPTS = 16;
const LONGEST_PAUSE_MS = 10 * 60_000;
const ANSWER_WITHIN_MS = 10_000;
const AT_ONCE = 4;

/** Carries signed events to the webhook endpoint, and again with growing pauses until it answers 2xx. */
export class WebhookDispatcher {
  readonly #signer = new Stripe('sk_test_simulator');
  readonly #inFlight = new Set<string>();
  readonly #waiters = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Deliveries to lose on purpose, for tests of the sweep. */
  dropNext = 0;

  constructor(
    private readonly state: State,
    private readonly options: WebhookDispatcherOptions,
  ) {}

  /** Instead of the endpoint, while somebody here takes the events. */
  receiver: Receiver | undefined;

  direct(webhookUrl: string, webhookSecret: string): void {
    this.options.webhookUrl = webhookUrl;
    this.options.webhookSecret = webhookSecret;
    this.pump();
  }

  enqueue(eventId: string): void {
    if (this.dropNext > 0) {
      this.dropNext -= 1;
      return;
    }
    this.state.deliveries.push({ eventId, attempts: 0, dueAtMs: this.options.realNow().getTime() });
  }

  /** Sends what is due; call after anything was enqueued and committed. */
  pump(): void {
    if (this.#closed || !this.options.webhookUrl) return this.#wake();
    const now = this.options.realNow().getTime();
    for (const delivery of this.state.deliveries) {
      if (this.#inFlight.size >= AT_ONCE) break;
      if (delivery.dueAtMs <= now && !this.#inFlight.has(delivery.eventId))
        void this.#deliver(delivery.eventId);
    }
    clearTimeout(this.#timer);
    const waiting = this.state.deliveries.filter(({ eventId }) => !this.#inFlight.has(eventId));
    if (waiting.length > 0 && this.#inFlight.size < AT_ONCE) {
      const next = Math.min(...waiting.map(({ dueAtMs }) => dueAtMs));
      this.#timer = setTimeout(() => this.pump(), Math.max(5, next - now));
      this.#timer.unref();
    }
    this.#wake();
  }

  async #deliver(eventId: string): Promise<void> {
    this.#inFlight.add(eventId);
    const accepted = await this.#post(eventId);
    this.#inFlight.delete(eventId);
    const delivery = this.state.deliveries.find((waiting) => waiting.eventId === eventId);
    if (delivery) {
      delivery.attempts += 1;
      const pause = Math.min(LONGEST_PAUSE_MS, this.options.retryBaseMs * 2 ** (delivery.attempts - 1));
      delivery.dueAtMs = this.options.realNow().getTime() + pause;
      if (accepted || delivery.attempts >= MAX_ATTEMPTS)
        this.state.deliveries.splice(this.state.deliveries.indexOf(delivery), 1);
    }
    const event = this.state.objects.events[eventId];
    if (event && accepted) event.pending_webhooks = 0;
    this.options.onChange();
    this.pump();
  }

  async #post(eventId: string): Promise<boolean> {
    const event = this.state.objects.events[eventId];
    if (!event || !this.options.webhookUrl) return true;
    const payload = JSON.stringify(event);
    const signature = this.#signer.webhooks.generateTestHeaderString({
      payload,
      secret: this.options.webhookSecret,
      // The moment of sending, by the clock that the receiver has too.
      timestamp: Math.floor(this.options.realNow().getTime() / 1000),
    });
    try {
      if (this.receiver) return await this.receiver(payload, signature);
      const response = await fetch(this.options.webhookUrl, {
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

  /** Resolves when every event had its first attempt, or after `timeoutMs`. */
  async firstAttempts(timeoutMs: number): Promise<void> {
    const done = (): boolean =>
      !this.options.webhookUrl ||
      (this.#inFlight.size === 0 && this.state.deliveries.every(({ attempts }) => attempts > 0));
    if (done()) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(limit);
        this.#waiters.delete(check);
        resolve();
      };
      const check = (): void => {
        if (done() || this.#closed) finish();
      };
      const limit = setTimeout(finish, timeoutMs);
      limit.unref();
      this.#waiters.add(check);
    });
  }

  #wake(): void {
    for (const waiter of this.#waiters) waiter();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#wake();
  }
}
