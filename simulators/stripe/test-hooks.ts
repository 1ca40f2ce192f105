import type { IncomingMessage } from 'node:http';
import { balanceReport } from './balance-report.js';
import { answerBillHook } from './bill-hooks.js';
import { answerMoneyBackHook } from './money-back-hooks.js';
import { readFields } from './page-routes.js';
import { requireMore } from './resources/accounts.js';
import { availableCents, recordMovement } from './resources/balance-transactions.js';
import { billIn, billProration, collect } from './resources/invoices.js';
import { bounce } from './resources/payouts.js';
import { reverseTransfer } from './resources/transfers.js';
import { LOSSES, TRANSFER_FAILURES } from './state.js';
import type { Answer, Simulation } from './simulation.js';

const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const CLOCK_PATH = '/_test/clock';
const MAX_DAYS = 3660;
const MAX_TIMES = 1000;
const MAX_LATENCY_MS = 60_000;

const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;

/**
 * Hooks that Stripe does not have:
 * - `POST /_test/advance {days}` moves the clock; renewals, retries and expiries happen on the way
 * - `GET /_test/clock?known` returns the clock's offset in seconds. If it equals `known`, the answer waits until it
 *   changes.
 * - `POST /_test/fail-next-payment {times = 1, customer?}` declines the next charges
 * - `POST /_test/fail-next-transfer {times = 1, how}` loses the answers of the next transfers (`lost-before` or
 *   `lost-after` the transfer is made) or refuses them (`insufficient`)
 * - `POST /_test/fail-next-change {times = 1, how}` does the same for changes of subscriptions (`lost-…` only). The
 *   SDK retries once after a broken connection; lose two answers to make it give up.
 * - `POST /_test/refuse {times = 1, status = 429, code = rate_limit, path = /v1/}` refuses the next calls whose
 *   path starts with `path`, before they have an effect
 * - `POST /_test/latency {ms}` delays every answer
 * - `POST /_test/forget-keys` forgets idempotency keys, as Stripe does after a day
 * - `POST /_test/top-up {amountUsdCents}` adds money to the balance
 * - `POST /_test/movement {type, amountUsdCents, feeUsdCents?, currency?}` records a movement of any of Stripe's
 *   types
 * - `POST /_test/prorate {subscription, amountUsdCents}` bills a correction of a plan separately; a negative amount
 *   becomes the customer's balance
 * - `POST /_test/bill {subscription, currency}` bills the current period in another currency; the balance receives
 *   the same number of US dollars
 * - `POST /_test/reverse-transfer {transfer, amountUsdCents?}` reverses a transfer, fully or in part
 * - `POST /_test/balance-report` returns Stripe's report of balance transactions as CSV
 * - `POST /_test/platform {chargesEnabled?, payoutsEnabled?}` sets whether our own account takes payments and pays
 *   out
 * - `POST /_test/require {account, requirement, reason?, days = 0}` requires something from a creator: overdue at
 *   once, which blocks transfers, or due in this many days
 * - hooks of `money-back-hooks.ts` and `bill-hooks.ts`
 * - `POST /_test/bounce-payout {payout}` makes the bank send a payout back
 * - `POST /_test/drop-webhooks {times}` drops the webhooks of the next events for good
 */
export async function answerTestHook(
  simulation: Simulation,
  request: IncomingMessage,
  url: URL,
  body: string,
): Promise<Answer> {
  const { world, dispatcher } = simulation;
  if (request.method === 'GET' && url.pathname === CLOCK_PATH) {
    const known = url.searchParams.get('known');
    return json(200, {
      offsetSeconds: await simulation.calendar.ask(known === null ? undefined : Number(known)),
    });
  }
  if (request.method !== 'POST') return json(405, { error: 'POST only' });
  const fields = readFields(request, body);
  switch (url.pathname) {
    case '/_test/advance': {
      const days = numberOf(fields['days']);
      if (!(days > 0 && days <= MAX_DAYS))
        return json(400, { error: `days must be above 0 and at most ${MAX_DAYS}` });
      const { now, happened } = await simulation.advance(days);
      return json(200, { now: now.toISOString(), happened });
    }
    case '/_test/fail-next-payment': {
      const times = fields['times'] === undefined ? 1 : numberOf(fields['times']);
      if (!Number.isInteger(times) || times < 0 || times > MAX_TIMES)
        return json(400, { error: 'times must be a count' });
      const customer = typeof fields['customer'] === 'string' ? { customer: fields['customer'] } : {};
      simulation.change(() => (world.state.failNext = { times, ...customer }));
      return json(200, { failNext: world.state.failNext });
    }
    case '/_test/fail-next-transfer': {
      const times = fields['times'] === undefined ? 1 : numberOf(fields['times']);
      const how = TRANSFER_FAILURES.find((known) => known === fields['how']);
      if (!Number.isInteger(times) || times < 0 || times > MAX_TIMES || !how)
        return json(400, { error: `times must be a count, how one of ${TRANSFER_FAILURES.join(', ')}` });
      simulation.change(() => (world.state.failTransfers = { times, how }));
      return json(200, { failTransfers: world.state.failTransfers });
    }
    case '/_test/fail-next-change': {
      const times = fields['times'] === undefined ? 1 : numberOf(fields['times']);
      const how = LOSSES.find((known) => known === fields['how']);
      if (!Number.isInteger(times) || times < 0 || times > MAX_TIMES || !how)
        return json(400, { error: `times must be a count, how one of ${LOSSES.join(', ')}` });
      simulation.change(() => (world.state.failChanges = { times, how }));
      return json(200, { failChanges: world.state.failChanges });
    }
    case '/_test/refuse': {
      const [times, status] = [numberOf(fields['times'] ?? 1), numberOf(fields['status'] ?? 429)];
      const [code, path] = [String(fields['code'] ?? 'rate_limit'), String(fields['path'] ?? '/v1/')];
      if (!Number.isInteger(times) || times < 0 || times > MAX_TIMES || !(status >= 400 && status < 600))
        return json(400, { error: 'times must be a count, status an error' });
      simulation.change(() => (world.state.refuse = { times, status, code, path }));
      return json(200, { refuse: world.state.refuse });
    }
    case '/_test/latency': {
      const ms = numberOf(fields['ms']);
      if (!(ms >= 0 && ms <= MAX_LATENCY_MS))
        return json(400, { error: `ms must be 0 to ${MAX_LATENCY_MS}` });
      simulation.latencyMs = ms;
      return json(200, { latencyMs: ms });
    }
    case '/_test/balance-report':
      return {
        status: 200,
        headers: { 'content-type': 'text/csv; charset=utf-8' },
        body: balanceReport(world),
      };
    case '/_test/forget-keys':
      simulation.change(() => (world.state.idempotency = {}));
      return json(200, {});
    case '/_test/top-up': {
      const amount = numberOf(fields['amountUsdCents']);
      if (!Number.isInteger(amount) || amount < 1)
        return json(400, { error: 'amountUsdCents must be above 0' });
      const source = world.id('tu');
      simulation.change(() => recordMovement(world, { type: 'topup', amount, source, description: null }));
      return json(200, { availableUsdCents: availableCents(world) });
    }
    case '/_test/movement': {
      const [amount, fee] = [numberOf(fields['amountUsdCents']), numberOf(fields['feeUsdCents'] ?? 0)];
      const [type, currency] = [String(fields['type'] ?? ''), String(fields['currency'] ?? 'usd')];
      if (!Number.isInteger(amount) || !Number.isInteger(fee) || type === '')
        return json(400, { error: 'amountUsdCents must be whole, and there must be a type' });
      const movement = { type, amount, fee, source: world.id('src'), description: null, currency };
      return json(200, { id: simulation.change(() => recordMovement(world, movement)) });
    }
    case '/_test/prorate': {
      const subscription = world.objects.subscriptions[String(fields['subscription'])];
      const amount = numberOf(fields['amountUsdCents']);
      if (!subscription || !Number.isInteger(amount))
        return json(400, { error: 'there must be a subscription, and amountUsdCents must be whole' });
      const bill = (): object => {
        const invoice = billProration(world, subscription, amount);
        collect(world, invoice);
        return invoice;
      };
      return json(200, simulation.change(bill));
    }
    case '/_test/bill': {
      const subscription = world.objects.subscriptions[String(fields['subscription'])];
      const currency = String(fields['currency'] ?? '');
      if (!subscription || !/^[a-z]{3}$/.test(currency))
        return json(400, { error: 'there must be a subscription, and a currency such as eur' });
      const bill = (): object => {
        const invoice = billIn(world, subscription, currency);
        collect(world, invoice);
        return invoice;
      };
      return json(200, simulation.change(bill));
    }
    case '/_test/reverse-transfer': {
      const amount = fields['amountUsdCents'] === undefined ? undefined : numberOf(fields['amountUsdCents']);
      const transfer = world.objects.transfers[String(fields['transfer'])];
      const left = transfer ? transfer.amount - transfer.amount_reversed : 0;
      if (!transfer || left < 1) return json(404, { error: 'no such transfer with anything left of it' });
      if (amount !== undefined && !(Number.isInteger(amount) && amount > 0 && amount <= left))
        return json(400, { error: `amountUsdCents must be 1 to ${left}` });
      const given = amount === undefined ? {} : { amount };
      return json(
        200,
        simulation.change(() => reverseTransfer(world, transfer, given)),
      );
    }
    case '/_test/bounce-payout': {
      const payout = world.objects.payouts[String(fields['payout'])];
      if (!payout || payout.status === 'failed') return json(404, { error: 'no such payout' });
      simulation.change(() => bounce(world, payout));
      return json(200, payout);
    }
    case '/_test/platform': {
      const { platform } = world.state;
      const isOn = (field: string, before: boolean): boolean =>
        fields[field] === undefined ? before : String(fields[field]) === 'true';
      simulation.change(() => {
        platform.charges_enabled = isOn('chargesEnabled', platform.charges_enabled);
        platform.payouts_enabled = isOn('payoutsEnabled', platform.payouts_enabled);
      });
      return json(200, platform);
    }
    case '/_test/require': {
      const account = world.objects.accounts[String(fields['account'])];
      const [code, days] = [String(fields['requirement'] ?? ''), numberOf(fields['days'] ?? 0)];
      if (!account || code === '' || !(days >= 0 && days <= MAX_DAYS))
        return json(400, { error: 'there must be an account, a requirement, and days from 0 on' });
      const reason = fields['reason'] === undefined ? {} : { reason: String(fields['reason']) };
      simulation.change(() => requireMore(world, account, { code, days, ...reason }));
      return json(200, account);
    }
    case '/_test/drop-webhooks': {
      const times = numberOf(fields['times']);
      if (!Number.isInteger(times) || times < 0 || times > MAX_TIMES)
        return json(400, { error: 'times must be a count' });
      dispatcher.dropNext = times;
      return json(200, { dropNext: times });
    }
    default: {
      const { status, body: answer } = answerMoneyBackHook(simulation, url.pathname, fields) ??
        answerBillHook(simulation, url.pathname, fields) ?? {
          status: 404,
          body: { error: 'no such hook' },
        };
      return json(status, answer);
    }
  }
}
