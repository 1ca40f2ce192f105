import type Stripe from 'stripe';
import { page } from '../listing.js';
import type { Route } from '../router.js';
import { idOf, type World } from '../world.js';

/** Links an invoice to the intent that collects it. */
export function createInvoicePayment(
  world: World,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
): Stripe.InvoicePayment {
  const payment: Stripe.InvoicePayment = {
    id: world.id('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: world.now(),
    currency: invoice.currency,
    invoice: invoice.id as string,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
  world.objects.invoicePayments[payment.id] = payment;
  return payment;
}

export const invoicePaymentRoutes: Route[] = [
  {
    method: 'GET',
    pattern: '/v1/invoice_payments/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('invoicePayments', path['id'] as string);
    },
  },
  {
    method: 'GET',
    pattern: '/v1/invoice_payments',
    answer: ({ world, parameters }) => {
      const invoice = parameters.text('invoice');
      const status = parameters.text('status');
      const paid = parameters.nested('payment');
      paid?.oneOf('type', ['payment_intent']);
      const intent = paid?.text('payment_intent');
      paid?.done();
      const found = world
        .all('invoicePayments')
        .filter(
          (payment) =>
            (!invoice || payment.invoice === invoice) &&
            (!status || payment.status === status) &&
            (!intent || idOf(payment.payment.payment_intent) === intent),
        );
      return page(found, parameters, '/v1/invoice_payments');
    },
  },
];
