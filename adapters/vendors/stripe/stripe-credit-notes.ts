import type Stripe from 'stripe';
import { ask, refusalIn } from './stripe-errors.js';
import { idOf } from './stripe-shapes.js';

/**
 * A refund alone leaves the tax in Stripe's reports: a credit note takes it out. Looked up first, so that there is one
 * for a refund however often it is asked for.
 * @returns why Stripe refuses it for good; undefined where it is there
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
          // We tell the payer ourselves.
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
