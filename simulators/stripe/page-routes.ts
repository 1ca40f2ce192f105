import type { IncomingMessage } from 'node:http';
import type Stripe from 'stripe';
import { afterPayment } from './billing.js';
import { decodeForm } from './parameters.js';
import { checkoutPage, invoicePage, noticePage, onboardingPage, portalPage, readFont } from './pages.js';
import { completeOnboarding, leaveIncomplete } from './resources/accounts.js';
import { payCheckout } from './resources/checkout-sessions.js';
import type { Payer } from './tax/checkout-tax.js';
import { collect, intentOf, subscriptionOf } from './resources/invoices.js';
import { failConfirmation } from './resources/payment-intents.js';
import { redeemableCode } from './resources/promotions.js';
import { attachCard, isTestCard, TEST_CARDS, type TestCard } from './resources/payment-methods.js';
import type { Answer, Simulation } from './simulation.js';
import type { AccountLink } from './state.js';
import { idOf } from './world.js';

const html = (status: number, body: string): Answer => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  },
  body,
});

const redirect = (location: string): Answer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store' },
  body: '',
});

/** Returns the fields of a form or a JSON object, or no fields for any other body. */
export function readFields(request: IncomingMessage, body: string): Record<string, unknown> {
  if (!request.headers['content-type']?.includes('json')) return decodeForm(body);
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function cardOf(fields: Record<string, unknown>): TestCard | undefined {
  const number = String(fields['card'] ?? '4242424242424242').replace(/\s/g, '');
  return isTestCard(number) ? number : undefined;
}

function payerOf(fields: Record<string, unknown>): Payer {
  const [place, taxId] = [String(fields['place'] ?? ''), String(fields['taxId'] ?? '').trim()];
  return { place: /^[A-Z]{2}(-[A-Z]{2})?$/.test(place) ? place : undefined, taxId: taxId || undefined };
}

async function answerCheckout(
  simulation: Simulation,
  session: Stripe.Checkout.Session,
  fields: Record<string, unknown>,
): Promise<Answer> {
  const { world, dispatcher } = simulation;
  const back = (url: string | null): Answer =>
    url
      ? redirect(url.replaceAll('{CHECKOUT_SESSION_ID}', session.id))
      : html(200, noticePage('Done', 'You can close this page.'));
  if (session.status === 'complete') return back(session.success_url);
  if (session.status === 'expired')
    return html(410, noticePage('This page has expired', 'Nothing was charged. Start again from the plans.'));
  if (fields['outcome'] === 'cancelled') return back(session.cancel_url);
  const refuse = (status: number, problem: string): Answer =>
    html(status, checkoutPage(world, session, `${problem} Nothing was charged.`));
  if (fields['outcome'] !== 'paid') return refuse(400, 'The outcome must be paid or cancelled.');
  const card = cardOf(fields);
  if (!card) return refuse(400, 'This is not one of the test cards.');
  const payer = payerOf(fields);
  if (session.billing_address_collection === 'required' && !payer.place)
    return refuse(400, 'Say where you are.');
  const code = session.allow_promotion_codes ? String(fields['promotionCode'] ?? '').trim() : '';
  const promotion = code ? redeemableCode(world, code) : undefined;
  if (code && !promotion) return refuse(400, 'This code is invalid.');
  if (!simulation.change(() => payCheckout(world, session, card, payer, promotion)))
    return refuse(402, 'Your card was declined.');
  await dispatcher.firstAttempts();
  return back(session.success_url);
}

function answerPortal(
  simulation: Simulation,
  session: Stripe.BillingPortal.Session,
  fields: Record<string, unknown>,
): Answer {
  const { world } = simulation;
  const customer = world.find('customers', session.customer);
  const back = session.return_url
    ? redirect(session.return_url)
    : html(200, noticePage('Saved', 'You can close this page.'));
  if (fields['outcome'] === 'cancelled') return back;
  const card = cardOf(fields);
  if (!card || TEST_CARDS[card].behaviour === 'declined')
    return html(402, portalPage(customer, 'Your card was declined. Nothing was changed.'));
  simulation.change(() => {
    const method = attachCard(world, customer, card);
    for (const invoice of world.all('invoices'))
      if (
        invoice.status === 'open' &&
        idOf(invoice.customer) === customer.id &&
        // The invoice of a pending change can only be paid on its own page.
        !world.objects.subscriptions[subscriptionOf(invoice)]?.pending_update &&
        collect(world, invoice, method)
      )
        afterPayment(world, invoice);
  });
  return back;
}

/** Handles a payer who confirms the bank's request, fails it, or pays with a card. */
async function answerInvoice(
  simulation: Simulation,
  invoice: Stripe.Invoice,
  fields: Record<string, unknown>,
): Promise<Answer> {
  const { world, dispatcher } = simulation;
  const intent = intentOf(world, invoice);
  const asks = intent?.status === 'requires_action';
  if (invoice.status !== 'open') return html(200, invoicePage(invoice));
  const { outcome } = fields;
  const card = cardOf(fields);
  const paid = simulation.change(() => {
    if (outcome === 'failed' && intent && asks) {
      failConfirmation(world, intent);
      world.emit('invoice.payment_failed', invoice);
    }
    const ofPayer = outcome === 'paid' && card && TEST_CARDS[card].behaviour !== 'declined';
    if (!ofPayer && !(outcome === 'confirmed' && asks)) return false;
    const customer = world.find('customers', idOf(invoice.customer));
    const isPaid = collect(world, invoice, ofPayer ? attachCard(world, customer, card) : undefined, true);
    if (isPaid) afterPayment(world, invoice);
    return isPaid;
  });
  await dispatcher.firstAttempts();
  return paid
    ? html(200, invoicePage(invoice))
    : html(402, invoicePage(invoice, false, 'The card was declined. Nothing was charged.'));
}

async function answerOnboarding(
  simulation: Simulation,
  link: AccountLink,
  fields: Record<string, unknown>,
): Promise<Answer> {
  const { world, dispatcher } = simulation;
  const account = world.find('accounts', link.accountId);
  // As at Stripe, a link works once and only for minutes. Later visitors are sent to request a new one.
  if (link.used || link.expiresAt <= world.now())
    return redirect(account.payouts_enabled ? link.returnUrl : link.refreshUrl);
  if (fields['outcome'] !== 'completed' && fields['outcome'] !== 'incomplete')
    return html(400, onboardingPage(account, 'The outcome must be completed or incomplete.'));
  const completed = fields['outcome'] === 'completed';
  simulation.change(() => {
    link.used = true;
    if (completed) completeOnboarding(world, account, fields);
    else leaveIncomplete(world, account);
  });
  await dispatcher.firstAttempts();
  return redirect(completed ? link.returnUrl : link.refreshUrl);
}

/** Serves the pages for people: checkout, onboarding, payment details, and a notice for everything else. */
export async function answerPage(
  simulation: Simulation,
  request: IncomingMessage,
  url: URL,
  body: string,
): Promise<Answer> {
  const { world } = simulation;
  const id = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
  const posted = request.method === 'POST';
  const checkout = url.pathname.startsWith('/c/pay/') ? world.objects.checkoutSessions[id] : undefined;
  if (checkout) {
    if (posted) return answerCheckout(simulation, checkout, readFields(request, body));
    if (checkout.status === 'open') return html(200, checkoutPage(world, checkout));
    return answerCheckout(simulation, checkout, {});
  }
  const portal = url.pathname.startsWith('/p/session/') ? world.objects.portalSessions[id] : undefined;
  if (portal)
    return posted
      ? answerPortal(simulation, portal, readFields(request, body))
      : html(200, portalPage(world.find('customers', portal.customer)));
  const link = url.pathname.startsWith('/setup/s/') ? world.state.accountLinks[id] : undefined;
  if (link) {
    if (posted) return answerOnboarding(simulation, link, readFields(request, body));
    if (link.used || link.expiresAt <= world.now()) return answerOnboarding(simulation, link, {});
    return html(200, onboardingPage(world.find('accounts', link.accountId)));
  }
  const invoice = url.pathname.startsWith('/i/') ? world.objects.invoices[id] : undefined;
  if (invoice && posted) return answerInvoice(simulation, invoice, readFields(request, body));
  if (invoice) return html(200, invoicePage(invoice, intentOf(world, invoice)?.status === 'requires_action'));
  const font = url.pathname.startsWith('/fonts/') ? readFont(id) : undefined;
  if (font)
    return {
      status: 200,
      headers: { 'content-type': 'font/woff2', 'cache-control': 'public, max-age=86400' },
      body: font,
    };
  if (url.pathname === '/')
    return html(200, noticePage('A practice Stripe', 'Payments made here are not real. No money moves.'));
  return html(404, noticePage('Nothing here', 'This address belongs to no checkout.'));
}
