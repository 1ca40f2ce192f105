import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Stripe from 'stripe';
import { afterPayment } from './billing.js';
import { dropPendingUpdate } from './pending-updates.js';
import { invalid, StripeFault } from './faults.js';
import { expand } from './listing.js';
import { decodeForm, Parameters, type Form } from './parameters.js';
import { accountRoutes } from './resources/accounts.js';
import { balanceTransactionRoutes } from './resources/balance-transactions.js';
import { balanceSettingsRoutes } from './resources/balance-settings.js';
import { billingPortalRoutes } from './resources/billing-portal.js';
import { chargeRoutes } from './resources/charges.js';
import { checkoutSessionRoutes } from './resources/checkout-sessions.js';
import { countrySpecRoutes } from './resources/country-specs.js';
import { customerRoutes } from './resources/customers.js';
import { eventRoutes } from './resources/events.js';
import { invoicePaymentRoutes } from './resources/invoice-payments.js';
import { invoiceRoutes } from './resources/invoices.js';
import { paymentIntentRoutes } from './resources/payment-intents.js';
import { paymentMethodRoutes } from './resources/payment-methods.js';
import { payoutRoutes } from './resources/payouts.js';
import { portalConfigurationRoutes } from './resources/portal-configurations.js';
import { priceRoutes } from './resources/prices.js';
import { disputeRoutes } from './resources/disputes.js';
import { productRoutes } from './resources/products.js';
import { refundRoutes } from './resources/refunds.js';
import { subscriptionScheduleRoutes } from './resources/subscription-schedules.js';
import { subscriptionRoutes } from './resources/subscriptions.js';
import { taxRoutes } from './tax/tax-objects.js';
import { creditNoteRoutes } from './tax/credit-notes.js';
import { transferRoutes } from './resources/transfers.js';
import { webhookEndpointRoutes } from './resources/webhook-endpoints.js';
import { matchRoute, type Route } from './router.js';
import type { Answer, Simulation } from './simulation.js';
import type { Loss } from './state.js';
import type { World } from './world.js';

const ROUTES: readonly Route[] = [
  ...customerRoutes,
  ...productRoutes,
  ...priceRoutes,
  ...checkoutSessionRoutes,
  ...paymentMethodRoutes,
  ...subscriptionRoutes,
  ...subscriptionScheduleRoutes,
  ...invoiceRoutes(afterPayment, (world, invoice) => dropPendingUpdate(world, invoice)),
  ...invoicePaymentRoutes,
  ...paymentIntentRoutes,
  ...chargeRoutes,
  ...balanceTransactionRoutes,
  ...balanceSettingsRoutes,
  ...portalConfigurationRoutes,
  ...billingPortalRoutes,
  ...accountRoutes,
  ...countrySpecRoutes,
  ...transferRoutes,
  ...payoutRoutes,
  ...refundRoutes,
  ...taxRoutes,
  ...creditNoteRoutes,
  ...disputeRoutes,
  ...eventRoutes,
  ...webhookEndpointRoutes,
];

// The oldest version whose invoices and subscriptions have the shapes that this simulator serves.
const OLDEST_VERSION = '2025-03-31';
const KEYS_KEPT_MS = 86_400_000;

function authenticate(request: IncomingMessage): void {
  const refuse = (message: string): StripeFault =>
    new StripeFault(401, { type: 'invalid_request_error', message });
  const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
  const key =
    scheme === 'Basic' ? (Buffer.from(credentials, 'base64').toString().split(':')[0] ?? '') : credentials;
  if (!key) throw refuse('You did not provide an API key.');
  if (/^[sr]k_live_/.test(key))
    throw refuse('This simulator has no live mode; use a key that begins with sk_test_.');
  if (!/^[sr]k_test_\w+$/.test(key)) throw refuse(`Invalid API Key provided: ${key.slice(0, 4)}****`);
}

function versionOf(request: IncomingMessage): string {
  const version = request.headers['stripe-version'];
  if (version === undefined) return Stripe.API_VERSION;
  if (typeof version !== 'string' || !/^\d{4}-\d{2}-\d{2}(\.\w+)?$/.test(version) || version < OLDEST_VERSION)
    throw invalid(`Invalid Stripe API version: ${String(version)}`);
  return version;
}

function run(
  simulation: Simulation,
  method: string,
  pathname: string,
  form: { [key: string]: Form },
): { status: number; body: string } {
  const { world } = simulation;
  const matched = matchRoute(ROUTES, method, pathname);
  if (!matched)
    throw new StripeFault(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${pathname}).`,
    });
  const paths = new Parameters(form).texts('expand') ?? [];
  const answer = matched.route.answer({ world, path: matched.path, parameters: new Parameters(form) });
  return { status: 200, body: JSON.stringify(expand(world, answer, paths), null, 2) };
}

/** Returns the first answer for a repeated Idempotency-Key. Throws a StripeFault if the request differs. */
function replay(
  simulation: Simulation,
  key: string,
  fingerprint: string,
): { status: number; body: string } | undefined {
  const kept = simulation.world.state.idempotency[key];
  if (!kept) return undefined;
  if (kept.fingerprint !== fingerprint)
    throw new StripeFault(400, {
      type: 'idempotency_error',
      message:
        'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
        `Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  return { status: kept.status, body: kept.body };
}

/** Returns a refusal as an answer, which is then stored under the idempotency key. Invalid requests still throw. */
function refusalKept(work: () => { status: number; body: string }): { status: number; body: string } {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StripeFault) || !error.keptUnderKey) throw error;
    return { status: error.status, body: JSON.stringify({ error: error.error }, null, 2) };
  }
}

function mutate(
  simulation: Simulation,
  method: string,
  pathname: string,
  form: { [key: string]: Form },
  key: string | undefined,
  fingerprint: string,
): { status: number; body: string } {
  const { world } = simulation;
  const remember = (answer: { status: number; body: string }): void => {
    const now = simulation.realNow().getTime();
    for (const [old, kept] of Object.entries(world.state.idempotency))
      if (kept.atMs < now - KEYS_KEPT_MS) delete world.state.idempotency[old];
    if (key) world.state.idempotency[key] = { fingerprint, ...answer, atMs: now };
  };
  return simulation.change(
    () => {
      const answer = refusalKept(() => run(simulation, method, pathname, form));
      remember(answer);
      return answer;
    },
    (error) => error instanceof StripeFault && error.keepsEffects,
  );
}

const HUNG_UP: Answer = { status: 0, body: '', hangUp: true };

/** Whether a test loses the answer to this transfer, before or after the transfer is made. */
function loseTransfer(world: World): Loss | undefined {
  const { failTransfers } = world.state;
  return failTransfers.how === 'insufficient'
    ? undefined
    : loseOne(failTransfers as { times: number; how: Loss });
}

function loseOne(of: { times: number; how: Loss }): Loss | undefined {
  if (of.times === 0) return undefined;
  of.times -= 1;
  return of.how;
}

/** Refuses the call as if Stripe were busy, if a test asked for that. */
function refuseOne({ state: { refuse } }: World, pathname: string): void {
  if (refuse.times === 0 || !pathname.startsWith(refuse.path)) return;
  refuse.times -= 1;
  const { status, code } = refuse;
  throw new StripeFault(status, { type: 'invalid_request_error', code, message: `Refused: ${code}` });
}

/** Whether this call loses its answer. Only calls that move money or change subscriptions can. */
function lossOf(world: World, pathname: string): Loss | undefined {
  if (pathname === '/v1/transfers') return loseTransfer(world);
  if (pathname === '/v1/refunds') return loseOne(world.state.failRefunds);
  if (pathname.startsWith('/v1/subscriptions/')) return loseOne(world.state.failChanges);
  return undefined;
}

export function answerApi(simulation: Simulation, request: IncomingMessage, url: URL, body: string): Answer {
  const { world } = simulation;
  const requestId = `req_${randomBytes(10).toString('hex').slice(0, 14)}`;
  const headers: Record<string, string> = { 'content-type': 'application/json', 'request-id': requestId };
  const method = request.method ?? 'GET';
  try {
    authenticate(request);
    headers['stripe-version'] = versionOf(request);
    simulation.passTime();
    refuseOne(world, url.pathname);
    const sent = method === 'POST' ? body : url.search.slice(1);
    const form = decodeForm(sent);
    if (method === 'GET') return { ...run(simulation, method, url.pathname, form), headers };
    const key = request.headers['idempotency-key'] as string | undefined;
    if (key !== undefined && key.length > 255) throw invalid('Idempotency keys are at most 255 characters');
    const fingerprint = createHash('sha256').update(`${method} ${url.pathname}\n${sent}`).digest('hex');
    const lost = lossOf(world, url.pathname);
    if (lost === 'lost-before') return HUNG_UP;
    const first = key ? replay(simulation, key, fingerprint) : undefined;
    if (key) headers['idempotency-key'] = key;
    world.request = { id: requestId, idempotency_key: key ?? null };
    const answer = first ?? mutate(simulation, method, url.pathname, form, key, fingerprint);
    if (lost) return HUNG_UP;
    return first
      ? { ...first, headers: { ...headers, 'idempotent-replayed': 'true' } }
      : { ...answer, headers };
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return { status: error.status, headers, body: JSON.stringify({ error: error.error }, null, 2) };
  } finally {
    world.request = undefined;
  }
}
