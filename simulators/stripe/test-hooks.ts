import type { IncomingMessage } from 'node:http';
import type Stripe from 'stripe';
import { Fields, MAX_DAYS, Refusal } from './hook-fields.js';
import { readFields } from './page-routes.js';
import { requireMore } from './resources/accounts.js';
import { availableCents, balanceReport, holdReserve, recordMovement } from './resources/balance.js';
import { failCharge } from './resources/charges.js';
import { adjustDispute, closeDispute, escalate, openDispute } from './resources/disputes.js';
import { billIn, billProration, collect } from './resources/invoices.js';
import { bounce } from './resources/payouts.js';
import { failRefund, refund, settleRefund } from './resources/refunds.js';
import { reverseTransfer } from './resources/transfers.js';
import { LOSSES, TRANSFER_FAILURES, type State } from './state.js';
import type { Answer, Simulation } from './simulation.js';
import type { World } from './world.js';

const ASKING = 'warning_needs_response';

const missing = (what: string): Refusal => new Refusal(404, `no such ${what}`);

/** Sets a part of the state, and returns it as the answer. */
function set<Part extends Partial<State>>({ state }: World, part: Part): Part {
  Object.assign(state, part);
  return part;
}

function billed(world: World, invoice: Stripe.Invoice): Stripe.Invoice {
  collect(world, invoice);
  return invoice;
}

const leftOf = (charge: Stripe.Charge): number => charge.amount_captured - charge.amount_refunded;

/** The test hooks that change the state, by name: `POST /_test/<name>`. */
const CHANGES: Record<string, (world: World, fields: Fields) => object> = {
  // {times = 1, customer?}: declines the next charges.
  'fail-next-payment': (world, fields) => {
    const customer = fields.text('customer');
    return set(world, { failNext: { times: fields.times(), ...(customer && { customer }) } });
  },
  // {times = 1, how}: loses the answers of the next transfers, before or after they are made, or refuses them.
  'fail-next-transfer': (world, fields) =>
    set(world, { failTransfers: { times: fields.times(), how: fields.oneOf('how', TRANSFER_FAILURES) } }),
  // {times = 1, how}: loses the answers to the next plan changes. Stripe's SDK retries once: `times` = 2 fails a call.
  'fail-next-change': (world, fields) =>
    set(world, { failChanges: { times: fields.times(), how: fields.oneOf('how', LOSSES) } }),
  'fail-next-refund': (world, fields) =>
    set(world, { failRefunds: { times: fields.times(), how: fields.oneOf('how', LOSSES) } }),
  // {times = 1, status = 429, code = rate_limit, path = /v1/}: refuses the next calls whose path begins with `path`.
  refuse: (world, fields) =>
    set(world, {
      refuse: {
        times: fields.times(),
        status: fields.number('status', { from: 400, to: 599, otherwise: 429 }),
        code: fields.text('code', 'rate_limit'),
        path: fields.text('path', '/v1/'),
      },
    }),
  // Forgets idempotency keys, as Stripe does after a day.
  'forget-keys': (world) => {
    world.state.idempotency = {};
    return {};
  },
  // {amountUsdCents}: adds money to the balance.
  'top-up': (world, fields) => {
    const movement = { type: 'topup' as const, source: world.id('tu'), description: null };
    recordMovement(world, { ...movement, amount: fields.amount() });
    return { availableUsdCents: availableCents(world) };
  },
  // {type, amountUsdCents, feeUsdCents = 0, currency = usd}: records a movement of any of Stripe's types.
  movement: (world, fields) => {
    const type = fields.text('type');
    if (!type) throw new Refusal(400, 'there must be a type');
    const amount = fields.signedAmount();
    const fee = fields.signedAmount('feeUsdCents', 0);
    const movement = { type, amount, fee, source: world.id('src'), currency: fields.text('currency', 'usd') };
    return { id: recordMovement(world, { ...movement, description: null }) };
  },
  // {amountUsdCents, days}: withholds money from the balance.
  reserve: (world, fields) => holdReserve(world, fields.amount(), fields.days()),
  // {subscription, amountUsdCents}: bills a correction of a plan. A negative amount becomes the customer's balance.
  prorate: (world, fields) => {
    const subscription = fields.find(world, 'subscriptions', 'subscription');
    const amount = fields.signedAmount();
    return billed(world, billProration(world, subscription, amount));
  },
  // {subscription, currency}: bills the current period in another currency; the balance gets as many dollars.
  bill: (world, fields) => {
    const subscription = fields.find(world, 'subscriptions', 'subscription');
    const currency = fields.text('currency');
    if (!/^[a-z]{3}$/.test(currency)) throw new Refusal(400, 'there must be a currency such as eur');
    return billed(world, billIn(world, subscription, currency));
  },
  // {on = true}: keeps renewals as drafts for an hour before they are charged.
  'draft-renewals': (world, fields) => set(world, { draftsRenewals: fields.flag('on', true) }),
  // {times = 1, reason}: finalises the next invoices without the tax that they should have.
  'untax-next-invoice': (world, fields) => {
    const reasons = ['finalization_system_error', 'requires_location_inputs'] as const;
    return set(world, {
      untaxed: { times: fields.times(), reason: fields.oneOf('reason', reasons, reasons[0]) },
    });
  },
  // {status: active | pending}: sets whether Stripe knows our own address for tax.
  'tax-settings': ({ state: { taxSettings } }, fields) => {
    const isPending = fields.text('status') === 'pending';
    taxSettings.status = isPending ? 'pending' : 'active';
    taxSettings.status_details = isPending
      ? { pending: { missing_fields: ['head_office.address'] } }
      : { active: {} };
    return taxSettings;
  },
  // {transfer, amountUsdCents?}: reverses a transfer, fully or in part.
  'reverse-transfer': (world, fields) => {
    const transfer = fields.find(world, 'transfers', 'transfer');
    const left = transfer.amount - transfer.amount_reversed;
    if (left < 1) throw missing('transfer with anything left of it');
    return reverseTransfer(world, transfer, { amount: fields.amount({ to: left, otherwise: left }) });
  },
  // {payout}: the bank sends a payout back.
  'bounce-payout': (world, fields) => {
    const payout = fields.find(world, 'payouts', 'payout');
    if (payout.status === 'failed') throw missing('payout');
    bounce(world, payout);
    return payout;
  },
  // {chargesEnabled?, payoutsEnabled?}: sets whether our own account takes payments and pays out.
  platform: ({ state: { platform } }, fields) => {
    platform.charges_enabled = fields.flag('chargesEnabled', platform.charges_enabled);
    platform.payouts_enabled = fields.flag('payoutsEnabled', platform.payouts_enabled);
    return platform;
  },
  // {account, requirement, reason?, days = 0}: requires something from a creator, overdue at once or in some days.
  require: (world, fields) => {
    const account = fields.find(world, 'accounts', 'account');
    const code = fields.text('requirement');
    if (!code) throw new Refusal(400, 'there must be a requirement');
    const days = fields.number('days', { from: 0, to: MAX_DAYS, otherwise: 0 });
    requireMore(world, account, { code, days, reason: fields.text('reason') || undefined });
    return account;
  },
  // {charge | invoice}: fails a payment that had succeeded.
  'fail-payment': (world, fields) => {
    const charge = fields.charge(world);
    if (charge.status !== 'succeeded') throw missing('charge that succeeded');
    return failCharge(world, charge);
  },
  // {charge | invoice, amountUsdCents?}: refunds, as staff can in Stripe's dashboard.
  refund: (world, fields) => {
    const charge = fields.charge(world);
    const left = leftOf(charge);
    if (left === 0 || charge.disputed) throw missing('charge with anything left of it');
    return refund(world, charge, { amount: fields.amount({ to: left, otherwise: left }) });
  },
  // {refund}: the customer's bank sends a refund back.
  'fail-refund': (world, fields) => {
    const made = fields.find(world, 'refunds', 'refund');
    if (!made.balance_transaction || made.failure_balance_transaction)
      throw missing('refund that moved and has not failed');
    return failRefund(world, made);
  },
  // {times = 1, reason, moved = false}: the next refunds stay pending for this reason; `requires_action` waits for the
  // payer. With `moved`, the money has already left the balance.
  'pend-next-refund': (world, fields) => {
    const reasons = ['charge_pending', 'insufficient_funds', 'processing', 'requires_action'] as const;
    const reason = fields.oneOf('reason', reasons, 'insufficient_funds');
    return set(world, { pendRefunds: { times: fields.times(), reason, moved: fields.flag('moved', false) } });
  },
  // {refund, outcome}: settles a pending refund.
  'settle-refund': (world, fields) => {
    const made = fields.find(world, 'refunds', 'refund');
    if (made.status !== 'pending' && made.status !== 'requires_action') throw missing('refund that waits');
    const outcome = fields.oneOf('outcome', ['succeeded', 'canceled']);
    if (outcome === 'canceled' && made.balance_transaction)
      throw new Refusal(400, 'a refund that moved can fail, and not be canceled');
    return settleRefund(world, made, outcome);
  },
  // {charge | invoice, amountUsdCents?}: opens a dispute, over the rest of the charge unless an amount is given.
  dispute: (world, fields) => {
    const charge = fields.charge(world);
    if (charge.disputed) throw missing('charge that is not disputed');
    return openDispute(world, charge, fields.amount({ otherwise: leftOf(charge) }));
  },
  // {charge | invoice}: opens an inquiry.
  inquire: (world, fields) => {
    const charge = fields.charge(world);
    return openDispute(world, charge, charge.amount_captured, true);
  },
  // {dispute}: turns an inquiry into a dispute.
  escalate: (world, fields) => {
    const dispute = fields.find(world, 'disputes', 'dispute');
    if (dispute.status !== ASKING) throw missing('inquiry');
    return escalate(world, dispute);
  },
  // {dispute, amountUsdCents, feeUsdCents = 0}: the bank takes more, or returns a part (negative).
  'adjust-dispute': (world, fields) => {
    const dispute = fields.find(world, 'disputes', 'dispute');
    if (dispute.status === ASKING) throw missing('dispute');
    const amount = fields.signedAmount();
    const fee = fields.signedAmount('feeUsdCents', 0);
    return adjustDispute(world, dispute, amount, fee);
  },
  // {dispute, outcome}: decides a dispute or closes an inquiry. A lost dispute can still be won by an appeal.
  'close-dispute': (world, fields) => {
    const dispute = fields.find(world, 'disputes', 'dispute');
    const outcome = fields.oneOf('outcome', ['won', 'lost', 'warning_closed']);
    const before = { won: ['needs_response', 'lost'], lost: ['needs_response'], warning_closed: [ASKING] };
    if (!before[outcome].includes(dispute.status)) throw missing('dispute');
    return closeDispute(world, dispute, outcome);
  },
};

/** Hooks that do more than change the state. */
const OTHERS: Record<string, (simulation: Simulation, fields: Fields) => object | Promise<object>> = {
  // {days}: moves the clock. Renewals, retries and expiries happen on the way.
  advance: async (simulation, fields) => {
    const { now, happened } = await simulation.advance(fields.days());
    return { now: now.toISOString(), happened };
  },
  // {ms}: delays every answer.
  latency: (simulation, fields) => {
    simulation.latencyMs = fields.number('ms', { from: 0, to: 60_000 });
    return { latencyMs: simulation.latencyMs };
  },
  // {times}: drops the webhooks of the next events for good.
  'drop-webhooks': ({ dispatcher }, fields) => {
    dispatcher.dropNext = fields.number('times', { from: 0, to: 1000, whole: true });
    return { dropNext: dispatcher.dropNext };
  },
};

const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * Answers calls that Stripe does not have: the hooks above, `POST /_test/balance-report` for Stripe's report of balance
 * transactions as CSV, and `GET /_test/clock?known` for the clock's offset in seconds. If the offset equals `known`,
 * the answer waits until the offset changes. `followers` is the number of waiting processes.
 */
export async function answerTestHook(
  simulation: Simulation,
  request: IncomingMessage,
  url: URL,
  body: string,
): Promise<Answer> {
  const { world } = simulation;
  if (request.method === 'GET' && url.pathname === '/_test/clock') {
    const known = url.searchParams.get('known');
    const offsetSeconds = await simulation.calendar.ask(known === null ? undefined : Number(known));
    return json(200, { offsetSeconds, followers: simulation.calendar.followers });
  }
  if (request.method !== 'POST') return json(405, { error: 'POST only' });
  const name = url.pathname.replace('/_test/', '');
  const fields = new Fields(readFields(request, body));
  if (name === 'balance-report')
    return {
      status: 200,
      headers: { 'content-type': 'text/csv; charset=utf-8' },
      body: balanceReport(world),
    };
  const change = Object.hasOwn(CHANGES, name) && CHANGES[name];
  const other = Object.hasOwn(OTHERS, name) && OTHERS[name];
  try {
    if (change)
      return json(
        200,
        simulation.change(() => change(world, fields)),
      );
    if (other) return json(200, await other(simulation, fields));
    return json(404, { error: 'no such hook' });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return json(error.status, { error: error.message });
  }
}
