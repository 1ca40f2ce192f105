import type Stripe from 'stripe';
import { declined, invalid } from '../faults.js';
import { page } from '../listing.js';
import type { Call, Route } from '../router.js';
import { idOf, type World } from '../world.js';
import { createInvoicePayment } from './invoice-payments.js';
import { draftInvoice, lineFor, prorationLineFor, type BillingReason } from './new-invoice.js';
import { confirmPaymentIntent, createPaymentIntent } from './payment-intents.js';
import { accepts } from './payment-methods.js';

/** Days after each failed attempt until the next; then Stripe gives up. */
export const RETRY_AFTER_DAYS = [3, 5, 7] as const;
const DAY_SECONDS = 86_400;

/**
 * Bills a subscription for one period: a finalised invoice, waiting to be paid.
 *
 * Stripe leaves a renewal in draft for about an hour; here it is finalised at once, so that moving the clock
 * by whole days is enough to see it paid.
 */
export function billPeriod(
  world: World,
  subscription: Stripe.Subscription,
  period: { start: number; end: number },
  reason: BillingReason,
): Stripe.Invoice {
  const id = world.id('in');
  return finalise(world, id, subscription, lineFor(world, id, subscription, period), reason);
}

/** Bills a correction by itself, as a change of plan in the middle of a period would. */
export function billProration(
  world: World,
  subscription: Stripe.Subscription,
  amount: number,
): Stripe.Invoice {
  const id = world.id('in');
  const line = prorationLineFor(world, id, subscription, amount);
  return finalise(world, id, subscription, line, 'subscription_update');
}

/** Bills the running period once more, in another currency: for as many of its units as the price has. */
export function billIn(world: World, subscription: Stripe.Subscription, currency: string): Stripe.Invoice {
  const id = world.id('in');
  const { current_period_start: start, current_period_end: end } = subscription.items
    .data[0] as Stripe.SubscriptionItem;
  const line = { ...lineFor(world, id, subscription, { start, end }), currency };
  return finalise(world, id, subscription, line, 'subscription_update');
}

function finalise(
  world: World,
  id: string,
  subscription: Stripe.Subscription,
  line: Stripe.InvoiceLineItem,
  reason: BillingReason,
): Stripe.Invoice {
  const customer = world.find('customers', idOf(subscription.customer), 'customer');
  const invoice = draftInvoice(world, id, customer, subscription, line, reason);
  world.objects.invoices[id] = invoice;
  world.emit('invoice.created', invoice);
  invoice.status = 'open';
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`;
  customer.next_invoice_sequence = (customer.next_invoice_sequence ?? 1) + 1;
  invoice.hosted_invoice_url = `${world.base()}/i/${id}`;
  invoice.effective_at = world.now();
  invoice.status_transitions.finalized_at = world.now();
  applyBalance(customer, invoice);
  world.emit('invoice.finalized', invoice);
  subscription.latest_invoice = id;
  return invoice;
}

/** A credit of the customer's (below zero) pays first, a debt is billed along; what is owed to them is kept. */
function applyBalance(customer: Stripe.Customer, invoice: Stripe.Invoice): void {
  invoice.starting_balance = customer.balance;
  invoice.amount_due = Math.max(0, invoice.total + customer.balance);
  invoice.amount_remaining = invoice.amount_due;
  customer.balance += invoice.total - invoice.amount_due;
  invoice.ending_balance = customer.balance;
}

/** Tries to collect an open invoice with the customer's card. Paid or not, the events say it. */
export function collect(world: World, invoice: Stripe.Invoice, method?: Stripe.PaymentMethod): boolean {
  if (invoice.amount_due === 0) return markPaid(world, invoice);
  const customer = world.find('customers', idOf(invoice.customer), 'customer');
  const card =
    method ??
    world.find('paymentMethods', idOf(customer.invoice_settings.default_payment_method), 'payment_method');
  const existing = world.all('invoicePayments').find((payment) => payment.invoice === invoice.id);
  const intent = existing
    ? world.find('paymentIntents', idOf(existing.payment.payment_intent))
    : createPaymentIntent(world, invoice);
  const payment = existing ?? createInvoicePayment(world, invoice, intent);
  const works = accepts(world, card, invoice.billing_reason === 'subscription_create');
  confirmPaymentIntent(world, intent, card, works);
  invoice.attempted = true;
  invoice.attempt_count += 1;
  if (!works) {
    const days = RETRY_AFTER_DAYS[invoice.attempt_count - 1];
    invoice.next_payment_attempt = days ? world.now() + days * DAY_SECONDS : null;
    world.emit('invoice.payment_failed', invoice);
    return false;
  }
  payment.status = 'paid';
  payment.amount_paid = invoice.amount_due;
  payment.status_transitions.paid_at = world.now();
  markPaid(world, invoice);
  world.emit('invoice_payment.paid', payment);
  return true;
}

/** Where nothing is due there is no payment. */
function markPaid(world: World, invoice: Stripe.Invoice): true {
  invoice.attempted = true;
  invoice.status = 'paid';
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.auto_advance = false;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = world.now();
  world.emit('invoice.paid', invoice);
  world.emit('invoice.payment_succeeded', invoice);
  return true;
}

export const subscriptionOf = (invoice: Stripe.Invoice): string =>
  idOf(invoice.parent?.subscription_details?.subscription);

function list({ world, parameters }: Call): object {
  const customer = parameters.text('customer');
  const subscription = parameters.text('subscription');
  const status = parameters.oneOf('status', ['draft', 'open', 'paid', 'uncollectible', 'void'] as const);
  const created = parameters.range('created');
  const found = world
    .all('invoices')
    .filter(
      (invoice) =>
        (!customer || idOf(invoice.customer) === customer) &&
        (!subscription || subscriptionOf(invoice) === subscription) &&
        (!status || invoice.status === status) &&
        (!created || created(invoice.created)),
    );
  return page(found as Array<Stripe.Invoice & { id: string }>, parameters, '/v1/invoices');
}

/** Pays an open invoice now. The caller passes what happens to its subscription. */
export const invoiceRoutes = (onPaid: (world: World, invoice: Stripe.Invoice) => void): Route[] => [
  { method: 'GET', pattern: '/v1/invoices', answer: list },
  {
    method: 'GET',
    pattern: '/v1/invoices/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('invoices', path['id'] as string, 'invoice');
    },
  },
  {
    method: 'GET',
    pattern: '/v1/invoices/:id/lines',
    answer: ({ world, path, parameters }) => {
      const invoice = world.find('invoices', path['id'] as string, 'invoice');
      return page(invoice.lines.data, parameters, `/v1/invoices/${invoice.id}/lines`);
    },
  },
  {
    method: 'POST',
    pattern: '/v1/invoices/:id/pay',
    answer: ({ world, path, parameters }) => {
      const invoice = world.find('invoices', path['id'] as string, 'invoice');
      const methodId = parameters.text('payment_method');
      parameters.done();
      if (invoice.status === 'paid')
        throw invalid('Invoice is already paid', undefined, 'invoice_already_paid');
      if (invoice.status !== 'open') throw invalid('Only open invoices can be paid');
      const method = methodId ? world.find('paymentMethods', methodId, 'payment_method') : undefined;
      if (!collect(world, invoice, method)) {
        const payment = world.all('invoicePayments').find((made) => made.invoice === invoice.id);
        throw declined(world.lookup(idOf(payment?.payment.payment_intent)), true);
      }
      onPaid(world, invoice);
      return invoice;
    },
  },
];
