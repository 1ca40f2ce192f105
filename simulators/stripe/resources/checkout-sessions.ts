import type Stripe from 'stripe';
import { expireSession, startSubscription } from '../billing.js';
import { sellOnce } from './invoices.js';
import { invalid, missing } from '../faults.js';
import { list, retrieve, show, type Call, type Routes } from '../router.js';
import { DAY_SECONDS, idOf, nulls, type World } from '../world.js';
import { createCustomer } from './customers.js';
import { readTax, takeAddress, type Payer } from '../tax/checkout-tax.js';
import { countRedemption } from './promotions.js';
import { attachCard, createCard, declineAsked, paysOnPage, type TestCard } from './payment-methods.js';

function readUrl(value: string, param: string): string {
  if (!URL.canParse(value.replace('{CHECKOUT_SESSION_ID}', 'x')))
    throw invalid('Not a valid URL', param, 'url_invalid');
  return value;
}

const MODES = ['subscription', 'payment'] as const;

function readOrder(
  { world, parameters }: Call,
  mode: (typeof MODES)[number],
): { price: Stripe.Price; quantity: number } {
  const order = parameters.only('line_items', (line) => ({
    price: world.find('prices', line.required('price'), 'line_items[0][price]'),
    quantity: line.integer('quantity') ?? 1,
  }));
  if (order.price.recurring && mode === 'payment')
    throw invalid(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      'line_items[0][price]',
    );
  if (!order.price.recurring && mode === 'subscription')
    throw invalid('You must provide at least one recurring price in `subscription` mode.', 'line_items');
  if (!order.price.active) throw invalid('The price specified is inactive.', 'line_items[0][price]');
  return order;
}

function create(call: Call): object {
  const { world, parameters } = call;
  const mode = parameters.oneOf('mode', MODES);
  if (!mode) throw missing('mode');
  const { price, quantity } = readOrder(call, mode);
  const successUrl = readUrl(parameters.required('success_url'), 'success_url');
  const cancelUrl = parameters.text('cancel_url');
  if (cancelUrl) readUrl(cancelUrl, 'cancel_url');
  const customerId = parameters.text('customer');
  const customerEmail = parameters.text('customer_email') ?? null;
  if (customerId && customerEmail)
    throw invalid('You may only specify one of these: customer, customer_email.', 'customer');
  const customer = customerId ? world.find('customers', customerId, 'customer') : undefined;
  const subscriptionMetadata = parameters.nested('subscription_data', (data) => data.metadata());
  if (subscriptionMetadata && mode === 'payment')
    throw invalid('You can not pass `subscription_data` in `payment` mode.', 'subscription_data');
  const invoiceCreation = parameters.nested('invoice_creation', (creation) => ({
    enabled: creation.flag('enabled') ?? false,
    metadata: creation.nested('invoice_data', (data) => data.metadata()) ?? {},
  }));
  if (invoiceCreation && mode !== 'payment')
    throw invalid(
      'You can only enable invoice creation when `mode` is set to `payment`.',
      'invoice_creation',
    );
  const takesCodes = parameters.flag('allow_promotion_codes') ?? false;
  const adaptive = parameters.enabled('adaptive_pricing');
  const reference = parameters.text('client_reference_id') ?? null;
  const metadata = parameters.metadata();
  const expiresAt = parameters.integer('expires_at') ?? world.now() + DAY_SECONDS;
  const tax = readTax(call, price, customer);
  parameters.done();
  const id = `cs_test_${world.id('s').slice(2)}`;
  const amount = (price.unit_amount ?? 0) * quantity;
  const email = customer?.email ?? customerEmail;
  world.state.checkoutOrders[id] = {
    priceId: price.id,
    quantity,
    subscriptionMetadata: subscriptionMetadata ?? {},
    ...(mode === 'payment' && { invoiceMetadata: invoiceCreation?.metadata ?? {} }),
    taxed: tax.automatic,
    keepsAddress: tax.keepsAddress,
  };
  return world.add('checkoutSessions', {
    id,
    object: 'checkout.session',
    ...nulls('after_expiration', 'allowed_payment_method_types'),
    ...nulls('client_secret', 'collected_information', 'consent', 'consent_collection'),
    ...nulls('currency_conversion', 'customer_account', 'integration_identifier', 'invoice', 'locale'),
    ...nulls('managed_payments', 'origin_context', 'payment_intent', 'payment_link', 'permissions'),
    ...nulls('payment_method_configuration_details', 'payment_method_options', 'recovered_from'),
    ...nulls('saved_payment_method_options', 'setup_intent', 'shipping_address_collection', 'shipping_cost'),
    ...nulls('submit_type', 'subscription', 'wallet_options'),
    allow_promotion_codes: takesCodes || null,
    adaptive_pricing: adaptive === undefined ? null : { enabled: adaptive },
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: tax.automatic
      ? {
          enabled: true,
          liability: { type: 'self' },
          provider: 'stripe',
          status: 'requires_location_inputs',
        }
      : { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: tax.asksAddress ? 'required' : null,
    cancel_url: cancelUrl ?? null,
    client_reference_id: reference,
    created: world.now(),
    currency: price.currency,
    custom_fields: [],
    custom_text: nulls('after_submit', 'shipping_address', 'submit', 'terms_of_service_acceptance'),
    customer: customer?.id ?? null,
    customer_creation: customer ? null : 'always',
    customer_details: email
      ? {
          ...nulls('address', 'business_name', 'individual_name', 'name', 'phone', 'tax_ids'),
          email,
          tax_exempt: 'none',
        }
      : null,
    customer_email: customerEmail,
    discounts: [],
    expires_at: expiresAt,
    invoice_creation:
      mode === 'payment'
        ? {
            enabled: invoiceCreation?.enabled ?? false,
            invoice_data: {
              ...nulls('account_tax_ids', 'custom_fields', 'description', 'footer', 'issuer'),
              metadata: invoiceCreation?.metadata ?? {},
              rendering_options: null,
            },
          }
        : null,
    livemode: false,
    metadata,
    mode,
    payment_method_collection: mode === 'payment' ? 'if_required' : 'always',
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    shipping_options: [],
    status: 'open',
    success_url: successUrl,
    ...(tax.asksTaxId ? { tax_id_collection: { enabled: true, required: 'never' as const } } : {}),
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${world.base()}/c/pay/${id}`,
  });
}

/**
 * Pays a session with a test card, as if the customer pressed Pay.
 * @returns whether the card was accepted; a declined card leaves the session open, as Stripe's page does
 */
export function payCheckout(
  world: World,
  session: Stripe.Checkout.Session,
  card: TestCard,
  payer: Payer,
  promotion?: Stripe.PromotionCode,
): boolean {
  const order = world.state.checkoutOrders[session.id];
  if (!order) throw new Error(`no order for ${session.id}`);
  if (!paysOnPage(card) || declineAsked(world, idOf(session.customer))) return false;
  const customer = session.customer
    ? world.find('customers', idOf(session.customer), 'customer')
    : createCustomer(world, { email: session.customer_email });
  takeAddress(world, session, customer, payer);
  const bought = {
    customer,
    price: world.find('prices', order.priceId),
    quantity: order.quantity,
    taxed: order.taxed,
    promotion,
  };
  const invoice = order.invoiceMetadata
    ? payOnce(world, session, { ...bought, metadata: order.invoiceMetadata, card })
    : subscribe(world, session, { ...bought, metadata: order.subscriptionMetadata, card });
  session.amount_total = invoice.total;
  const amountOff = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const tax = invoice.total - invoice.subtotal + amountOff;
  session.total_details = { amount_discount: amountOff, amount_shipping: 0, amount_tax: tax };
  countRedemption(promotion);
  if (order.taxed) session.automatic_tax.status = invoice.automatic_tax.status;
  session.customer = customer.id;
  session.invoice = invoice.id ?? null;
  session.status = 'complete';
  session.payment_status = invoice.total === 0 ? 'no_payment_required' : 'paid';
  session.url = null;
  world.emit('checkout.session.completed', session);
  return true;
}

type Bought = Omit<Parameters<typeof startSubscription>[1], 'method'> & { card: TestCard };

function subscribe(
  world: World,
  session: Stripe.Checkout.Session,
  { card, ...bought }: Bought,
): Stripe.Invoice {
  const method = attachCard(world, bought.customer, card);
  const { subscription, invoice } = startSubscription(world, { ...bought, method });
  session.subscription = subscription.id;
  return invoice;
}

/** A single payment does not change the card for the next invoices. */
function payOnce(
  world: World,
  session: Stripe.Checkout.Session,
  { card, ...bought }: Bought,
): Stripe.Invoice {
  const { invoice, intent } = sellOnce(world, {
    ...bought,
    method: createCard(world, bought.customer, card),
  });
  session.payment_intent = intent?.id ?? null;
  return invoice;
}

export const checkoutSessionRoutes: Routes = {
  'POST /v1/checkout/sessions': create,
  'GET /v1/checkout/sessions': list(
    'checkoutSessions',
    ['customer', 'subscription', 'status'],
    ({ parameters }) => void parameters.oneOf('status', ['open', 'complete', 'expired']),
  ),
  'GET /v1/checkout/sessions/:id': retrieve('checkoutSessions'),
  'POST /v1/checkout/sessions/:id/expire': show(({ world, id }) => {
    const session = world.find('checkoutSessions', id);
    if (session.status !== 'open')
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`,
      );
    return expireSession(world, session);
  }),
};
