import type { PaidInvoice, PaymentEvent, PaymentGateway } from './payment-gateway.js';

export interface SubscriptionToCheck {
  userId: string;
  subscriptionId: string;
}

export abstract class PaymentRecords {
  abstract customerOf(userId: string): Promise<string | undefined>;
  abstract userOf(customerId: string): Promise<string | undefined>;
  /** Returns whether the user exists: other systems on our Stripe account may name their own users in metadata. */
  abstract hasUser(userId: string): Promise<boolean>;

  /** Returns the user who paid an invoice. */
  buyerOf({ customerId, subscriptionId, userId }: PaidInvoice, gateway: PaymentGateway) {
    return this.payerOf(customerId, async () =>
      subscriptionId === null ? userId : (await gateway.readSubscription(subscriptionId))?.userId,
    );
  }

  /** Returns the user of a customer. Without a record of the customer, uses the user in the metadata at the provider. */
  async payerOf(customerId: string, marked: () => Promise<string | undefined>): Promise<string | undefined> {
    const known = await this.userOf(customerId);
    if (known !== undefined) return known;
    const userId = await marked();
    return userId !== undefined && (await this.hasUser(userId)) ? userId : undefined;
  }

  /** Replaces an earlier customer of the user. */
  abstract rememberCustomer(userId: string, customerId: string, now: Date): Promise<void>;

  /** Stores an event. @returns whether the event was handled before */
  abstract receive(event: PaymentEvent, now: Date): Promise<boolean>;
  abstract markHandled(eventId: string, now: Date): Promise<void>;
  /** Deletes events received before a time. The provider no longer repeats events that are this old. */
  abstract forgetEvents(before: Date): Promise<void>;

  abstract settledAmong(invoiceIds: string[]): Promise<Set<string>>;
  /** Returns the payer of a gift and how long its code is valid. Undefined for an unknown gift. */
  abstract giftOf(giftId: string): Promise<{ payerId: string; validDays: number } | undefined>;

  /** @param invoice.sellsProduct whether the invoice has a line that grants credits */
  abstract markSettled(
    invoice: {
      invoiceId: string;
      userId: string;
      paidAt: Date;
      sellsProduct: boolean;
      giftId?: string | undefined;
      firm?: { taxIds: string[] };
    },
    now: Date,
  ): Promise<void>;

  /** Lists running subscriptions to compare with Stripe: those past their period first, then the longest unchecked. */
  abstract leastRecentlyChecked(limit: number, now: Date): Promise<SubscriptionToCheck[]>;
  abstract markChecked(userId: string, now: Date): Promise<void>;
  /** Lists users with open changes, oldest change first. Skips a change that awaits its payer until its deadline. */
  abstract openChanges(before: Date, limit: number): Promise<string[]>;
}

/** Stores how far an interrupted backfill came. */
export abstract class BackfillCursors {
  abstract find(name: string): Promise<Date | undefined>;
  abstract remember(name: string, until: Date): Promise<void>;
  abstract forget(name: string): Promise<void>;
}
