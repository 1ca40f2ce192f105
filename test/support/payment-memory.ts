import { CreditExecutor, type InvoiceGrant } from '../../application/credits/credit-executor.js';
import {
  PaymentGateway,
  type PaidInvoice,
  type PaymentEvent,
  type StripeSubscription,
} from '../../application/payments/payment-gateway.js';
import { PaymentRecords, type SubscriptionToCheck } from '../../application/payments/payment-records.js';

/** Records what the batched executor should grant, once per invoice line. */
export class InMemoryCreditExecutor extends CreditExecutor {
  readonly grants = new Map<string, InvoiceGrant>();

  constructor() {
    super({ transact: () => Promise.reject(new Error('only invoices here')) });
  }

  override async grantInvoice(grant: InvoiceGrant) {
    const changed = !this.grants.has(grant.invoiceLineId);
    if (changed) this.grants.set(grant.invoiceLineId, grant);
    return { accepted: true as const, changed, balance: 0 };
  }
}

export class InMemoryPaymentRecords extends PaymentRecords {
  readonly handled = new Set<string>();
  readonly settled = new Set<string>();

  /** @param running the active subscriptions, for the sweep */
  constructor(
    private readonly users: Map<string, string>,
    private readonly running: () => Promise<SubscriptionToCheck[]> = async () => [],
    private readonly strangers: ReadonlySet<string> = new Set(),
  ) {
    super();
  }

  async customerOf(userId: string): Promise<string | undefined> {
    return [...this.users].find(([, user]) => user === userId)?.[0];
  }
  async userOf(customerId: string): Promise<string | undefined> {
    return this.users.get(customerId);
  }
  async hasUser(userId: string): Promise<boolean> {
    return !this.strangers.has(userId);
  }
  async giftOf(): Promise<undefined> {}
  async rememberCustomer(userId: string, customerId: string): Promise<void> {
    this.users.set(customerId, userId);
  }
  async receive(event: PaymentEvent): Promise<boolean> {
    return this.handled.has(event.id);
  }
  async markHandled(eventId: string): Promise<void> {
    this.handled.add(eventId);
  }
  async forgetEvents(): Promise<void> {}
  async settledAmong(invoiceIds: string[]): Promise<Set<string>> {
    return new Set(invoiceIds.filter((id) => this.settled.has(id)));
  }
  async markSettled({ invoiceId }: { invoiceId: string }): Promise<void> {
    this.settled.add(invoiceId);
  }
  leastRecentlyChecked(): Promise<SubscriptionToCheck[]> {
    return this.running();
  }
  async markChecked(): Promise<void> {}
  async openChanges(): Promise<string[]> {
    return [];
  }
}

/** The real gateway, but it asks for each object once. For tests whose provider state no longer changes. */
export class RememberingGateway extends PaymentGateway {
  private readonly invoices = new Map<string, Promise<PaidInvoice | undefined>>();
  private readonly subscriptions = new Map<string, Promise<StripeSubscription | undefined>>();
  private paid: Promise<PaidInvoice[]> | undefined;
  private readonly verified = new WeakMap<Buffer, { signature: string; event: PaymentEvent }>();

  constructor(private readonly real: PaymentGateway) {
    super();
  }

  readInvoice(id: string): Promise<PaidInvoice | undefined> {
    if (!this.invoices.has(id)) this.invoices.set(id, this.real.readInvoice(id));
    return this.invoices.get(id) as Promise<PaidInvoice | undefined>;
  }
  private readonly collected = new Map<string, Promise<number>>();
  readCollectedUsdCents(id: string): Promise<number> {
    if (!this.collected.has(id)) this.collected.set(id, this.real.readCollectedUsdCents(id));
    return this.collected.get(id) as Promise<number>;
  }
  readSubscription(id: string): Promise<StripeSubscription | undefined> {
    if (!this.subscriptions.has(id)) this.subscriptions.set(id, this.real.readSubscription(id));
    return this.subscriptions.get(id) as Promise<StripeSubscription | undefined>;
  }
  /** Verifies each signature once; the same bytes with the same signature stay valid. */
  verifyWebhook(rawBody: Buffer, signature: string): PaymentEvent {
    const known = this.verified.get(rawBody);
    if (known?.signature === signature) return known.event;
    const event = this.real.verifyWebhook(rawBody, signature);
    this.verified.set(rawBody, { signature, event });
    return event;
  }
  listPaidInvoices(since: Date): Promise<PaidInvoice[]> {
    this.paid ??= this.real.listPaidInvoices(since);
    return this.paid;
  }
  ensureProducts = (): never => changesNothing();
  createCheckout = (): never => changesNothing();
  openPaymentDetails = (): never => changesNothing();
  readOpenInvoice = (id: string) => this.real.readOpenInvoice(id);
  forgetUpgrade = (): never => changesNothing();
  upgrade = (): never => changesNothing();
  scheduleDowngrade = (): never => changesNothing();
  scheduleCancellation = (): never => changesNothing();
  withdrawScheduledChange = (): never => changesNothing();
}

function changesNothing(): never {
  throw new Error('webhooks of a history without duplicates change nothing at the provider');
}

/** Caches every answer of a gateway. For tests whose provider state no longer changes. */
export function remembering<Gateway extends object>(real: Gateway): Gateway {
  const answers = new Map<string, unknown>();
  return new Proxy(real, {
    get: (_, name) => {
      const method = Reflect.get(real, name) as unknown;
      if (typeof method !== 'function') return method;
      return (...given: unknown[]) => {
        const question = `${String(name)} ${JSON.stringify(given)}`;
        if (!answers.has(question)) answers.set(question, method.apply(real, given));
        return answers.get(question);
      };
    },
  });
}
