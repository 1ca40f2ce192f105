import type Stripe from 'stripe';
import { invalid, missing } from '../faults.js';
import { list, type Call, type Routes } from '../router.js';
import { decimal, idOf, listOf, nulls } from '../world.js';

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Creates a credit note for a part of a paid invoice, with proportional tax, and links the refund that paid it. */
function create({ world, parameters }: Call): object {
  const invoice = world.find('invoices', parameters.required('invoice'), 'invoice');
  const amount = parameters.integer('amount');
  const reason = parameters.oneOf('reason', [
    'duplicate',
    'fraudulent',
    'order_change',
    'product_unsatisfactory',
  ] as const);
  parameters.oneOf('email_type', ['credit_note', 'none']);
  const refunds =
    parameters.each('refunds', (each) => {
      const refund = world.find('refunds', each.required('refund'), 'refunds[0][refund]');
      return {
        amount_refunded: each.integer('amount_refunded') ?? refund.amount,
        payment_record_refund: null,
        refund: refund.id,
        type: 'refund' as const,
      };
    }) ?? [];
  const metadata = parameters.metadata();
  parameters.done();
  if (amount === undefined) throw missing('amount');
  if (invoice.status !== 'paid') throw invalid('This invoice is not paid.', 'invoice');
  const before = world.all('creditNotes').filter((note) => note.invoice === invoice.id);
  if (amount < 1 || amount > invoice.total - sum(before.map((note) => note.total)))
    throw invalid('The sum of credit amounts exceeds the amount of the invoice.', 'amount');
  if (sum(refunds.map((each) => each.amount_refunded)) !== amount)
    throw invalid('The sum of the refunds must equal the amount of the credit note.', 'refunds');
  const totalTaxes = invoice.total_taxes ?? [];
  const tax = Math.round((sum(totalTaxes.map((each) => each.amount)) * amount) / invoice.total);
  const taxes = totalTaxes.slice(0, 1).map((each) => ({
    ...structuredClone(each),
    amount: tax,
    taxable_amount: amount - tax,
  }));
  const id = world.id('cn');
  const line: Stripe.CreditNoteLineItem = {
    id: world.id('cnli'),
    object: 'credit_note_line_item',
    amount: amount - tax,
    description: invoice.lines.data[0]?.description ?? null,
    discount_amount: 0,
    discount_amounts: [],
    invoice_line_item: invoice.lines.data[0]?.id ?? '',
    livemode: false,
    metadata: null,
    pretax_credit_amounts: [],
    quantity: 1,
    tax_rates: [],
    taxes: structuredClone(taxes) as Stripe.CreditNoteLineItem['taxes'],
    type: 'invoice_line_item',
    unit_amount: null,
    unit_amount_decimal: decimal(amount - tax),
  };
  const note: Stripe.CreditNote = {
    id,
    object: 'credit_note',
    ...nulls('customer_account', 'customer_balance_transaction', 'memo', 'shipping_cost', 'voided_at'),
    amount,
    amount_shipping: 0,
    created: world.now(),
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    discount_amount: 0,
    discount_amounts: [],
    effective_at: world.now(),
    invoice: invoice.id as string,
    lines: listOf([line], `/v1/credit_notes/${id}/lines`),
    livemode: false,
    metadata,
    number: `${invoice.number}-CN-${String(before.length + 1).padStart(2, '0')}`,
    out_of_band_amount: null,
    pdf: `${world.base()}/i/${invoice.id}`,
    post_payment_amount: amount,
    pre_payment_amount: 0,
    pretax_credit_amounts: [],
    reason: reason ?? null,
    refunds,
    status: 'issued',
    subtotal: amount - tax,
    subtotal_excluding_tax: amount - tax,
    total: amount,
    total_excluding_tax: amount - tax,
    total_taxes: taxes as Stripe.CreditNote['total_taxes'],
    type: 'post_payment',
  };
  invoice.post_payment_credit_notes_amount += amount;
  return world.add('creditNotes', note, 'credit_note.created');
}

export const creditNoteRoutes: Routes = {
  'POST /v1/credit_notes': create,
  'GET /v1/credit_notes': list('creditNotes', ['invoice']),
};
