import type Stripe from 'stripe';
import type { PaymentEvent } from '../../../application/payments/payment-gateway.js';
import {
  RefundGateway,
  RefundRefused,
  type MoneyBack,
  type ProviderDispute,
  type ProviderRefund,
} from '../../../application/payments/refund-gateway.js';
import { paymentCall, stripeClient, type StripeOptions } from './stripe-client.js';
import { ask, askMaybe, refusalIn } from './stripe-errors.js';
import { invoicePaidBy } from './stripe-invoice-payments.js';
import { idOf } from './stripe-shapes.js';

const FAILED = new Set(['failed', 'canceled']);
const EVENT_TYPES = [
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
];

/** Refunds and disputes of invoices by Stripe. Ours carry our id in their metadata. */
export class StripeRefundGateway implements RefundGateway {
  readonly #stripe: Stripe;

  constructor(private readonly options: StripeOptions) {
    this.#stripe = stripeClient(options);
  }

  async refund(order: Parameters<RefundGateway['refund']>[0]): Promise<ProviderRefund> {
    const { invoiceId, refundId, amountUsdCents } = order;
    const payments = await ask(() =>
      this.#stripe.invoicePayments.list({ invoice: invoiceId, status: 'paid', limit: 1 }),
    );
    const intentId = idOf(payments.data[0]?.payment.payment_intent);
    if (!intentId) throw new RefundRefused('no_payment');
    const made = await this.#refundsOf({ payment_intent: intentId });
    const before = made.find((refund) => refund.metadata?.['refundId'] === refundId);
    const refund = before ?? (await this.#create(intentId, refundId, amountUsdCents));
    return refundFrom(refund, invoiceId);
  }

  #create(intentId: string, refundId: string, amount: number): Promise<Stripe.Refund> {
    return ask(() =>
      this.#stripe.refunds
        .create(
          { payment_intent: intentId, amount, metadata: { refundId } },
          paymentCall(this.options, `refund-${refundId}`),
        )
        .catch((error: unknown) => {
          const refusal = refusalIn(error);
          if (refusal) throw new RefundRefused(refusal.code || 'invalid_request', { cause: refusal });
          throw error;
        }),
    );
  }

  async chargeBehind({ type, objectId }: PaymentEvent): Promise<string | undefined> {
    if (type === 'charge.refunded') return objectId;
    const about = /^(charge\.)?refund\./.test(type)
      ? await askMaybe(() => this.#stripe.refunds.retrieve(objectId))
      : type.startsWith('charge.dispute.')
        ? await askMaybe(() => this.#stripe.disputes.retrieve(objectId))
        : undefined;
    return idOf(about?.charge);
  }

  async moneyBackOf(charge: string): Promise<MoneyBack[]> {
    const refunds = await this.#refundsOf({ charge });
    const disputes = await ask(() => this.#stripe.disputes.list({ charge, limit: 100 }));
    const taken = disputes.data.filter(({ balance_transactions: moved }) => moved.length > 0);
    const intent = refunds[0]?.payment_intent ?? taken[0]?.payment_intent;
    const invoiceId = intent && (await invoicePaidBy(this.#stripe, intent));
    if (!invoiceId) return [];
    const found = [
      ...refunds.map((refund) => ({ refund: refundFrom(refund, invoiceId), created: refund.created })),
      ...taken.map((dispute) => ({ dispute: disputeFrom(dispute, invoiceId), created: dispute.created })),
    ];
    return found.sort((one, other) => one.created - other.created);
  }

  async listEvents(since: Date): Promise<PaymentEvent[]> {
    const found: PaymentEvent[] = [];
    await ask(async () => {
      const created = { gte: Math.max(0, Math.floor(since.getTime() / 1000)) };
      for await (const event of this.#stripe.events.list({ types: EVENT_TYPES, created, limit: 100 })) {
        const { id, type, data } = event;
        const { id: objectId } = data.object as { id: string };
        found.push({ id, type, objectId, createdAt: new Date(event.created * 1000) });
      }
    });
    return found.reverse();
  }

  #refundsOf(of: { charge: string } | { payment_intent: string }): Promise<Stripe.Refund[]> {
    return ask(() => this.#stripe.refunds.list({ ...of, limit: 100 }).autoPagingToArray({ limit: 1000 }));
  }
}

const refundFrom = (refund: Stripe.Refund, invoiceId: string): ProviderRefund => ({
  refundId: refund.metadata?.['refundId'] ?? refund.id,
  invoiceId,
  amountUsdCents: refund.amount,
  ...(FAILED.has(refund.status ?? '') ? { failure: refund.failure_reason ?? refund.status ?? 'failed' } : {}),
});

const disputeFrom = (dispute: Stripe.Dispute, invoiceId: string): ProviderDispute => ({
  disputeId: dispute.id,
  invoiceId,
  // As it left our balance: usually the charge, but a bank may take another amount.
  amountUsdCents: dispute.balance_transactions
    .filter(({ amount, currency }) => amount < 0 && currency === 'usd')
    .reduce((sum, { amount }) => sum - amount, 0),
  // What a dispute that was won gives back comes with that movement.
  feeUsdCents: dispute.balance_transactions
    .filter(({ amount }) => amount < 0)
    .reduce((sum, { fee }) => sum + fee, 0),
  status: dispute.status === 'won' ? 'won' : dispute.status === 'lost' ? 'lost' : 'open',
});
