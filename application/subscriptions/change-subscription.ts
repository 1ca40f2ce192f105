import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { Injectable } from '@nestjs/common';
import { subscriptionDecider } from '../../domain/subscriptions/subscription.js';
import type {
  SubscriptionRejection,
  ChangeFailure,
  ChangeRequest,
} from '../../domain/subscriptions/subscription-messages.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { isPlan, type ProductId } from '../../domain/subscriptions/products.js';
import { paths } from '../pages/paths.js';
import { Clock } from '../shared/clock.js';
import { PaymentGateway } from '../payments/payment-gateway.js';
import { PaymentRecords } from '../payments/payment-records.js';
import { Streams } from '../shared/streams.js';
import { GiftOrders } from './gifts.js';
import { PlanChanges } from './plan-changes.js';

export class StartCheckout extends Command<Outcome<{ url: string }, SubscriptionRejection>> {
  constructor(
    readonly order: {
      userId: string;
      email: string;
      product: ProductId;
      /** Default: 1. */
      quantity?: number;
      /** Makes the purchase a gift. The code is mailed to `email`; if that is null, only the payer gets the code. */
      gift?: { email: string | null };
      /** A repeated request with this key gets the same page. */
      requestKey: string;
    },
  ) {
    super();
  }
}

/** The addresses to which the provider's pages return the listener. */
export class CheckoutReturn {
  constructor(
    readonly successUrl: string,
    readonly cancelUrl: string,
    readonly settingsUrl: string,
    readonly giftsUrl: string,
  ) {}

  static on(publicUrl: string): CheckoutReturn {
    const settings = `${publicUrl}${paths.settings}`;
    return new CheckoutReturn(
      `${settings}?checkout=success`,
      `${settings}?checkout=cancelled`,
      settings,
      `${publicUrl}${paths.gifts}`,
    );
  }
}

/** Opens the payment page for a first plan or a top-up. Only the paid invoice grants credits, not the return. */
@CommandHandler(StartCheckout)
export class StartCheckoutHandler implements ICommandHandler<StartCheckout> {
  constructor(
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly gifts: GiftOrders,
    private readonly returnTo: CheckoutReturn,
    private readonly clock: Clock,
  ) {}

  async execute({ order }: StartCheckout): Promise<CommandResult<StartCheckout>> {
    const { userId, email, product, quantity = 1, gift, requestKey } = order;
    const now = this.clock.now();
    if (isPlan(product)) {
      const subscription = await this.streams.load(subscriptionDecider, userId);
      const subscribe = { type: 'Subscribe', userId, plan: product, now: now.toISOString() } as const;
      const decision = subscriptionDecider.decide(subscribe, subscription);
      if (!decision.accepted) return decision;
    }
    const { giftsUrl } = this.returnTo;
    const giftId = gift && (await this.gifts.place({ userId, product, quantity, ...gift }, requestKey));
    const customerId = await this.records.customerOf(userId);
    const checkout = await this.gateway.createCheckout({
      userId,
      email,
      product,
      quantity,
      ...(customerId ? { customerId } : {}),
      ...(giftId !== undefined && { giftId }),
      successUrl: gift ? `${giftsUrl}?checkout=success&gift=${giftId}` : this.returnTo.successUrl,
      cancelUrl: gift ? `${giftsUrl}?checkout=cancelled` : this.returnTo.cancelUrl,
      idempotencyKey: `checkout:${userId}:${requestKey}`,
    });
    // The customer is stored before the listener can pay, so that no payment arrives from an unknown customer.
    if (checkout.customerId && checkout.customerId !== customerId)
      await this.records.rememberCustomer(userId, checkout.customerId, now);
    return { accepted: true, url: checkout.url };
  }
}

/** Opens the page where a listener changes the card, for example after a failed payment. */
@Injectable()
export class PaymentDetails {
  constructor(
    private readonly gateway: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly returnTo: CheckoutReturn,
  ) {}

  /** @returns undefined for a listener who never paid */
  async open(userId: string): Promise<{ url: string } | undefined> {
    const customerId = await this.records.customerOf(userId);
    return customerId ? this.gateway.openPaymentDetails(customerId, this.returnTo.settingsUrl) : undefined;
  }
}

type RefusedChange = Extract<ChangeFailure, 'PaymentDeclined' | 'ChangeRefused'>;

/** `underWay`: the change is recorded, but waits for the provider or the payer. */
export type SubscriptionOutcome = Outcome<
  { underWay: boolean },
  SubscriptionRejection | { code: RefusedChange }
>;

export class ChangeSubscription extends Command<SubscriptionOutcome> {
  constructor(
    readonly userId: string,
    readonly request: ChangeRequest,
    /** Identifies the request. A repeated request resumes the change that it reserved. */
    readonly requestKey: string,
  ) {
    super();
  }
}

/** Withdraws a change that awaits its payer, if there is one. Answers whether a change is still under way. */
export class WithdrawPendingChange extends Command<{ accepted: true; underWay: boolean }> {
  constructor(readonly userId: string) {
    super();
  }
}

@CommandHandler(ChangeSubscription)
export class ChangeSubscriptionHandler implements ICommandHandler<ChangeSubscription> {
  constructor(private readonly changes: PlanChanges) {}

  async execute({ userId, request, requestKey }: ChangeSubscription): Promise<SubscriptionOutcome> {
    const reserved = await this.changes.reserve(userId, request, requestKey);
    if (reserved.outcome === 'refused') return reject(reserved.rejection);
    if (reserved.outcome === 'nothing to do') return { accepted: true, underWay: false };
    const outcome = await this.changes.carryOut(userId, reserved.subscriptionId, reserved.change);
    if (outcome === 'done') return { accepted: true, underWay: false };
    if (outcome === 'open' || outcome === 'awaits payer') return { accepted: true, underWay: true };
    return reject({ code: outcome === 'PaymentDeclined' ? outcome : 'ChangeRefused' });
  }
}

@CommandHandler(WithdrawPendingChange)
export class WithdrawPendingChangeHandler implements ICommandHandler<WithdrawPendingChange> {
  constructor(private readonly changes: PlanChanges) {}

  async execute({ userId }: WithdrawPendingChange): Promise<CommandResult<WithdrawPendingChange>> {
    const outcome = await this.changes.withdraw(userId);
    return { accepted: true, underWay: outcome === 'open' || outcome === 'awaits payer' };
  }
}
