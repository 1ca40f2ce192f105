import type Stripe from 'stripe';
import { invalid } from '../faults.js';
import { list, type Routes } from '../router.js';
import { idOf, countDown, type World } from '../world.js';

/** The Stripe test cards that this simulator knows, and their behaviour. */
export const TEST_CARDS = {
  '4242424242424242': { label: 'Card that works', behaviour: 'works' },
  '4000000000000002': { label: 'Card that is declined', behaviour: 'declined' },
  '4000000000000341': { label: 'Card that works once, then declines', behaviour: 'declines-later' },
  '4000002760003184': { label: 'Card whose bank always asks', behaviour: 'asks' },
  '4000008260003178': { label: 'Card whose bank asks, then declines', behaviour: 'asks-then-declines' },
} as const;
export type TestCard = keyof typeof TEST_CARDS;

export const isTestCard = (number: string): number is TestCard => Object.hasOwn(TEST_CARDS, number);

/** Saves a card with a customer and makes it the default for invoices. */
export function attachCard(world: World, customer: Stripe.Customer, number: TestCard): Stripe.PaymentMethod {
  const method = createCard(world, customer, number);
  customer.invoice_settings.default_payment_method = method.id;
  return world.emit('payment_method.attached', method);
}

/** Creates the card of a payment. */
export function createCard(world: World, customer: Stripe.Customer, number: TestCard): Stripe.PaymentMethod {
  const behaviour = TEST_CARDS[number].behaviour;
  if (behaviour === 'declined') throw invalid('A declined card is never attached', 'card');
  const method = world.add('paymentMethods', {
    id: world.id('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: {
      address: { city: null, country: 'US', line1: null, line2: null, postal_code: null, state: null },
      email: customer.email,
      name: customer.name ?? null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: 'visa',
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: 'visa',
      exp_month: 12,
      exp_year: new Date(world.now() * 1000).getUTCFullYear() + 3,
      funding: 'credit',
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: ['visa'], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: world.now(),
    customer: customer.id,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  });
  world.state.cards[method.id] = behaviour;
  return method;
}

/** Returns whether a test declines the next charge of any card, or of this customer. */
export function declineAsked(world: World, customerId: string): boolean {
  const fail = world.state.failNext;
  return (!fail.customer || fail.customer === customerId) && countDown(fail);
}

/** Returns whether a card can pay on a page, where its holder is present and confirms what the bank asks. */
export const paysOnPage = (number: TestCard): boolean =>
  TEST_CARDS[number].behaviour !== 'declined' && TEST_CARDS[number].behaviour !== 'asks-then-declines';

/**
 * Returns the outcome of charging this card now.
 * @param present whether the card's holder is present and confirms what the bank asks
 */
export function chargeOf(
  world: World,
  method: Stripe.PaymentMethod,
  { first, present }: { first: boolean; present: boolean },
): 'paid' | 'declined' | 'asks' {
  if (declineAsked(world, idOf(method.customer))) return 'declined';
  const behaviour = world.state.cards[method.id];
  const asks = behaviour === 'asks' || behaviour === 'asks-then-declines';
  if (asks && !first && !present) return 'asks';
  if (behaviour === 'asks-then-declines') return 'declined';
  return behaviour === 'declines-later' && !first ? 'declined' : 'paid';
}

export const paymentMethodRoutes: Routes = {
  'GET /v1/payment_methods': list('paymentMethods', [], ({ parameters }) => {
    const customer = parameters.text('customer');
    parameters.text('type');
    return (method) => idOf(method.customer) === customer;
  }),
};
