import type Stripe from 'stripe';
import { startSubscription } from '../billing.js';
import { invalid, missing } from '../faults.js';
import { checkoutLines, page } from '../listing.js';
import type { Call, Route } from '../router.js';
import { idOf, type World } from '../world.js';
import { createCustomer } from './customers.js';
import { readTax, takeAddress, type CheckoutTax, type Payer } from '../tax/checkout-tax.js';
import { attachCard, declineAsked, paysOnPage, type TestCard } from './payment-methods.js';

const DAY_SECONDS = 86_400;

function readUrl(value: string, param: string): string {
  if (!URL.canParse(value.replace('{CHECKOUT_SESSION_ID}', 'x')))
    throw invalid('Not a valid URL', param, 'url_invalid');
  return value;
}

function readOrder({ world, parameters }: Call): { price: Stripe.Price; quantity: number } {
  const lines = parameters.each('line_items');
  if (lines?.length !== 1) throw missing('line_items');
  const [line] = lines as [(typeof lines)[number]];
  const price = world.find('prices', line.required('price'), 'line_items[0][price]');
  const quantity = line.integer('quantity') ?? 1;
  line.done();
  if (!price.recurring)
    throw invalid('You must provide at least one recurring price in `subscription` mode.', 'line_items');
  if (!price.active) throw invalid('The price specified is inactive.', 'line_items[0][price]');
  return { price, quantity };
}

function create(call: Call): object {
  const { world, parameters } = call;
  const mode = parameters.oneOf('mode', ['subscription'] as const);
  if (!mode) throw missing('mode');
  const order = readOrder(call);
  const successUrl = readUrl(parameters.required('success_url'), 'success_url');
  const cancelUrl = parameters.text('cancel_url');
  if (cancelUrl) readUrl(cancelUrl, 'cancel_url');
  const customerId = parameters.text('customer');
  const email = parameters.text('customer_email');
  if (customerId && email)
    throw invalid('You may only specify one of these: customer, customer_email.', 'customer');
  const customer = customerId ? world.find('customers', customerId, 'customer') : undefined;
  const subscriptionData = parameters.nested('subscription_data');
  const subscriptionMetadata = subscriptionData?.metadata() ?? {};
  subscriptionData?.done();
  const reference = parameters.text('client_reference_id') ?? null;
  const metadata = parameters.metadata();
  const expiresAt = parameters.integer('expires_at') ?? world.now() + DAY_SECONDS;
  const tax = readTax(call, order.price, customer);
  parameters.done();
  const session = newSession(world, {
    order,
    customer,
    email: email ?? null,
    successUrl,
    cancelUrl: cancelUrl ?? null,
    reference,
    metadata,
    expiresAt,
    tax,
  });
  world.objects.checkoutSessions[session.id] = session;
  world.state.checkoutOrders[session.id] = {
    priceId: order.price.id,
    quantity: order.quantity,
    subscriptionMetadata,
    taxed: tax.automatic,
    keepsAddress: tax.keepsAddress,
  };
  return session;
}

function newSession(
  world: World,
  given: {
    order: { price: Stripe.Price; quantity: number };
    customer: Stripe.Customer | undefined;
    email: string | null;
    successUrl: string;
    cancelUrl: string | null;
    reference: string | null;
    metadata: Record<string, string>;
    expiresAt: number;
    tax: CheckoutTax;
  },
): Stripe.Checkout.Session {
  const id = `cs_test_${world.id('s').slice(2)}`;
  const amount = (given.order.price.unit_amount ?? 0) * given.order.quantity;
  const email = given.customer?.email ?? given.email;
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: given.tax.automatic
      ? {
          enabled: true,
          liability: { type: 'self' },
          provider: 'stripe',
          status: 'requires_location_inputs',
        }
      : { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: given.tax.asksAddress ? 'required' : null,
    cancel_url: given.cancelUrl,
    client_reference_id: given.reference,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: world.now(),
    currency: given.order.price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: given.customer?.id ?? null,
    customer_account: null,
    customer_creation: given.customer ? null : 'always',
    customer_details: email
      ? {
          address: null,
          business_name: null,
          email,
          individual_name: null,
          name: null,
          phone: null,
          tax_exempt: 'none',
          tax_ids: null,
        }
      : null,
    customer_email: given.email,
    discounts: [],
    expires_at: given.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: given.metadata,
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: given.successUrl,
    ...(given.tax.asksTaxId ? { tax_id_collection: { enabled: true, required: 'never' as const } } : {}),
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${world.base()}/c/pay/${id}`,
    wallet_options: null,
  };
}

/**
 * Pays a session with a test card, as if the customer pressed Pay.
 * @returns whether the card was accepted; a declined card leaves the session open, as Stripe's page does
 */
export function payCheckout(
  world: World,
  session: Stripe.Checkout.Session,
  card: TestCard,
  payer: Payer = {},
): boolean {
  const order = world.state.checkoutOrders[session.id];
  if (!order) throw new Error(`no order for ${session.id}`);
  if (!paysOnPage(card) || declineAsked(world, idOf(session.customer))) return false;
  const customer = session.customer
    ? world.find('customers', idOf(session.customer), 'customer')
    : createCustomer(world, { email: session.customer_email });
  takeAddress(world, session, customer, payer);
  const method = attachCard(world, customer, card);
  const { subscription, invoice } = startSubscription(world, {
    customer,
    price: world.find('prices', order.priceId),
    quantity: order.quantity,
    metadata: order.subscriptionMetadata,
    method,
    taxed: order.taxed,
  });
  session.amount_total = invoice.total;
  session.total_details = {
    amount_discount: 0,
    amount_shipping: 0,
    amount_tax: invoice.total - invoice.subtotal,
  };
  if (order.taxed) session.automatic_tax.status = invoice.automatic_tax.status;
  session.customer = customer.id;
  session.subscription = subscription.id;
  session.invoice = invoice.id ?? null;
  session.status = 'complete';
  session.payment_status = 'paid';
  session.url = null;
  world.emit('checkout.session.completed', session);
  return true;
}

function list({ world, parameters }: Call): object {
  const customer = parameters.text('customer');
  const subscription = parameters.text('subscription');
  const status = parameters.oneOf('status', ['open', 'complete', 'expired'] as const);
  const found = world
    .all('checkoutSessions')
    .filter(
      (session) =>
        (!customer || idOf(session.customer) === customer) &&
        (!subscription || idOf(session.subscription) === subscription) &&
        (!status || session.status === status),
    );
  return page(found, parameters, '/v1/checkout/sessions');
}

function expire({ world, path, parameters }: Call): object {
  parameters.done();
  const session = world.find('checkoutSessions', path['id'] as string);
  if (session.status !== 'open')
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`,
    );
  session.status = 'expired';
  session.url = null;
  world.emit('checkout.session.expired', session);
  return session;
}

export const checkoutSessionRoutes: Route[] = [
  { method: 'POST', pattern: '/v1/checkout/sessions', answer: create },
  { method: 'GET', pattern: '/v1/checkout/sessions', answer: list },
  {
    method: 'GET',
    pattern: '/v1/checkout/sessions/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('checkoutSessions', path['id'] as string);
    },
  },
  {
    method: 'GET',
    pattern: '/v1/checkout/sessions/:id/line_items',
    answer: ({ world, path, parameters }) => {
      const session = world.find('checkoutSessions', path['id'] as string);
      const lines = checkoutLines(world, session.id);
      return page(lines.data, parameters, lines.url);
    },
  },
  { method: 'POST', pattern: '/v1/checkout/sessions/:id/expire', answer: expire },
];
