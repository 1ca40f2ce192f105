import type Stripe from 'stripe';
import { invalid, missing } from '../faults.js';
import { page } from '../listing.js';
import type { Call, Route } from '../router.js';
import { decimal, idOf, listOf } from '../world.js';

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
  parameters.oneOf('email_type', ['credit_note', 'none'] as const);
  const refunds = (parameters.each('refunds') ?? []).map((each) => {
    const refund = world.find('refunds', each.required('refund'), 'refunds[0][refund]');
    const amountRefunded = each.integer('amount_refunded') ?? refund.amount;
    each.done();
    return {
      amount_refunded: amountRefunded,
      payment_record_refund: null,
      refund: refund.id,
      type: 'refund' as const,
    };
  });
  const metadata = parameters.metadata();
  parameters.done();
  if (amount === undefined) throw missing('amount');
  if (invoice.status !== 'paid') throw invalid('This invoice is not paid.', 'invoice');
  const before = world.all('creditNotes').filter((note) => note.invoice === invoice.id);
  if (amount < 1 || amount > invoice.total - sum(before.map((note) => note.total)))
    throw invalid('The sum of credit amounts exceeds the amount of the invoice.', 'amount');
  if (sum(refunds.map((each) => each.amount_refunded)) !== amount)
    throw invalid('The sum of the refunds must equal the amount of the credit note.', 'refunds');
  const tax = Math.round(
    (sum((invoice.total_taxes ?? []).map((each) => each.amount)) * amount) / invoice.total,
  );
  const taxes = (invoice.total_taxes ?? []).slice(0, 1).map((each) => ({
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
    amount,
    amount_shipping: 0,
    created: world.now(),
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: world.now(),
    invoice: invoice.id as string,
    lines: listOf([line], `/v1/credit_notes/${id}/lines`),
    livemode: false,
    memo: null,
    metadata,
    number: `${invoice.number}-CN-${String(before.length + 1).padStart(2, '0')}`,
    out_of_band_amount: null,
    pdf: `${world.base()}/i/${invoice.id}`,
    post_payment_amount: amount,
    pre_payment_amount: 0,
    pretax_credit_amounts: [],
    reason: reason ?? null,
    refunds,
    shipping_cost: null,
    status: 'issued',
    subtotal: amount - tax,
    subtotal_excluding_tax: amount - tax,
    total: amount,
    total_excluding_tax: amount - tax,
    total_taxes: taxes as Stripe.CreditNote['total_taxes'],
    type: 'post_payment',
    voided_at: null,
  };
  world.objects.creditNotes[id] = note;
  invoice.post_payment_credit_notes_amount += amount;
  world.emit('credit_note.created', note);
  return note;
}

export const creditNoteRoutes: Route[] = [
  { method: 'POST', pattern: '/v1/credit_notes', answer: create },
  {
    method: 'GET',
    pattern: '/v1/credit_notes',
    answer: ({ world, parameters }) => {
      const invoice = parameters.text('invoice');
      const found = world.all('creditNotes').filter((note) => !invoice || note.invoice === invoice);
      return page(found, parameters, '/v1/credit_notes');
    },
  },
];
