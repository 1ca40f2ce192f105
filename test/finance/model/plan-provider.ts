import {
  PaymentDeclined,
  PaymentGateway,
  PaymentGatewayUnavailable,
  type StripeSubscription,
} from '../../../application/payments/payment-gateway.js';
import type { PlanId } from '../../../domain/subscriptions/plans.js';

const DAY = 86_400_000;

/** Marks the end of the process. */
export class Killed extends Error {}

type Fate = 'paid' | 'awaits' | 'declined';

/** A provider that charges once per key while it remembers the key, and counts the charges. */
export class PlanProvider extends PaymentGateway {
  plan: PlanId = 'starter';
  awaits: (NonNullable<StripeSubscription['awaits']> & { key: string }) | null = null;
  /** Number of charges by key of the change. */
  readonly charges = new Map<string, number>();
  /** Whether the process may be killed and answers may be lost. False at the end of a history. */
  trouble = true;
  private cancelled = false;
  private readonly known = new Map<string, { fate: Fate; at: number }>();

  constructor(
    private readonly below: (count: number) => number,
    private readonly now: () => number,
  ) {
    super();
  }

  /** A point between two statements at which the process may end. */
  line(): void {
    if (this.trouble && this.below(14) === 0) throw new Killed();
  }

  private charge(key: string, plan: PlanId): void {
    this.charges.set(key, (this.charges.get(key) ?? 0) + 1);
    Object.assign(this, { plan, awaits: null, cancelled: false });
  }

  /**
   * Calls the provider. It may be away before it acts, its answer may be lost, and the process may end before
   * or after.
   */
  private async across(act: () => void): Promise<void> {
    const silent = (): void => {
      if (this.trouble && this.below(8) === 0) throw new PaymentGatewayUnavailable('silent');
    };
    await Promise.resolve();
    this.line();
    silent();
    act();
    silent();
    this.line();
  }

  override async upgrade(_: string, plan: PlanId, key: string): Promise<void> {
    await this.across(() => {
      const before = this.known.get(key);
      const isKnown = before && this.now() < before.at + DAY;
      const fate = isKnown ? before.fate : (['paid', 'paid', 'awaits', 'declined'] as const)[this.below(4)];
      if (!isKnown) {
        this.known.set(key, { fate: fate as Fate, at: this.now() });
        if (fate === 'paid') this.charge(key, plan);
        if (fate === 'awaits') {
          const expiresAt = new Date(this.now() + 23 * 3_600_000);
          this.awaits = { plan, invoiceId: `in_${key}`, needs: 'confirmation', expiresAt, key };
        }
      }
      if (fate === 'declined') throw new PaymentDeclined();
    });
  }

  /** The payer pays. @returns whether an invoice was waiting */
  pay(): boolean {
    this.forgetOld();
    if (!this.awaits) return false;
    this.charge(this.awaits.key, this.awaits.plan);
    return true;
  }

  forgetOld(): void {
    if (this.awaits && this.now() >= this.awaits.expiresAt.getTime()) this.awaits = null;
  }

  override async readSubscription(subscriptionId: string): Promise<StripeSubscription> {
    await this.across(() => this.forgetOld());
    return {
      subscriptionId,
      customerId: 'cus_1',
      plan: this.plan,
      status: 'active',
      currentPeriodStart: new Date(Date.UTC(2026, 0, 1)),
      currentPeriodEnd: new Date(Date.UTC(2036, 0, 1)),
      cancelAtPeriodEnd: this.cancelled,
      scheduledPlan: null,
      awaits: this.awaits && { ...this.awaits },
      overdue: null,
      unpaid: false,
    };
  }

  override forgetUpgrade = (invoiceId: string): Promise<void> =>
    this.across(() => {
      if (this.awaits?.invoiceId === invoiceId) this.awaits = null;
    });
  override scheduleCancellation = (): Promise<void> => this.across(() => void (this.cancelled = true));
  override withdrawScheduledChange = (): Promise<void> => this.across(() => void (this.cancelled = false));

  override ensureProducts = notAsked;
  override createCheckout = notAsked;
  override openPaymentDetails = notAsked;
  override verifyWebhook = notAsked;
  override readInvoice = notAsked;
  override readCollectedUsdCents = notAsked;
  override listPaidInvoices = notAsked;
  override readOpenInvoice = notAsked;
  override scheduleDowngrade = notAsked;
}

function notAsked(): never {
  throw new Error('a change of plan does not ask for this');
}
