import type Stripe from 'stripe';
import { declined, invalid } from '../faults.js';
import { list, page, retrieve, type Call, type Routes } from '../router.js';
import { DAY_SECONDS, idOf, type World } from '../world.js';
import {
  draftInvoice,
  itemOf,
  lineFor,
  prorationLineFor,
  singleLineFor,
  type BillingReason,
} from './new-invoice.js';
import { addTax } from '../tax/taxes.js';
import {
  askForConfirmation,
  confirmPaymentIntent,
  createInvoicePayment,
  createPaymentIntent,
} from './payment-intents.js';
import { chargeOf } from './payment-methods.js';
import { discount, discountPeriod } from './promotions.js';

/** Days from each failed attempt to the next one. After the last one Stripe gives up. */
export const RETRY_AFTER_DAYS = [3, 5, 7] as const;
const DRAFT_SECONDS = 3_600;

/**
 * Bills a subscription for one period and returns the finalised invoice.
 *
 * Stripe keeps a renewal as a draft for about an hour. Here it is finalised at once unless a test asks for drafts,
 * so that a test can move the clock by whole days.
 */
export function billPeriod(
  world: World,
  subscription: Stripe.Subscription,
  period: { start: number; end: number },
  reason: BillingReason,
): Stripe.Invoice {
  const id = world.id('in');
  const line = lineFor(world, id, subscription, period);
  if (reason !== 'subscription_cycle' || !world.state.draftsRenewals)
    return bill(world, id, subscription, line, reason);
  const invoice = begin(world, id, subscription, line, reason);
  invoice.automatically_finalizes_at = world.now() + DRAFT_SECONDS;
  return invoice;
}

/** Bills a correction on a separate invoice, like a change of plan in the middle of a period. */
export function billProration(
  world: World,
  subscription: Stripe.Subscription,
  amount: number,
): Stripe.Invoice {
  const id = world.id('in');
  const line = prorationLineFor(world, id, subscription, amount);
  return bill(world, id, subscription, line, 'subscription_update');
}

/** Bills the current period again in another currency, with the same figure: 10 dollars become 10 euros. */
export function billIn(world: World, subscription: Stripe.Subscription, currency: string): Stripe.Invoice {
  const id = world.id('in');
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  const line = { ...lineFor(world, id, subscription, { start, end }), currency };
  return bill(world, id, subscription, line, 'subscription_update');
}

const bill = (...given: Parameters<typeof begin>): Stripe.Invoice => finalise(given[0], begin(...given));

function begin(
  world: World,
  id: string,
  subscription: Stripe.Subscription,
  line: Stripe.InvoiceLineItem,
  reason: BillingReason,
): Stripe.Invoice {
  const customer = world.find('customers', idOf(subscription.customer), 'customer');
  const invoice = draftInvoice(world, id, customer, subscription, line, reason);
  world.objects.invoices[id] = invoice;
  if (line.discountable) discountPeriod(world, invoice, subscription.id);
  if (subscription.automatic_tax.enabled) addTax(world, invoice, customer);
  world.emit('invoice.created', invoice);
  subscription.latest_invoice = id;
  return invoice;
}

/** What a customer buys with a payment method: a price once, or the first period of a subscription. */
export interface Sale {
  customer: Stripe.Customer;
  price: Stripe.Price;
  quantity: number;
  metadata: Record<string, string>;
  method: Stripe.PaymentMethod;
  taxed: boolean | undefined;
  /** The code that the payer entered. */
  promotion: Stripe.PromotionCode | undefined;
}

/**
 * Sells a price once. As at Stripe, the invoice follows the payment, and the customer's balance pays nothing of it.
 */
export function sellOnce(
  world: World,
  sale: Sale,
): { invoice: Stripe.Invoice; intent: Stripe.PaymentIntent | undefined } {
  const { customer, metadata, method, taxed, promotion } = sale;
  const id = world.id('in');
  const invoice = draftInvoice(world, id, customer, undefined, singleLineFor(world, id, sale), 'manual');
  invoice.metadata = metadata;
  if (promotion) discount(world, invoice, promotion);
  if (taxed) addTax(world, invoice, customer);
  // An order that costs nothing has an invoice, but no payment.
  const intent = invoice.amount_due > 0 ? createPaymentIntent(world, invoice) : undefined;
  if (intent) confirmPaymentIntent(world, intent, method, true);
  world.objects.invoices[id] = invoice;
  world.emit('invoice.created', invoice);
  open(world, invoice, customer);
  if (!intent) {
    markPaid(world, invoice);
    return { invoice, intent };
  }
  const payment = createInvoicePayment(world, invoice, intent);
  settlePayment(world, invoice, payment);
  return { invoice, intent };
}

function settlePayment(world: World, invoice: Stripe.Invoice, payment: Stripe.InvoicePayment): true {
  payment.status = 'paid';
  payment.amount_paid = invoice.amount_due;
  payment.status_transitions.paid_at = world.now();
  markPaid(world, invoice);
  world.emit('invoice_payment.paid', payment);
  return true;
}

/** Finalises an invoice: from now on it waits for payment and does not change. */
export function finalise(world: World, invoice: Stripe.Invoice): Stripe.Invoice {
  const customer = world.find('customers', idOf(invoice.customer), 'customer');
  applyBalance(customer, invoice);
  return open(world, invoice, customer);
}

function open(world: World, invoice: Stripe.Invoice, customer: Stripe.Customer): Stripe.Invoice {
  invoice.status = 'open';
  invoice.automatically_finalizes_at = null;
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`;
  customer.next_invoice_sequence = (customer.next_invoice_sequence ?? 1) + 1;
  invoice.hosted_invoice_url = `${world.base()}/i/${invoice.id}`;
  invoice.effective_at = world.now();
  invoice.status_transitions.finalized_at = world.now();
  return world.emit('invoice.finalized', invoice);
}

/** Applies the customer's balance: a credit (negative) pays first, a debt is added, and any rest is kept. */
function applyBalance(customer: Stripe.Customer, invoice: Stripe.Invoice): void {
  invoice.starting_balance = customer.balance;
  invoice.amount_due = Math.max(0, invoice.total + customer.balance);
  invoice.amount_remaining = invoice.amount_due;
  customer.balance += invoice.total - invoice.amount_due;
  invoice.ending_balance = customer.balance;
}

const paymentOf = (world: World, invoice: Stripe.Invoice): Stripe.InvoicePayment | undefined =>
  world.all('invoicePayments').find((payment) => payment.invoice === invoice.id);

export function intentOf(world: World, invoice: Stripe.Invoice): Stripe.PaymentIntent | undefined {
  const payment = paymentOf(world, invoice);
  return payment && world.find('paymentIntents', idOf(payment.payment.payment_intent));
}

/**
 * Tries to collect an open invoice with the customer's card.
 * @param present whether the card's holder is present and confirms what the bank asks
 * @returns whether it was paid
 */
export function collect(
  world: World,
  invoice: Stripe.Invoice,
  method?: Stripe.PaymentMethod,
  present = false,
): boolean {
  if (invoice.amount_due === 0) return markPaid(world, invoice);
  const customer = world.find('customers', idOf(invoice.customer), 'customer');
  const card =
    method ??
    world.find('paymentMethods', idOf(customer.invoice_settings.default_payment_method), 'payment_method');
  const intent = intentOf(world, invoice) ?? createPaymentIntent(world, invoice);
  const payment = paymentOf(world, invoice) ?? createInvoicePayment(world, invoice, intent);
  const first = invoice.billing_reason === 'subscription_create';
  const outcome = chargeOf(world, card, { first, present });
  if (outcome === 'asks') askForConfirmation(world, intent, card);
  else confirmPaymentIntent(world, intent, card, outcome === 'paid');
  invoice.attempted = true;
  invoice.attempt_count += 1;
  if (outcome !== 'paid') {
    const days = RETRY_AFTER_DAYS[invoice.attempt_count - 1];
    invoice.next_payment_attempt = days ? world.now() + days * DAY_SECONDS : null;
    world.emit('invoice.payment_failed', invoice);
    if (outcome === 'asks') world.emit('invoice.payment_action_required', invoice);
    return false;
  }
  return settlePayment(world, invoice, payment);
}

/** Marks an invoice paid, after a payment or because nothing is due. */
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

export function voidInvoice(world: World, invoice: Stripe.Invoice): void {
  invoice.status = 'void';
  invoice.auto_advance = false;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.voided_at = world.now();
  const intent = intentOf(world, invoice);
  if (intent) {
    intent.status = 'canceled';
    intent.canceled_at = world.now();
    intent.cancellation_reason = 'void_invoice';
    world.emit('payment_intent.canceled', intent);
  }
  world.emit('invoice.voided', invoice);
}

export const subscriptionOf = (invoice: Stripe.Invoice): string =>
  idOf(invoice.parent?.subscription_details?.subscription);

function pay({ world, id, parameters }: Call): Stripe.Invoice {
  const invoice = world.find('invoices', id, 'invoice');
  const methodId = parameters.text('payment_method');
  parameters.done();
  if (invoice.status === 'paid') throw invalid('Invoice is already paid', undefined, 'invoice_already_paid');
  if (invoice.status !== 'open') throw invalid('Only open invoices can be paid');
  const method = methodId ? world.find('paymentMethods', methodId, 'payment_method') : undefined;
  if (!collect(world, invoice, method)) throw declined(intentOf(world, invoice), true);
  return invoice;
}

function voidOpen({ world, id, parameters }: Call): Stripe.Invoice {
  const invoice = world.find('invoices', id, 'invoice');
  parameters.done();
  if (invoice.status !== 'open')
    throw invalid("You can only pass in open invoices. This invoice isn't open.");
  voidInvoice(world, invoice);
  return invoice;
}

type Hook = (world: World, invoice: Stripe.Invoice) => void;

/** The hooks update the subscription when an invoice is paid or voided. */
export const invoiceRoutes = (onPaid: Hook, onVoided: Hook): Routes => {
  const then = (answer: (call: Call) => Stripe.Invoice, hook: Hook) => (call: Call) => {
    const invoice = answer(call);
    hook(call.world, invoice);
    return invoice;
  };
  return {
    'GET /v1/invoices': list('invoices', ['customer', 'status', 'created'], ({ parameters }) => {
      parameters.oneOf('status', ['draft', 'open', 'paid', 'uncollectible', 'void']);
      const subscription = parameters.text('subscription');
      return (invoice) => !subscription || subscriptionOf(invoice) === subscription;
    }),
    'GET /v1/invoices/:id': retrieve('invoices', 'invoice'),
    'GET /v1/invoices/:id/lines': (call) =>
      page(call.world.find('invoices', call.id, 'invoice').lines.data, call),
    'POST /v1/invoices/:id/pay': then(pay, onPaid),
    'POST /v1/invoices/:id/void': then(voidOpen, onVoided),
  };
};
