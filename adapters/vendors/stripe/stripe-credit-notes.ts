import type Stripe from 'stripe';
import { ask, refusalIn } from './stripe-errors.js';
import { idOf } from './stripe-shapes.js';

/**
 * Creates the credit note of a refund once, because a refund alone leaves the tax in Stripe's reports.
 * @returns why Stripe refuses it for good; undefined if it exists
 */
export async function noteFor(
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
