import type { PaymentEvent } from './payment-gateway.js';

/** A subscription that should be compared with the provider's. */
export interface SubscriptionToCheck {
  userId: string;
  subscriptionId: string;
}

/** Payment records outside the log: who pays, and which outside events were handled. */
export abstract class PaymentRecords {
  abstract customerOf(userId: string): Promise<string | undefined>;
  abstract userOf(customerId: string): Promise<string | undefined>;
  /** Whether there is such a user; other systems may mark subscriptions of the same account with users of theirs. */
  abstract hasUser(userId: string): Promise<boolean>;

  /**
   * Who pays as this customer. An unknown customer may be one whose record was lost or replaced, so the user counts whom
   * our mark on the subscription names, if there is one.
   */
  async payerOf(customerId: string, marked: () => Promise<string | undefined>): Promise<string | undefined> {
    const known = await this.userOf(customerId);
    if (known !== undefined) return known;
    const userId = await marked();
    return userId !== undefined && (await this.hasUser(userId)) ? userId : undefined;
  }

  /** The newest customer of a user counts. */
  abstract rememberCustomer(userId: string, customerId: string, now: Date): Promise<void>;

  /** @returns whether this event was handled before */
  abstract receive(event: PaymentEvent, now: Date): Promise<boolean>;
  abstract markHandled(eventId: string, now: Date): Promise<void>;
  /** Forgets events received before: the provider stops repeating long before. */
  abstract forgetEvents(before: Date): Promise<void>;

  /** Those of the given invoices that were settled before. */
  abstract settledAmong(invoiceIds: string[]): Promise<Set<string>>;
  /** @param invoice.sellsPlan whether it has a line that grants credits */
  abstract markSettled(
    invoice: { invoiceId: string; userId: string; paidAt: Date; sellsPlan: boolean },
    now: Date,
  ): Promise<void>;

  /** Running subscriptions, the overdue first, then those not compared for longest. */
  abstract leastRecentlyChecked(limit: number, now: Date): Promise<SubscriptionToCheck[]>;
  abstract markChecked(userId: string, now: Date): Promise<void>;
  /**
   * Users whose plan change has been open since before a moment, the longest waiting first. One that awaits its payer
   * counts once the time for that was over.
   */
  abstract openChanges(before: Date, limit: number): Promise<string[]>;
}
