import type Stripe from 'stripe';
import { MONEY_WENT_BACK } from '../../../application/payments/event-types.js';
import type { PaymentEvent } from '../../../application/payments/payment-gateway.js';
import {
  RefundGateway,
  RefundRefused,
  type MoneyBack,
  type ProviderDispute,
  type ProviderInquiry,
  type ProviderRefund,
} from '../../../application/payments/refund-gateway.js';
import { paymentCall, StripeCaller } from './stripe-client.js';
import { ask, askMaybe, refusalIn, refusedAs } from './stripe-errors.js';
import { invoicePaidBy } from './stripe-invoice-payments.js';
import { createdIn, dateOf, idOf, movementsOf } from './stripe-shapes.js';

const FAILED = new Set(['failed', 'canceled']);
const PENDING = new Set(['pending', 'requires_action']);

/** Refunds and disputes of invoices at Stripe. A refund of ours has our id in its metadata. */
export class StripeRefundGateway extends StripeCaller implements RefundGateway {
  async refund(order: Parameters<RefundGateway['refund']>[0]): Promise<ProviderRefund> {
    const { invoiceId, refundId, amountUsdCents, taxed } = order;
    const payments = await ask(() =>
      this.stripe.invoicePayments.list({ invoice: invoiceId, status: 'paid', limit: 1 }),
    );
    const intentId = idOf(payments.data[0]?.payment.payment_intent);
    if (!intentId) throw new RefundRefused('no_payment');
    const made = await this.refundsOf({ payment_intent: intentId });
    const before = made.find((refund) => refund.metadata?.['refundId'] === refundId);
    const refund = before ?? (await this.create(intentId, refundId, amountUsdCents));
    const refused =
      taxed && !FAILED.has(refund.status ?? '')
        ? await noteFor(this.stripe, { refund, invoiceId, refundId })
        : undefined;
    return { ...refundFrom(refund, invoiceId), ...(refused && { withoutNote: refused }) };
  }

  private create(intentId: string, refundId: string, amount: number): Promise<Stripe.Refund> {
    return ask(() =>
      this.stripe.refunds
        .create(
          { payment_intent: intentId, amount, metadata: { refundId } },
          paymentCall(this.options, `refund-${refundId}`),
        )
        .catch(refusedAs((cause) => new RefundRefused(cause.code || 'invalid_request', { cause }))),
    );
  }

  async chargeBehind({ type, objectId }: PaymentEvent): Promise<string | undefined> {
    if (type === 'charge.refunded') return objectId;
    if (type === 'charge.failed') {
      // A declined charge never brought money in, so no money can go back.
      const charge = await askMaybe(() => this.stripe.charges.retrieve(objectId));
      return charge?.failure_balance_transaction ? objectId : undefined;
    }
    const about = /^(charge\.)?refund\./.test(type)
      ? await askMaybe(() => this.stripe.refunds.retrieve(objectId))
      : type.startsWith('charge.dispute.')
        ? await askMaybe(() => this.stripe.disputes.retrieve(objectId))
        : undefined;
    return idOf(about?.charge);
  }

  async moneyBackOf(charge: string): Promise<MoneyBack[]> {
    const paid = await askMaybe(() =>
      this.stripe.charges.retrieve(charge, { expand: ['failure_balance_transaction'] }),
    );
    const invoiceId = paid && (await invoicePaidBy(this.stripe, paid.payment_intent));
    // Skips money in another currency, because the books of invoices are in dollars.
    if (!invoiceId || paid.currency !== 'usd') return [];
    const refunds = await this.refundsOf({ charge });
    const disputes = await ask(() => this.stripe.disputes.list({ charge, limit: 100 }));
    const found: (MoneyBack & { created: number })[] = [
      ...refunds.map((refund) => ({ refund: refundFrom(refund, invoiceId), created: refund.created })),
      ...disputes.data.flatMap((dispute) => {
        const { created } = dispute;
        const inquiry = { inquiry: inquiryFrom(dispute, invoiceId), created };
        const asked = dispute.status.startsWith('warning') || !inquiry.inquiry.over;
        const taken = movementsOf(dispute).taking
          ? [{ dispute: disputeFrom(dispute, invoiceId), created }]
          : [];
        return [...(asked || taken.length > 0 ? [inquiry] : []), ...taken];
      }),
      ...failureOf(paid, invoiceId),
    ];
    return found.sort((one, other) => one.created - other.created);
  }

  async listCharges(since: Date, until: Date): Promise<string[]> {
    const listed = { created: createdIn(since, until), limit: 100 };
    const found = await ask(async () => {
      const all: { charge: string; created: number }[] = [];
      const add = (charge: string | { id: string } | null, created: number): void => {
        const id = idOf(charge);
        if (id !== undefined) all.push({ charge: id, created });
      };
      for await (const { charge, created } of this.stripe.refunds.list(listed)) add(charge, created);
      for await (const { charge, created } of this.stripe.disputes.list(listed)) add(charge, created);
      const type = 'payment_failure_refund';
      for await (const { source, created } of this.stripe.balanceTransactions.list({ ...listed, type }))
        add(source, created);
      return all;
    });
    return [...new Set(found.sort((one, other) => one.created - other.created).map(({ charge }) => charge))];
  }

  async listEvents(since: Date): Promise<PaymentEvent[]> {
    const found = await ask(async () => {
      const all: PaymentEvent[] = [];
      const asked = { types: [...MONEY_WENT_BACK], created: createdIn(since), limit: 100 };
      for await (const { id, type, data, created } of this.stripe.events.list(asked)) {
        const { id: objectId } = data.object as { id: string };
        all.push({ id, type, objectId, createdAt: dateOf(created) });
      }
      return all;
    });
    return found.reverse();
  }

  private refundsOf(of: { charge: string } | { payment_intent: string }): Promise<Stripe.Refund[]> {
    const expand = ['data.balance_transaction', 'data.failure_balance_transaction'];
    return ask(() =>
      this.stripe.refunds.list({ ...of, limit: 100, expand }).autoPagingToArray({ limit: 1000 }),
    );
  }
}

const refundFrom = (refund: Stripe.Refund, invoiceId: string): ProviderRefund => {
  const status = refund.status ?? '';
  return {
    refundId: refund.metadata?.['refundId'] ?? refund.id,
    invoiceId,
    amountUsdCents: refund.amount,
    createdAt: dateOf(refund.created),
    sentAt: movedAt(refund.balance_transaction),
    failedAt: movedAt(refund.failure_balance_transaction),
    ...(FAILED.has(status) ? { failure: refund.failure_reason ?? status } : {}),
    // A refund counts as sent once the money left our balance, even if Stripe still calls it pending.
    ...(PENDING.has(status) && !refund.balance_transaction
      ? { pending: refund.pending_reason ?? status }
      : {}),
  };
};

/** Returns the time of a balance transaction; undefined if the reference was not expanded. */
const movedAt = (moved: string | Stripe.BalanceTransaction | null | undefined): Date | undefined =>
  typeof moved === 'object' && moved ? dateOf(moved.created) : undefined;

/** Returns a full refund for a charge that failed after it succeeded, because all of its money goes back. */
function failureOf(
  { failure_balance_transaction: moved, amount, created }: Stripe.Charge,
  invoiceId: string,
): (MoneyBack & { created: number })[] {
  const refundId = idOf(moved);
  return refundId === undefined
    ? []
    : [
        {
          refund: {
            refundId,
            invoiceId,
            amountUsdCents: amount,
            createdAt: movedAt(moved) ?? dateOf(created),
            paymentFailed: true,
          },
          created,
        },
      ];
}

function inquiryFrom(dispute: Stripe.Dispute, invoiceId: string): ProviderInquiry {
  const { id, amount, reason, status, evidence_details: details } = dispute;
  return {
    disputeId: id,
    invoiceId,
    amountUsdCents: amount,
    reason,
    dueBy: details.due_by === null ? null : dateOf(details.due_by),
    over: status !== 'warning_needs_response' && status !== 'warning_under_review',
  };
}

function disputeFrom(dispute: Stripe.Dispute, invoiceId: string): ProviderDispute {
  const { taking, giving, others } = movementsOf(dispute);
  const { status } = dispute;
  return {
    disputeId: dispute.id,
    invoiceId,
    // The amount that left our balance. A bank usually takes the whole charge, but may take another amount.
    amountUsdCents: -(taking?.amount ?? 0),
    // Only the fee of the first movement. If a won dispute returns the fee, that is part of another movement.
    feeUsdCents: taking?.fee ?? 0,
    ...(taking && { openedAt: dateOf(taking.created) }),
    ...(giving && { wonAt: dateOf(giving.created) }),
    adjustments: others.map(({ moved: { id, amount, fee, created }, afterGiving }) => ({
      transactionId: id,
      at: dateOf(created),
      amountUsdCents: amount === 0 ? 0 : -amount,
      feeUsdCents: fee,
      late: afterGiving,
    })),
    status: status === 'won' ? 'won' : status === 'lost' ? 'lost' : 'open',
  };
}

/**
 * Creates the credit note of a refund once. Without the note, the tax would stay in Stripe's reports.
 * @returns why Stripe refuses the note for good; undefined if the note exists
 */
async function noteFor(
  stripe: Stripe,
  { refund, invoiceId, refundId }: { refund: Stripe.Refund; invoiceId: string; refundId: string },
): Promise<string | undefined> {
  const isOf = ({ metadata, refunds }: Stripe.CreditNote): boolean =>
    metadata?.['refundId'] === refundId || refunds.some((each) => idOf(each.refund) === refund.id);
  const { amount } = refund;
  try {
    const made = await ask(() => stripe.creditNotes.list({ invoice: invoiceId, limit: 100 }));
    if (made.data.some(isOf)) return undefined;
    await ask(() =>
      stripe.creditNotes.create(
        {
          invoice: invoiceId,
          amount,
          refunds: [{ refund: refund.id, amount_refunded: amount }],
          // We notify the payer ourselves.
          email_type: 'none',
          metadata: { refundId },
        },
        { idempotencyKey: `credit-note-${refundId}` },
      ),
    );
    return undefined;
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    return refusal.message;
  }
}
