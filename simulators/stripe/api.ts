import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Stripe from 'stripe';
import { afterPayment } from './billing.js';
import { dropPendingUpdate } from './pending-updates.js';
import { invalid, StripeFault } from './faults.js';
import { expand } from './expand.js';
import { decodeForm, Parameters, type Form } from './parameters.js';
import { accountRoutes } from './resources/accounts.js';
import { balanceRoutes } from './resources/balance.js';
import { chargeRoutes } from './resources/charges.js';
import { checkoutSessionRoutes } from './resources/checkout-sessions.js';
import { customerRoutes } from './resources/customers.js';
import { disputeRoutes } from './resources/disputes.js';
import { invoiceRoutes } from './resources/invoices.js';
import { paymentIntentRoutes } from './resources/payment-intents.js';
import { paymentMethodRoutes } from './resources/payment-methods.js';
import { payoutRoutes } from './resources/payouts.js';
import { portalRoutes } from './resources/portal.js';
import { productRoutes } from './resources/products.js';
import { promotionRoutes } from './resources/promotions.js';
import { reportRoutes } from './resources/reports.js';
import { refundRoutes } from './resources/refunds.js';
import { subscriptionScheduleRoutes } from './resources/subscription-schedules.js';
import { subscriptionRoutes } from './resources/subscriptions.js';
import { transferRoutes } from './resources/transfers.js';
import { webhookRoutes } from './resources/webhooks.js';
import { FileContents, matchRoute, type Routes } from './router.js';
import type { Answer, Simulation } from './simulation.js';
import type { Loss } from './state.js';
import { creditNoteRoutes } from './tax/credit-notes.js';
import { taxRoutes } from './tax/taxes.js';
import { countDown, type World } from './world.js';

const ROUTES: Routes = {
  ...customerRoutes,
  ...productRoutes,
  ...promotionRoutes,
  ...checkoutSessionRoutes,
  ...paymentMethodRoutes,
  ...subscriptionRoutes,
  ...subscriptionScheduleRoutes,
  ...invoiceRoutes(afterPayment, dropPendingUpdate),
  ...paymentIntentRoutes,
  ...chargeRoutes,
  ...balanceRoutes,
  ...reportRoutes,
  ...portalRoutes,
  ...accountRoutes,
  ...transferRoutes,
  ...payoutRoutes,
  ...refundRoutes,
  ...taxRoutes,
  ...creditNoteRoutes,
  ...disputeRoutes,
  ...webhookRoutes,
};

// The oldest version of Stripe's API whose invoices and subscriptions have the shapes that this simulator serves.
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

type Kept = Pick<Answer, 'status'> & { body: string };

const answerOf = ({ status, error }: StripeFault): Kept => ({
  status,
  body: JSON.stringify({ error }, null, 2),
});

function run({ world }: Simulation, method: string, pathname: string, form: { [key: string]: Form }): Kept {
  const matched = matchRoute(ROUTES, method, pathname);
  if (!matched)
    throw new StripeFault(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${pathname}).`,
    });
  const paths = new Parameters(form).texts('expand') ?? [];
  const answer = matched.answer({ world, id: matched.id, pathname, parameters: new Parameters(form) });
  // The contents of a file are not JSON.
  if (answer instanceof FileContents) return { status: 200, body: answer.text };
  return { status: 200, body: JSON.stringify(expand(world, answer, paths), null, 2) };
}

/** Returns the first answer for a repeated Idempotency-Key. Throws a StripeFault if the request differs. */
function replay({ world }: Simulation, key: string, fingerprint: string): Kept | undefined {
  const kept = world.state.idempotency[key];
  if (kept && kept.fingerprint !== fingerprint)
    throw new StripeFault(400, {
      type: 'idempotency_error',
      message:
        'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
        `Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  return kept && { status: kept.status, body: kept.body };
}

/** Turns a thrown refusal into an answer, to store it under the idempotency key. Invalid requests still throw. */
function refusalKept(work: () => Kept): Kept {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StripeFault) || !error.keptUnderKey) throw error;
    return answerOf(error);
  }
}

/** Runs a change, and stores its answer under the idempotency key. */
function mutate(
  simulation: Simulation,
  key: string | undefined,
  fingerprint: string,
  work: () => Kept,
): Kept {
  const { idempotency } = simulation.world.state;
  return simulation.change(
    () => {
      const answer = refusalKept(work);
      const now = simulation.realNow().getTime();
      for (const [old, kept] of Object.entries(idempotency))
        if (kept.atMs < now - KEYS_KEPT_MS) delete idempotency[old];
      if (key) idempotency[key] = { fingerprint, ...answer, atMs: now };
      return answer;
    },
    (error) => error instanceof StripeFault && error.keepsEffects,
  );
}

const HUNG_UP: Answer = { status: 0, body: '', hangUp: true };

/** Refuses the request with the status and code that a test chose, if a test has requested this. */
function refuseOne({ state: { refuse } }: World, pathname: string): void {
  if (!pathname.startsWith(refuse.path) || !countDown(refuse)) return;
  const { status, code } = refuse;
  throw new StripeFault(status, { type: 'invalid_request_error', code, message: `Refused: ${code}` });
}

/** Returns whether a test breaks this connection, and when. Possible for transfers, refunds and plan changes only. */
function lossOf({ state }: World, pathname: string): Loss | undefined {
  const failure =
    pathname === '/v1/transfers'
      ? state.failTransfers
      : pathname === '/v1/refunds'
        ? state.failRefunds
        : pathname.startsWith('/v1/subscriptions/')
          ? state.failChanges
          : undefined;
  return failure && failure.how !== 'insufficient' && countDown(failure) ? failure.how : undefined;
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
    const answer =
      first ?? mutate(simulation, key, fingerprint, () => run(simulation, method, url.pathname, form));
    if (lost) return HUNG_UP;
    if (first) headers['idempotent-replayed'] = 'true';
    return { ...answer, headers };
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return { ...answerOf(error), headers };
  } finally {
    world.request = undefined;
  }
}
